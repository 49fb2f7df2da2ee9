# Puppet as a server has it: its mode, what is printed, and processes that are left to themselves.
module Puppet
  RunMode.name = :server

  module Util
    def self.safe_posix_fork(*, &) = Plumb::Forked.run(&)
  end

  class Reports
    TABLE = {}

    class << self
      def register_report(name, _options = {}, &block)
        made = ::Module.new
        made.extend(Util::Docs)
        made.module_eval(&block)
        made.define_method(:report_name) { name.to_sym }
        TABLE[name.to_sym] = made
      end

      def report(name) = TABLE[name.to_sym]
      def reports = TABLE.keys
    end
  end
end

module Plumb
  # A process that Ruby forks: its code runs here and now, and who waits for it finds it ended.
  module Forked
    ENDED = {}
    # Above all numbers of real processes.
    FIRST = 1 << 22

    def self.run
      number = FIRST + ENDED.size
      ENDED[number] = Ended.new(number, status_of { yield }, nil)
      number
    end

    def self.status_of
      yield
      0
    rescue SystemExit => left
      left.status
    rescue StandardError => error
      Puppet.err(error.message)
      1
    end

    module Waiting
      def wait(pid = -1, *)
        return super unless (ended = ENDED[pid])

        $plumb_status = ended
        pid
      end

      def waitpid(...) = wait(...)
      def wait2(pid = -1, *) = [wait(pid), $plumb_status]
      def waitpid2(...) = wait2(...)
    end
    Process.singleton_class.prepend(Waiting)
  end

  # What code prints: lines of the server's log, never its terminal.
  class PrintedLines
    def initialize(level)
      @level = level
      @rest = +''
    end

    def write(*texts)
      texts.each { |text| @rest << text.to_s }
      while (line = @rest.slice!(/\A.*\n/))
        Lines.add(@level, line.chomp, nil)
      end
      texts.sum { |text| text.to_s.bytesize }
    end

    def flush
      Lines.add(@level, @rest.slice!(0..), nil) unless @rest.empty?
      self
    end

    def <<(text) = write(text) && self
    def print(*texts) = write(*texts) && nil
    def printf(format, *values) = write(format(format, *values)) && nil
    def puts(*texts) = write(StringIO.new.tap { |io| io.puts(*texts) }.string) && nil
    def p(*values) = puts(*values.map(&:inspect))
    def sync = true
    def sync=(_given); end
    def tty? = false
    alias isatty tty?
    def fileno = 1
  end
end

$stdout = Plumb::PrintedLines.new(:info)
$stderr = Plumb::PrintedLines.new(:warning)

$LOADED_FEATURES.push(*%w[
  puppet/reports puppet/transaction puppet/transaction/report puppet/transaction/event puppet/util/log puppet/util/metric
  puppet/util/tagging puppet/util/tag_set puppet/util/psych_support puppet/network/format_support puppet/network/http_pool
  puppet/http puppet/resource/status puppet/resource/catalog puppet/indirector puppet/indirector/indirection puppet/indirector/errors
  puppet/indirector/request puppet/indirector/terminus puppet/indirector/plain puppet/indirector/code puppet/indirector/exec
  puppet/indirector/json puppet/indirector/yaml puppet/indirector/memory puppet/indirector/node/plain puppet/indirector/node/exec
  puppet/indirector/none puppet/indirector/rest puppet/indirector/catalog/compiler puppet/indirector/catalog/json
  puppet/indirector/catalog/yaml puppet/relationship puppet/util/docs puppet/run_mode puppet/ssl
].map { |name| "#{name}.rb" })
