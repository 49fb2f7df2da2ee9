# frozen_string_literal: true

# Prints what puppet-lint finds in manifests, and makes of them. Usage:
#   ruby answers.rb PUPPET_LINT check|fix [PLUG_IN...] < paths
# PUPPET_LINT and each PLUG_IN are checkouts of their repositories. All checks run. A line of JSON for each path:
# [path, [[check, kind, line, column, message, reason]...] or name of an exception, corrected text or null]
require 'json'

root, mode, *plug_ins = ARGV
$LOAD_PATH.unshift(File.join(root, 'lib'))
require 'puppet-lint'

plug_ins.each { |folder| Dir[File.join(folder, 'lib/puppet-lint/plugins/**/*.rb')].sort.each { |file| load(file) } }

class PuppetLint
  class Data
    # Plug-ins append defined types to the list of classes, which changes it for other checks.
    def self.class_indexes
      (@class_indexes ||= definition_indexes(:CLASS)).dup
    end
  end

  class Checks
    # As run, but an unexpected exception is raised instead of printed.
    def answers(path, text)
      load_data(path, text)
      checks = enabled_checks.map { |name| PuppetLint.configuration.check_object[name].new }
      found = checks.map { |check| [check, check.run] }
      found.each { |check, problems| @problems.concat(PuppetLint.configuration.fix ? check.fix_problems : problems) }
      @problems
    rescue PuppetLint::SyntaxError => e
      [{ check: :syntax, kind: :error, line: e.token.line, column: e.token.column, message: 'Syntax error' }]
    end
  end
end

PuppetLint.configuration.defaults
PuppetLint.configuration.checks.each { |name| PuppetLint.configuration.send("enable_#{name}") }
PuppetLint.configuration.fix = mode == 'fix'
$stderr = File.open(File::NULL, 'w')

$stdin.each_line(chomp: true) do |path|
  text = File.open(path, 'rb:UTF-8', &:read)
  next if text.empty?

  # Both outlive a file otherwise.
  PuppetLint::Lexer.heredoc_queue.clear if PuppetLint::Lexer.respond_to?(:heredoc_queue)
  PuppetLint::Data.ignore_overrides.each_value(&:clear)
  begin
    linter = PuppetLint::Checks.new
    problems = linter.answers(path, text)
    fixed = linter.manifest if mode == 'fix' && problems.none? { |problem| problem[:check] == :syntax }
    rows = problems.map { |problem| problem.values_at(:check, :kind, :line, :column, :message, :reason) }
    puts JSON.generate([path, rows, fixed])
  rescue StandardError => e
    puts JSON.generate([path, e.class.name, nil])
  end
end
