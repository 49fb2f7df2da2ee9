require 'plumb_spec/chunk_runner'

module PlumbSpec
  # A forked process that runs chunks of examples, as the process that started it sees it.
  class Worker
    attr_accessor :chunk, :current
    attr_reader :input, :last_heard, :status

    # Waits for messages at most this number of seconds. Returns the workers that sent one; nil if none did.
    def self.ready(workers, seconds)
      inputs, = IO.select(workers.map(&:input), nil, nil, seconds)
      inputs && workers.select { |worker| inputs.include?(worker.input) }
    end

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
      @orders = orders
      @output = output
      @runner = ChunkRunner.new(groups) { |message| send_message(message) }
    end

    def run
      trap(:INT) { exit!(130) }
      end_with(Process.ppid)
      while (chunk = Frames.read(@orders))
        @runner.run(chunk)
      end
      @runner.finish
    ensure
      $stdout.flush
      $stderr.flush
      exit!(0)
    end

    private

    def send_message(message)
      Frames.write(@output, message)
    rescue Errno::EPIPE
      exit!(1)
    end

    # An example that never ends does not outlive the suite.
    def end_with(parent)
      Thread.new do
        sleep 1 while Process.ppid == parent
        exit!(1)
      end
    end
  end
end
