# Transports of the Resource API: what their schemas say. On a node they connect, too (prelude-node/148_devices.rb).
$LOADED_FEATURES.push('puppet/resource_api/transport.rb')

module Puppet
  module ResourceApi
    # What a transport says of itself.
    class TransportSchemaDef
      attr_reader :definition, :attributes

      def initialize(definition)
        @definition = definition
        @attributes = definition[:connection_info]
        attributes.each do |name, each|
          raise DevError, "`#{self.name}.#{name}` must be a Hash, not a #{each.class}" unless each.is_a?(Hash)
          raise DevError, "`#{self.name}.#{name}` has no type" unless each.key?(:type)
        end
      end

      def name = definition[:name]
    end

    # Transports that modules describe.
    module Transport
      @environment = 'production'
      class << self
        attr_accessor :environment
      end

      module_function

      def register(schema)
        raise DevError, "requires a hash as schema, not `#{schema.class}`" unless schema.is_a?(Hash)
        raise DevError, 'requires a `:name`' unless schema.key?(:name)
        raise DevError, 'requires `:desc`' unless schema.key?(:desc)
        raise DevError, 'requires `:connection_info`' unless schema.key?(:connection_info)
        unless schema[:connection_info].is_a?(Hash)
          raise DevError, "`:connection_info` must be a hash, not `#{schema[:connection_info].class}`"
        end

        schema[:connection_info_order] ||= schema[:connection_info].keys
        order = schema[:connection_info_order]
        raise DevError, "`:connection_info_order` must be an array, not `#{order.class}`" unless order.is_a?(Array)
        if transports.key?(schema[:name])
          raise DevError, "Transport `#{schema[:name]}` is already registered for `#{Transport.environment}`"
        end

        transports[schema[:name]] = TransportSchemaDef.new(schema)
      end

      def list = transports.dup
      def transports = @transports ||= {}
    end

    module_function

    def register_transport(schema) = Transport.register(schema)
  end
end

module Plumb
  # The schemas of an environment's transports, as JSON.
  module Transports
    DEPTH = 16

    module_function

    # Files by the name that `require` knows them by. Puppet: puppet-resource_api, transport.rb, list_all_transports.
    def schemas(environment, load_path, files)
      Puppet::ResourceApi::Transport.environment = environment
      load_path.reverse_each { |path| $LOAD_PATH.unshift(path) }
      files.each { |name, path| load_one(name, path) }
      definitions = Puppet::ResourceApi::Transport.transports.values.map(&:definition)
      JSON.generate(definitions.map { |each| sorted(each) }, max_nesting: DEPTH + 8)
    end

    def load_one(name, path)
      Kernel.load(path)
    rescue StandardError, ScriptError => error
      raise Puppet::Error, "Could not autoload #{name}: #{error.message}"
    end

    # Data of JSON, its keys in order; a symbol is a text.
    def sorted(value, depth = 0)
      raise Puppet::Error, "A transport schema is nested more than #{DEPTH} levels deep" if depth > DEPTH

      case value
      when Hash then value.to_h { |key, each| [word(key), sorted(each, depth + 1)] }.sort.to_h
      when Array then value.map { |each| sorted(each, depth + 1) }
      when String, Symbol then text(value)
      when true, false, nil, Integer then value
      when Float
        raise Puppet::Error, "A transport schema contains the number #{value}, which JSON does not support" unless value.finite?

        value
      else raise Puppet::Error, "A transport schema contains a #{value.class}, which JSON does not support"
      end
    end

    def word(key)
      return text(key) if key.is_a?(String) || key.is_a?(Symbol)

      raise Puppet::Error, "A transport schema has a #{key.class} as a key"
    end

    def text(value)
      String.new(value.to_s).encode(Encoding::UTF_8, invalid: :replace, undef: :replace).scrub
    end
  end
end
