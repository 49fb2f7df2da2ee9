# The pipes through which an installed Ruby and the host exchange messages, each a line.
module Plumb
  module Channel
    INPUT, OUTPUT = HOST_PIPES
    # Held while the host waits for nothing: a thread of module code asks the host only during a call.
    IDLE = Mutex.new
    OWNER = Process.pid

    class << self
      # Runs the calls of the host until it closes its pipe. An exception from another thread, such as a time limit, arrives
      # only in the code of a call.
      def serve
        Thread.handle_interrupt(Exception => :never) do
          write('null')
          while (method = INPUT.gets)
            IDLE.unlock
            Bridge.public_send(method.chomp)
          end
        end
      end

      def read = (INPUT.gets || exit!(1)).force_encoding(Encoding::UTF_8)

      # Ends a question and an answer, or a call.
      def write(text)
        exit!(1) unless Process.pid == OWNER
        IDLE.lock unless IDLE.owned?
        OUTPUT.write("#{text}\n")
      end

      # Sends a question, and returns the block's value after the answer has arrived.
      def exclusively
        raise IOError, 'A forked process cannot ask the host' unless Process.pid == OWNER

        Thread.handle_interrupt(Exception => :never) do
          IDLE.synchronize { yield }
        end
      end
    end
  end
end
