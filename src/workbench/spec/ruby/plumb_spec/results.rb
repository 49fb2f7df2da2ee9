module PlumbSpec
  # Results of examples as data, for another process.
  module Results
    FIELDS = %i[started_at finished_at run_time pending_message pending_fixed].freeze

    # An exception of a class that only the other process has, or with values that cannot be copied.
    class RemoteError < StandardError
      attr_reader :class_name

      def initialize(class_name, message, backtrace)
        super(message)
        @class_name = class_name
        set_backtrace(backtrace)
      end

      # Formatters print the name of the class.
      def class = NamedClass.of(@class_name)
    end

    # Stands for a class by its name.
    class NamedClass
      attr_reader :name
      alias to_s name
      alias inspect name

      def self.of(name) = (@known ||= {})[name] ||= new(name)

      def initialize(name)
        @name = name
      end

      def ancestors = RemoteError.ancestors
      def ===(other) = other.is_a?(RemoteError)
    end

    class << self
      def of(example, status)
        result = example.execution_result
        {
          **FIELDS.to_h { |name| [name, result.public_send(name)] },
          status: status, exception: portable(result.exception), pending_exception: portable(result.pending_exception),
          description: example.metadata[:description], full_description: example.metadata[:full_description]
        }
      end

      # The result of an example whose process has ended.
      def failure(exception, example)
        now = RSpec::Core::Time.now
        exception.set_backtrace(["#{example.location}:in `example'"])
        { status: :failed, started_at: now, finished_at: now, run_time: 0.0, exception: exception, description: example.metadata[:description], full_description: example.metadata[:full_description] }
      end

      def restore(example, result)
        FIELDS.each { |name| example.execution_result.public_send(:"#{name}=", result[name]) }
        example.execution_result.status = result[:status]
        example.execution_result.exception = result[:exception]
        example.execution_result.pending_exception = result[:pending_exception]
        example.instance_variable_set(:@exception, result[:exception])
        example.metadata[:description] = result[:description]
        example.metadata[:full_description] = result[:full_description]
      end

      # An exception that Marshal can copy.
      def portable(exception)
        return nil if exception.nil?

        Marshal.load(Marshal.dump(exception)) && exception # rubocop:disable Security/MarshalLoad
      rescue StandardError
        RemoteError.new(exception.class.to_s, exception.message, exception.backtrace || [])
      end
    end
  end
end
