# Parameters and properties at work: what they say in logs, whether they are in sync, and how they are set.
module Puppet
  module Pops
    module Evaluator
      # Stands for a value that the host computes when the resource has its turn.
      class DeferredValue
      end
    end
  end

  module Util
    module Errors
      def devfail(message) = fail(DevError, message)

      def fail(*words)
        kind = words.first.is_a?(Class) ? words.shift : Puppet::Error
        cause = words.size > 1 ? words.pop : nil
        raise adderrorcontext(kind.new(words.join(' ')), cause)
      end

      # Where the resource was declared, for errors that tell places.
      def adderrorcontext(error, cause = nil)
        %i[file line].each do |name|
          next unless error.respond_to?("#{name}=") && respond_to?(name)

          error.public_send("#{name}=", public_send(name)) if error.public_send(name).nil? && public_send(name)
        end
        error.original ||= cause if error.respond_to?(:original=)
        error.set_backtrace(cause.backtrace) if cause.respond_to?(:backtrace) && cause.backtrace
        error
      end

      def exceptwrap(options = {})
        yield
      rescue Puppet::Error => error
        raise adderrorcontext(error)
      rescue StandardError => error
        message = options[:message] || "#{self.class} failed with error #{error.class}: #{error}"
        raise adderrorcontext((options[:type] || DevError).new(message), error)
      end
    end
  end

  # Values in log messages. Puppet: pops/types/string_converter.rb, with DEFAULT_PARAMETER_FORMAT.
  module Display
    ESCAPES = { "\t" => '\\t', "\n" => '\\n', "\r" => '\\r', '"' => '\\"', '$' => '\\$', '\\' => '\\\\' }.freeze

    module_function

    def of(value)
      case value
      when nil then ''
      when Float then Kernel.format('%f', value)
      when Regexp then value.source
      else element(value, 0)
      end
    end

    # Returns the text of a value within a list or hash of the given depth.
    def element(value, depth)
      case value
      when nil, :undef then 'undef'
      when :default then 'default'
      when true, false, Numeric then value.to_s
      when Array then list(value, depth)
      when Hash then table(value, depth)
      when Regexp then "/#{value.source}/"
      when Pops::Types::PSensitiveType::Sensitive then value.inspect
      else quoted(value.to_s)
      end
    end

    # A list or hash within a list begins a line, and a simple value ends this line.
    def list(values, depth)
      line = "\n#{'  ' * (depth + 1)}"
      texts = values.each_with_index.map do |each, at|
        text = element(each, depth + 1)
        nested = nested?(each)
        separator = at.zero? ? '' : ','
        next "#{separator}#{line}#{text}" if nested || (at.positive? && nested?(values[at - 1]))

        "#{separator}#{' ' unless at.zero?}#{text}"
      end
      "[#{texts.join}]"
    end

    def table(values, depth)
      space = '  ' * (depth + 1)
      lines = values.map { |key, each| "#{space}#{element(key, depth + 1)} => #{element(each, depth + 1)}" }
      "{\n#{lines.join(",\n")}\n#{'  ' * depth}}"
    end

    def nested?(value) = value.is_a?(Array) || value.is_a?(Hash)

    # Bytes without an encoding are displayed as code points, as by Puppet.
    def quoted(given)
      text = given.encoding == Encoding::BINARY ? given.codepoints.pack('U*') : given
      return "'#{text.gsub(/\\.|'/) { |found| found == "'" ? "\\'" : found }}'" unless text.match?(/[\0-\x1f]/)

      "\"#{text.gsub(/[\0-\x1f"$\\]/) { |found| ESCAPES[found] || Kernel.format('\\u{%X}', found.ord) }}\""
    end
  end

  class Parameter
    class << self
      def format_value_for_display(value) = Display.of(value)
    end

    def self.nodefault = public_method_defined?(:default) && undef_method(:default)

    def path = @path ||= "#{@resource.path}/#{name}"
    def pathbuilder = [@resource.pathbuilder, name]
    def log(message) = send_log(resource[:loglevel], message)
    def format(text, *values) = Kernel.format(text, *values.map { |value| @sensitive ? '[redacted]' : value.to_s })
    def line = @resource.line
    def file = @resource.file
    def version = @resource.version
    def remove = @resource = nil
    def noop = @noop || @resource.noop?
    def late? = @value.is_a?(Pops::Evaluator::DeferredValue)
    def unmunge(value) = value.is_a?(Pops::Evaluator::DeferredValue) ? value : unsafe_unmunge(value)
    def value=(value)
      validate(value)
      @value = munge(value)
    end

    def validate(value)
      unsafe_validate(value) unless value.is_a?(Pops::Evaluator::DeferredValue)
    rescue ArgumentError => error
      fail(Puppet::Error, error.to_s, error)
    rescue Puppet::Error, TypeError
      raise
    rescue StandardError => error
      raise DevError, "Validate method failed for class #{name}: #{error}", error.backtrace
    end

    def munge(value)
      value.is_a?(Pops::Evaluator::DeferredValue) ? value : unsafe_munge(value)
    rescue Puppet::Error => error
      Puppet.debug { "Reraising #{error}" }
      raise
    rescue StandardError => error
      raise DevError, "Munging failed for value #{value.inspect} in class #{name}: #{error}", error.backtrace
    end
  end

  class Property
    attr_reader :shouldorig
    attr_writer :noop

    class << self
      def newvalue(name, options = {}, &block)
        value = value_collection.newvalue(name, options, &block)
        return value if value.method.nil?

        if value.block
          define_method(value.method, &value.block)
        else
          alias_method(value.method, :call_provider) unless method_defined?(value.method)
        end
        value
      end
    end

    def call_provider(value)
      fail("#{self.class.name} cannot handle values of type #{value.inspect}") unless @resource.provider
      method = "#{name}="
      fail("The #{provider.class.name} provider can not handle attribute #{name}") unless provider.respond_to?(method)
      provider.public_send(method, value)
    end

    def is_to_s(value) = self.class.format_value_for_display(value)
    def should_to_s(value) = self.class.format_value_for_display(value)
    def idempotent? = self.class.idempotent
    def noop = @resource.noop?
    def late? = @should.is_a?(Array) && @should.any?(Pops::Evaluator::DeferredValue)
    def retrieve = provider.public_send(name)

    def should=(values)
      values = [values] unless values.is_a?(Array)
      @shouldorig = values
      values.each { |each| validate(each) }
      @should = values.map { |each| munge(each) }
    end

    def unsafe_validate(value)
      super
      needed = Array(self.class.value_option(self.class.value_name(value), :required_features))
      return if needed.empty? || provider.nil? || provider.class.satisfies?(needed)

      raise ArgumentError, "Provider #{provider.class.name} must have features '#{needed.join(', ')}' to set '#{name}' to '#{value}'"
    end

    # In sync

    def safe_insync?(is) = @should ? insync?(is) : true

    def insync?(is)
      devfail("#{self.class.name}'s should is not array") unless @should.is_a?(Array)
      return true if @should.empty?
      return @should.any? { |wanted| property_matches?(is, wanted) } unless match_all?

      is.is_a?(Array) && is.length == @should.length && (is == @should || is == @should.map(&:to_s))
    end

    def insync_values?(wanted, is)
      before = @should
      @should = wanted
      insync?(is)
    rescue StandardError
      Puppet.info("Unknown failure using insync_values? on type: #{resource.ref} / property: #{name} to compare values #{wanted} and #{is}")
      nil
    ensure
      @should = before
    end

    def property_matches?(current, desired) = current == desired || current == desired.to_s

    # Setting

    def sync
      devfail('Got a nil value for should') if should.nil? || should == false
      set(should)
    end

    def set(value)
      known = self.class.value_name(value)
      method = self.class.value_option(known, :method)
      return set_by(method, value) if method && respond_to?(method)

      block = self.class.value_option(known, :block)
      block ? instance_eval(&block) : call_provider(value)
    end

    def set_by(method, value)
      self.method(method).arity.zero? ? public_send(method) : public_send(method, value)
    rescue Puppet::Error
      raise
    rescue StandardError => error
      failure = ResourceError.new("Could not set '#{value}' on #{self.class.name}: #{error}", @resource.file, @resource.line, nil, error)
      failure.set_backtrace(error.backtrace)
      Puppet.log_exception(error, failure.message)
      raise failure
    end

    def change_to_s(current, wanted)
      return "defined '#{name}' as #{should_to_s(wanted)}" if current == :absent
      return "undefined '#{name}' from #{is_to_s(current)}" if [:absent, [:absent]].include?(wanted)

      "#{name} changed #{is_to_s(current)} to #{should_to_s(wanted)}"
    rescue Puppet::Error
      raise
    rescue StandardError => error
      message = "Could not convert change '#{name}' to string: #{error}"
      Puppet.log_exception(error, message)
      raise DevError, message, error.backtrace
    end

    def event_name
      wanted = should
      named = self.class.value_option(wanted, :event) and return named
      return :"#{name}_changed" unless name == :ensure

      :"#{resource.type}_#{{ present: 'created', absent: 'removed' }.fetch(wanted, 'changed')}"
    end

    class Ensure
      def self.defaultvalues
        newvalue(:present) do
          (@resource.provider.respond_to?(:create) ? @resource.provider : @resource).create
          nil
        end
        newvalue(:absent) do
          (@resource.provider.respond_to?(:destroy) ? @resource.provider : @resource).destroy
          nil
        end
        defaultto { @resource.managed? ? :present : nil }
      end

      defaultto { @resource.managed? ? :present : nil }

      def retrieve
        one = [@resource.provider, @resource].find { |each| each.respond_to?(:exists?) }
        raise DevError, "No ability to determine if #{@resource.class.name} exists" unless one

        one.exists? ? :present : :absent
      end

      def change_to_s(current, wanted)
        return 'created' if current == :absent || current.nil?
        return 'removed' if wanted == :absent

        "#{name} changed #{is_to_s(current)} to #{should_to_s(wanted)}"
      rescue Puppet::Error
        raise
      rescue StandardError => error
        raise DevError, "Could not convert change #{name} to string: #{error}", error.backtrace
      end
    end

    class List
      def is_to_s(current) = current == :absent ? super : current.join(delimiter)
      def add_should_with_current(wanted, current) = (current.is_a?(Array) ? wanted + current : wanted).uniq

      def should
        return nil unless @should

        dearrayify(inclusive? ? @should : add_should_with_current(@should, retrieve))
      end

      def retrieve
        value = provider&.public_send(name)
        return :absent if !value || value == :absent

        value.is_a?(Array) ? value : value.split(delimiter)
      end

      def prepare_is_for_comparison(is) = dearrayify(is == :absent ? [] : is)
      def insync?(is) = is ? prepare_is_for_comparison(is) == should : true
    end

    class KeyValue
      self.log_only_changed_or_new_keys = false

      def hash_to_key_value_s(hash)
        hash = hash.slice(*@changed_or_new_keys) if self.class.log_only_changed_or_new_keys
        hash.map { |pair| pair.join(separator) }.join(delimiter)
      end

      def should_to_s(value) = hash_to_key_value_s(value)
      def is_to_s(value) = hash_to_key_value_s(value)

      def hashify_should
        return @should.first if @should.first.is_a?(Hash)

        @should.to_h do |pair|
          key, value = pair.split(separator)
          [key.strip.to_sym, value]
        end
      end

      def process_current_hash(current)
        return {} if current == :absent

        inclusive? ? current.transform_values { nil } : current
      end

      def should
        return nil unless @should

        current = process_current_hash(retrieve)
        wanted = current.merge(hashify_should)
        @changed_or_new_keys ||= wanted.keys.reject { |key| current.key?(key) && current[key] == wanted[key] }
        wanted
      end

      def retrieve
        value = provider&.public_send(name)
        value && value != :absent ? value : :absent
      end

      def insync?(is) = is ? is == should : true

      validate do |value|
        next if value.is_a?(Hash)
        raise ArgumentError, "The #{name} property must be specified as a hash or an array of key/value pairs (strings)!" unless value.is_a?(String)
        raise ArgumentError, "Key/value pairs must be separated by '#{separator}'" unless value.include?(separator)
      end

      munge do |value|
        value.is_a?(String) ? value : value.to_h { |key, each| [key.to_s.strip.to_sym, each.to_s] }
      end
    end
  end
end
