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
        Thread.handle_interrupt(Object => :never) do
          OUTPUT.write("null\n")
          IDLE.lock
          while (line = INPUT.gets)
            method, @call = line.split
            # Read before another thread may read its answer.
            @message = INPUT.gets
            IDLE.unlock
            Bridge.public_send(method)
          end
        end
      end

      # Returns the message of a call; within an exchange, the answer to its question, which starts with its number.
      def read
        return @message.force_encoding(Encoding::UTF_8) unless IDLE.owned?

        number, text = (INPUT.gets || exit!(1)).force_encoding(Encoding::UTF_8).split(' ', 2)
        exit!(1) unless number == @question
        text
      end

      # Sends the reply of a call; within an exchange, its question.
      def write(text)
        return OUTPUT.write("#{@question} #{text}\n") if IDLE.owned?

        exit!(1) if forked?
        IDLE.lock
        OUTPUT.write("#{@call} #{text}\n")
      end

      # Sends a question and reads its answer in the block, without an interruption.
      def exclusively
        raise IOError, 'A forked process cannot ask the host' if forked?

        Thread.handle_interrupt(Object => :never) do
          IDLE.synchronize do
            @question = "q#{@questions = (@questions || 0) + 1}"
            yield
          end
        end
      end

      def forked? = Process.pid != OWNER
    end
  end
end
