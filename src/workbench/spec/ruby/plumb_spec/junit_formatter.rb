require 'cgi'
require 'rspec/core/formatters/base_formatter'

module PlumbSpec
  # Results as JUnit's XML, for build servers.
  class JunitFormatter < RSpec::Core::Formatters::BaseFormatter
    RSpec::Core::Formatters.register self, :example_passed, :example_failed, :example_pending, :dump_summary

    # Characters that XML cannot contain.
    INVALID = /[^\u0009\u000a\u000d\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/.freeze

    def initialize(output)
      super
      @cases = []
    end

    def example_passed(notification) = @cases << test_case(notification.example)
    def example_pending(notification) = @cases << test_case(notification.example, '<skipped/>')

    def example_failed(notification)
      lines = notification.message_lines + notification.formatted_backtrace.map { |line| "# #{line}" }
      kind = notification.exception.class.name
      message = notification.exception.message.to_s.lines.first.to_s.chomp
      @cases << test_case(notification.example, %(<failure type="#{text(kind)}" message="#{text(message)}">#{text(lines.join("\n"))}</failure>))
    end

    def dump_summary(summary)
      counts = { tests: summary.example_count, failures: summary.failure_count, skipped: summary.pending_count, errors: summary.errors_outside_of_examples_count }
      attributes = counts.map { |name, count| %(#{name}="#{count}") }.join(' ')
      output.puts '<?xml version="1.0" encoding="UTF-8"?>'
      output.puts %(<testsuite name="rspec" #{attributes} time="#{format('%.6f', summary.duration)}" timestamp="#{Time.now.utc.strftime('%FT%T')}">)
      @cases.each { |each| output.puts each }
      output.puts '</testsuite>'
    end

    private

    def test_case(example, content = '')
      file = example.metadata[:file_path].delete_prefix('./')
      name = file.delete_suffix('.rb').tr('/', '.')
      time = format('%.6f', example.execution_result.run_time || 0)
      %(  <testcase classname="#{text(name)}" name="#{text(example.full_description)}" file="#{text(file)}" time="#{time}">#{content}</testcase>)
    end

    def text(value) = CGI.escapeHTML(value.to_s.encode(Encoding::UTF_8, invalid: :replace, undef: :replace).scrub.gsub(INVALID, '?'))
  end
end
