module PlumbSpec
  # An error of the compiler. Its message is the one that Puppet's compiler raises.
  class CompilerBug < StandardError; end

  # Requests to the compiler, one at a time: a line of JSON, and a line as the reply. Before the reply, the compiler may ask
  # for the value of a block. Lines pass through `Transport`: a socket (socket_transport.rb), or the host of the built-in Ruby
  # (built_in/host_transport.rb).
  module Bridge
    class << self
      # Returns the value of an operation on inputs in JSON. Raises the error of the code.
      def ask(operation, inputs)
        line = %(["#{operation}",#{inputs}])
        loop do
          reply = Wire.parse(Transport.exchange(line))
          return reply['ok'] if reply.key?('ok')
          raise_error(reply['error']) if reply.key?('error')

          line = run_block(reply)
        end
      end

      private

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
