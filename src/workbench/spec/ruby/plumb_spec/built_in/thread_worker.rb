require 'plumb_spec/chunk_runner'

module PlumbSpec
  # Another thread with a copy of this Ruby, which runs chunks of examples.
  class Worker
    attr_accessor :chunk, :current
    attr_reader :id, :last_heard, :status

    # Waits for a message at most this number of seconds. Returns the workers that sent one; nil if none did.
    def self.ready(workers, seconds)
      id, text, status = Plumb::Node.ask_machine('worker_message', seconds)
      return nil if id.nil?

      workers.select { |each| each.id == id }.each { |worker| worker.hear(text, status) }
    end

    def self.now = Process.clock_gettime(Process::CLOCK_MONOTONIC)

    def initialize(_groups)
      @id = Plumb::Node.ask_machine('worker_start')
      @last_heard = self.class.now
    end

    def order(chunk) = Plumb::Node.ask_machine('worker_order', @id, Messages.pack(chunk))
    def ended? = @ended == true

    # Lets the thread end after it has sent its coverage.
    def dismiss = Plumb::Node.ask_machine('worker_dismiss', @id)

    # Takes a message; without text, the thread has ended.
    def hear(text, status)
      @last_heard = self.class.now
      @message = text && Messages.unpack(text)
      @ended = text.nil?
      @status = status
    end

    def receive = @message || [:ended]

    def kill
      return if ended?

      @ended = true
      Plumb::Node.ask_machine('worker_kill', @id)
    end
  end

  # Messages between threads: text that the host passes on.
  module Messages
    def self.pack(value) = [Marshal.dump(value)].pack('m0')
    def self.unpack(text) = Marshal.load(text.unpack1('m')) # rubocop:disable Security/MarshalLoad
  end
end
