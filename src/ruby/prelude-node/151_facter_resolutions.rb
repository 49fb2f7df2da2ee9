# Facts that are added: each has ways to find it out, and the heaviest that fits and gives a value counts.
module Facter
  module Util
    class Fact
      attr_reader :name, :options, :location, :used_resolution_weight
      attr_accessor :ldapname

      def initialize(name, options = {})
        @name = name.to_s.downcase.to_sym
        @options = options.dup
        @ldapname = options.delete(:ldapname) || @name.to_s
        @resolves = []
        @used_resolution_weight = 0
      end

      def add(options = {}, &block)
        @options = @options.merge(options)
        @location = options[:file] || block&.source_location
        define_resolution(nil, options, &block)
      end

      def define_resolution(name, options = {}, &block)
        options = options.dup
        options.delete(:ldapname)
        resolution = named(name, options.delete(:type) || :simple)
        resolution.options(options) unless options.empty?
        resolution.evaluate(&block) if block
        resolution
      rescue StandardError => error
        Facter.tell('error', "Unable to add resolve #{name.inspect} for fact #{@name}: #{error.message}", 'Facter::Util::Fact')
        nil
      end

      def resolution(name) = name.nil? ? nil : @resolves.find { |each| each.name == name }

      def flush
        @resolves.each(&:flush)
        @value = nil
      end

      def value
        return @value unless @value.nil?
        return nil if @resolves.empty?
        raise "Caught recursion on #{@name}" if @searching

        @searching = true
        begin
          started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
          @value = found(by_weight(@resolves.select(&:suitable?)))
          Plumb::Facts.durations[@name.to_s] = Process.clock_gettime(Process::CLOCK_MONOTONIC) - started
          @value = with_core(@value)
        ensure
          @searching = false
        end
      end

      private

      # Of the same weight, those of files come first, then the one that was added first.
      def by_weight(resolutions)
        resolutions.each_with_index.sort_by { |each, at| [-each.weight, each.fact_type == :external ? 0 : 1, at] }.map(&:first)
      end

      def found(resolutions)
        Facter.debug("Found no suitable resolves of #{@resolves.length} for #{@name}") if resolutions.empty?
        resolutions.each do |each|
          value = each.value
          @used_resolution_weight = each.weight
          return value unless value.nil?
        end
        nil
      rescue ResolveCustomFactError
        nil
      end

      # A core fact of the same name wins over what has no weight.
      def with_core(value)
        return value unless value.nil? || @used_resolution_weight <= 0

        core = Plumb::Facts.core_value(@name.to_s)
        core.nil? ? value : core
      end

      def named(name, type)
        found = resolution(name)
        if found && type != found.resolution_type
          raise ArgumentError, "Cannot return resolution #{name} with type #{type}; already defined as #{found.resolution_type}"
        end
        return found if found

        kind = { simple: Resolution, aggregate: Core::Aggregate }[type]
        raise ArgumentError, "Expected resolution type to be one of (:simple, :aggregate) but was #{type}" unless kind

        @resolves << kind.new(name, self)
        @resolves.last
      end
    end
  end
end

module LegacyFacter
  module Core
    # A way to find a fact out, with a limit of its time.
    module Resolvable
      attr_accessor :timeout

      def limit = @timeout || 0
      def on_flush(&block) = @on_flush = block
      def flush = @on_flush&.call

      def value
        result = Timeout.timeout(limit) { resolve_value }
        Util::Normalization.normalize(result)
      rescue Timeout::Error => error
        Facter.log_exception(error, "Timed out after #{limit} seconds while resolving #{qualified_name}")
      rescue Util::Normalization::NormalizationError => error
        Facter.log_exception(error, "Fact resolution #{qualified_name} resolved to an invalid value: #{error.message}")
      rescue StandardError => error
        Facter.log_exception(error, "Error while resolving custom fact #{qualified_name}: #{error.message}")
        raise Facter::ResolveCustomFactError
      end

      private

      def qualified_name = "fact='#{@fact.name}', resolution='#{@name || '<anonymous>'}'"
    end

    # The conditions of a way.
    module Suitable
      def has_weight(weight)
        @weight = weight
        self
      end

      def confine(given = nil, &block)
        if given.is_a?(Hash)
          given.each { |fact, values| @confines << Util::Confine.new(fact, *values) }
        elsif block
          @confines << Util::Confine.new(*given, &block)
        end
      end

      def weight = @weight || @confines.length
      def suitable? = @confines.all?(&:true?)
    end
  end

  module Util
    class Confine
      attr_accessor :fact, :values

      def initialize(fact = nil, *values, &block)
        raise ArgumentError, 'The fact name must be provided' unless fact || block
        raise ArgumentError, 'One or more values or a block must be provided' if values.empty? && !block

        @fact = fact
        @values = values
        @block = block
      end

      def to_s = @block ? @block.to_s : "'#{@fact}' '#{@values.join(',')}'"

      def true?
        return asked unless @fact

        found = Facter[@fact]
        Facter.debug("No fact for #{@fact}") unless found
        value = comparable(found&.value)
        return false if value.nil?

        @block ? asked(value) : @values.any? { |each| comparable(each) === value }
      end

      private

      def asked(*value)
        @block.call(*value) ? true : false
      rescue StandardError => error
        Facter.debug("Confine raised #{error.class} #{error}")
        false
      end

      def comparable(value)
        value = value.to_s if value.is_a?(Symbol)
        value.is_a?(String) ? value.downcase : value
      end
    end

    # Values as they can travel: text in UTF-8, numbers, lists and hashes.
    module Normalization
      class NormalizationError < StandardError; end

      VALID_TYPES = [Integer, Float, TrueClass, FalseClass, NilClass, Symbol, String, Array, Hash, Date, Time].freeze

      module_function

      def normalize(value)
        case value
        when Integer, Float, true, false, nil, Symbol then value
        when Date, Time then value.iso8601
        when String then normalize_string(value)
        when Array then value.map { |each| normalize(each) }
        when Hash then value.to_h { |key, each| [normalize(key), normalize(each)] }
        else raise NormalizationError, "Expected #{value} to be one of #{VALID_TYPES.inspect}, but was #{value.class}"
        end
      end

      def normalize_string(value)
        # Facter refuses binary strings that are UTF-8; our own functions return some.
        binary = value.encoding == Encoding::BINARY
        text = binary ? value.dup.force_encoding(Encoding::UTF_8) : value.encode(Encoding::UTF_8)
        return text if text.valid_encoding?
        raise EncodingError if binary

        raise NormalizationError, "String #{value.inspect} doesn't match the reported encoding #{value.encoding}"
      rescue EncodingError
        raise NormalizationError, "String encoding #{value.encoding} is not UTF-8 and could not be converted to UTF-8"
      end
    end

    module Values
      class DeepFreezeError < StandardError; end
      class DeepMergeError < StandardError; end

      module_function

      def deep_freeze(value)
        case value
        when Numeric, Symbol, true, false, nil then value
        when String then value.dup.freeze
        when Array then value.map { |each| deep_freeze(each) }.freeze
        when Hash then value.to_h { |key, each| [deep_freeze(key), deep_freeze(each)] }.freeze
        else raise DeepFreezeError, "Cannot deep freeze #{value}:#{value.class}"
        end
      end

      def deep_merge(left, right, path = [])
        if left.is_a?(Hash) && right.is_a?(Hash)
          left.merge(right) { |key, one, other| deep_merge(one, other, [*path, key]) }
        elsif left.is_a?(Array) && right.is_a?(Array) then left + right
        elsif right.nil? then left
        elsif left.nil? then right
        else
          place = path.empty? ? '' : " at root#{path.map { |part| "[#{part.inspect}]" }.join}"
          raise DeepMergeError, "Cannot merge #{left.inspect}:#{left.class} and #{right.inspect}:#{right.class}#{place}"
        end
      end
    end
  end
end

module Facter
  module Util
    # Code, a command or a value.
    class Resolution
      include LegacyFacter::Core::Resolvable
      include LegacyFacter::Core::Suitable
      attr_accessor :code, :fact_type, :name
      attr_reader :fact, :file, :last_evaluated
      attr_writer :value

      def initialize(name, fact)
        @name = name
        @fact = fact
        @confines = []
        @timeout = 0
      end

      def resolution_type = :simple

      def evaluate(&block)
        if @last_evaluated
          Facter.tell('warn', "Already evaluated #{@name} at #{@last_evaluated}, reevaluating anyways", 'Facter::Util::Resolution')
        end
        instance_eval(&block)
        @last_evaluated = block.source_location&.join(':') || true
      end

      def options(options)
        known = %i[name value timeout weight fact_type file is_env]
        options.slice(*known).each { |name, value| instance_variable_set("@#{name}", value) }
        unknown = options.keys - known
        raise ArgumentError, "Invalid resolution options #{unknown.inspect}" unless unknown.empty?
      end

      def setcode(command = nil, &block)
        raise ArgumentError, 'You must pass either code or a block' unless command || block

        @code = command ? proc { Core::Execution.execute(command, on_fail: nil).then { |text| text.to_s.empty? ? nil : text } } : block
        self
      end

      def <=>(other)
        weight <=> other.weight
      end

      private

      def resolve_value = @value.nil? ? @code&.call : @value
    end
  end

  module Core
    # Parts that are found out one after the other, and put together.
    class Aggregate
      class DependencyError < StandardError; end

      include LegacyFacter::Core::Resolvable
      include LegacyFacter::Core::Suitable
      attr_reader :name, :fact, :fact_type, :confines, :deps, :last_evaluated

      def initialize(name, fact)
        @name = name
        @fact = fact
        @confines = []
        @chunks = {}
        @deps = {}
      end

      def resolution_type = :aggregate
      def evaluate(&block) = instance_eval(&block)

      def <=>(other)
        weight <=> other.weight
      end

      def options(options)
        known = %i[name timeout weight fact_type]
        options.slice(*known).each { |name, value| instance_variable_set("@#{name}", value) }
        unknown = options.keys - known
        raise ArgumentError, "Invalid aggregate options #{unknown.inspect}" unless unknown.empty?
      end

      def chunk(name, options = {}, &block)
        raise ArgumentError, "#{self.class.name}#chunk requires a block" unless block
        raise ArgumentError, "#{self.class.name}#expected chunk name to be a Symbol" unless name.is_a?(Symbol)

        unknown = options.reject { |key, _| key == :require }
        raise ArgumentError, "Unexpected options passed to #{self.class.name}#chunk: #{unknown.keys.inspect}" unless unknown.empty?

        @deps[name] = Array(options[:require])
        @chunks[name] = block
        self
      end

      def aggregate(&block)
        raise ArgumentError, "#{self.class.name}#aggregate requires a block" unless block

        @aggregate = block
        self
      end

      private

      def resolve_value
        results = {}
        order.each do |name|
          given = @deps[name].map { |each| results[each] }
          results[name] = LegacyFacter::Util::Values.deep_freeze(@chunks[name].call(*given))
        end
        @aggregate ? @aggregate.call(results) : merged(results)
      end

      def merged(results)
        results.values.inject { |all, each| LegacyFacter::Util::Values.deep_merge(all, each) }
      rescue LegacyFacter::Util::Values::DeepMergeError => error
        raise ArgumentError, "Could not deep merge all chunks (Original error: #{error.message}), ensure that chunks return either " \
                             'an Array or Hash or override the aggregate block'
      end

      # Each after those that it requires.
      def order
        missing = @deps.values.flatten - @deps.keys
        raise DependencyError, "Cannot sort elements; cannot depend on missing elements #{missing}" unless missing.empty?

        parts = TSort.strongly_connected_components(@deps.method(:each_key), ->(name, &block) { @deps[name].each(&block) })
        cycles = parts.select { |part| part.size > 1 }
        raise DependencyError, "Could not order chunks; found the following dependency cycles: #{cycles.inspect}" unless cycles.empty?

        parts.flatten
      end
    end
  end
end
