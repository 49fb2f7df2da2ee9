require 'plumb_spec/results'

module PlumbSpec
  # A forked process that runs chunks of examples, as the process that started it sees it.
  class Worker
    attr_accessor :chunk, :current
    attr_reader :input, :last_heard, :status

    def self.now = Process.clock_gettime(Process::CLOCK_MONOTONIC)

    def initialize(groups)
      @input, output = IO.pipe(binmode: true)
      orders, @orders = IO.pipe(binmode: true)
      @pid = fork do
        [@input, @orders].each(&:close)
        WorkerProcess.new(groups, orders, output).run
      end
      [output, orders].each(&:close)
      @last_heard = self.class.now
    end

    def order(chunk) = Frames.write(@orders, chunk)
    def ended? = @input.closed?

    # Lets the process end after it has sent its coverage.
    def dismiss = @orders.close

    # Returns the next message; `[:ended]` after the last one, or if the message is damaged.
    def receive
      message = Frames.read(@input)
      @last_heard = self.class.now
      return message if message.is_a?(Array)

      kill
      [:ended]
    end

    def kill
      return if ended?

      Process.kill(:KILL, @pid)
    rescue Errno::ESRCH
      nil
    ensure
      close unless ended?
    end

    private

    def close
      @input.close
      @orders.close unless @orders.closed?
      _, status = Process.wait2(@pid)
      @status = status.signaled? ? "signal #{status.termsig}" : "exit status #{status.exitstatus}"
    rescue Errno::ECHILD
      @status = 'unknown status'
    end
  end

  # Messages between processes: a length and a value.
  module Frames
    # Limit for one message, which is a failure message at most.
    MOST_BYTES = 256 * 1024 * 1024

    def self.write(pipe, value)
      bytes = Marshal.dump(value)
      pipe.write([bytes.bytesize].pack('N'), bytes)
    end

    def self.read(pipe)
      size = pipe.read(4)&.unpack1('N')
      return nil if size.nil? || size > MOST_BYTES

      bytes = pipe.read(size)
      bytes&.bytesize == size ? Marshal.load(bytes) : nil # rubocop:disable Security/MarshalLoad
    rescue IOError, SystemCallError, TypeError, ArgumentError
      nil
    end
  end

  # The forked process.
  class WorkerProcess
    def initialize(groups, orders, output)
      @groups = groups
      @orders = orders
      @output = output
      @by_id = RSpec.world.all_example_groups.to_h { |group| [group.id, group] }
    end

    def run
      trap(:INT) { exit!(130) }
      end_with(Process.ppid)
      PlumbSpec.worker!
      RSpec.configuration.fail_fast = nil
      RSpec::Puppet::Coverage.instance = nil if defined?(RSpec::Puppet::Coverage)
      reporter = WorkerReporter.new(@output)
      RSpec.configuration.instance_variable_set(:@reporter, reporter)
      while (chunk = Frames.read(@orders))
        run_chunk(chunk, reporter)
        reporter.send_message(:done)
      end
      reporter.send_message(:coverage, RSpec::Puppet::Coverage.state) if defined?(RSpec::Puppet::Coverage)
    ensure
      $stdout.flush
      $stderr.flush
      exit!(0)
    end

    private

    # An example that never ends does not outlive the suite.
    def end_with(parent)
      Thread.new do
        sleep 1 while Process.ppid == parent
        exit!(1)
      end
    end

    # RSpec runs the examples that its filter lets through.
    def run_chunk(chunk, reporter)
      chosen = Hash.new { |hash, group| hash[group] = [] }
      chunk.each do |id, examples|
        group = @by_id.fetch(id)
        chosen[group] = group.examples.select { |each| examples.include?(each.id) }.sort_by { |each| examples.index(each.id) }
      end
      RSpec.world.instance_variable_set(:@filtered_examples, chosen)
      @by_id.each_value { |group| group.remove_instance_variable(:@descendant_filtered_examples) if group.instance_variable_defined?(:@descendant_filtered_examples) }
      tops = chosen.keys.map { |group| group.parent_groups.last }.uniq
      @groups.each { |group| group.run(reporter) if tops.include?(group) }
    end
  end

  # Sends what RSpec reports to the process that reports it to formatters.
  class WorkerReporter < RSpec::Core::NullReporter
    def initialize(output)
      @output = output
      @mutex = Mutex.new
    end

    def send_message(*message)
      @mutex.synchronize { Frames.write(@output, message) }
    rescue Errno::EPIPE
      exit!(1)
    end

    def example_started(example) = send_message(:started, example.id)
    def example_passed(example) = send_message(:result, example.id, Results.of(example, :passed))
    def example_failed(example) = send_message(:result, example.id, Results.of(example, :failed))
    def example_pending(example) = send_message(:result, example.id, Results.of(example, :pending))
    def message(text) = send_message(:message, text.to_s)
    def deprecation(hash) = send_message(:deprecation, hash.transform_values { |value| value.is_a?(String) ? value : value.to_s })
    def notify_non_example_exception(exception, context) = send_message(:error, Results.portable(exception), context)
    def fail_fast_limit_met? = false
    def method_missing(*) = nil
    def respond_to_missing?(*) = true
  end
end
