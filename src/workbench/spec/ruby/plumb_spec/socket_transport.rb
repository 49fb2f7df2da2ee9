require 'socket'

module PlumbSpec
  # The connection of this process to the compiler: a Unix socket.
  module Transport
    class << self
      # Sends a line, and returns the line that answers it.
      def exchange(line)
        socket.write("#{line}\n")
        @socket.gets || closed
      rescue SystemCallError, IOError
        closed
      end

      private

      # A forked process opens a connection of its own.
      def socket
        return @socket if @owner == Process.pid

        @owner = Process.pid
        @socket = UNIXSocket.new(PlumbSpec.config['socket'])
      end

      # The next request opens a new connection.
      def closed
        @owner = nil
        raise CompilerBug, 'the compiler has closed the connection'
      end
    end
  end
end
