require 'socket'

module PlumbSpec
  # An error of the compiler. Its message is the one that Puppet's compiler raises.
  class CompilerBug < StandardError; end

  # The connection of this process to the compiler, a request at a time: a line of JSON, and a line as the reply. Before the
  # reply, the compiler may ask for the value of a block.
  module Bridge
    class << self
      # Returns the value of an operation on inputs in JSON. Raises the error of the code.
      def ask(operation, inputs)
        send_line(%(["#{operation}",#{inputs}]))
        loop do
          reply = read
          return reply['ok'] if reply.key?('ok')
          raise_error(reply['error']) if reply.key?('error')

          send_line(run_block(reply))
        end
      end

      private

      # A forked process opens a connection of its own.
      def socket
        return @socket if @owner == Process.pid

        @owner = Process.pid
        @socket = UNIXSocket.new(PlumbSpec.config['socket'])
      end

      def send_line(text)
        socket.write("#{text}\n")
      rescue SystemCallError, IOError
        closed
      end

      def read
        line = @socket.gets
        closed if line.nil?

        Wire.parse(line)
      end

      # The next request opens a new connection.
      def closed
        @owner = nil
        raise CompilerBug, 'the compiler has closed the connection'
      end

      def run_block(call)
        block = Plumb::Values::HELD[call['block']] or raise CompilerBug, 'the compiler asked for an unknown block'
        arguments = Plumb::Values.in(call['args'])
        Wire.generate({ 'value' => Plumb::Values.out(block.call(*arguments)) })
      rescue StandardError => error
        Wire.generate({ 'error' => error.message })
      end

      def raise_error(error)
        case error['kind']
        when 'bug' then raise CompilerBug, error['message']
        when 'function' then raise FunctionErrors.exception(error)
        else raise Puppet::PreformattedError, error['message']
        end
      end
    end
  end

  # Exceptions of functions by the error of the compiler.
  module FunctionErrors
    def self.exception(error)
      name = error['class']
      kind = Object.const_defined?(name) ? Object.const_get(name) : Puppet::Error
      kind.new(error['message'])
    rescue ArgumentError, NameError
      Puppet::Error.new(error['message'])
    end
  end
end
