# Nodes and facts, as termini make them: Puppet's node.rb and node/facts.rb.
module Puppet
  class Node
    class Environment
      attr_reader :name

      def self.named(name) = name.is_a?(self) ? name : new((name || Puppet[:environment]).to_sym)
      def self.create(name, *) = new(name.to_sym)
      def self.remote(name) = new(name.to_sym)
      def self.current = named(Plumb::PlugIns.current_environment)

      def initialize(name) = @name = name
      def to_s = @name.to_s
      alias to_sym name
      def ==(other) = other.is_a?(Environment) && @name == other.name
      alias eql? ==
      def hash = @name.hash
    end

    remove_const(:Facts)
    class Facts; end
    ENVIRONMENT = 'environment'

    include Util::PsychSupport
    include Network::FormatSupport
    attr_accessor :name, :classes, :source, :ipaddress, :parameters, :trusted_data, :environment_name
    attr_reader :time, :facts

    def self.from_data_hash(data) = allocate.tap { |made| made.initialize_from_hash(data) }

    def initialize(name, options = {})
      raise ArgumentError, 'Node names cannot be nil' unless name

      @name = name
      @classes = [*options[:classes]] unless options[:classes].is_a?(Hash)
      @classes ||= options[:classes]
      @parameters = options[:parameters] || {}
      @facts = options[:facts]
      self.environment = options[:environment] if options[:environment]
      @time = Time.now
    end

    def initialize_from_hash(data)
      @name = data['name'] || raise(ArgumentError, 'No name provided in serialized data')
      @classes = data['classes'] || []
      @parameters = data['parameters'] || {}
      named = data['environment'] || @parameters[ENVIRONMENT]
      self.environment = named if named
    end

    # What the terminus said, or else what was asked for.
    def environment = Environment.named(chosen_environment || Plumb::PlugIns.current_environment)
    def chosen_environment = @environment_name || @parameters[ENVIRONMENT]
    def has_environment_instance? = !@environment_name.nil?

    def environment=(given)
      @environment_name = given&.to_s&.to_sym
      @parameters[ENVIRONMENT] = given.to_s if given
    end

    # Facts become parameters; none of them is the environment.
    def fact_merge(facts = nil)
      @facts = facts || Facts.indirection.find(name)
      return if @facts.nil?

      @facts.sanitize
      merge(@facts.values.except(ENVIRONMENT))
    end

    def merge(given)
      given.each do |name, value|
        next @parameters[name] = value unless @parameters.key?(name)

        Puppet.warn_once(:parameter, "#{@name} #{name}", "The node parameter '#{name}' for node '#{@name}' was already set to " \
                                                         "'#{@parameters[name]}'. It could not be set to '#{value}'")
      end
    end

    def add_extra_facts(given)
      @facts.add_extra_values(given)
      @parameters.merge!(given)
      nil
    end

    def names = [name]
    def split_name(name) = name.split('.').then { |parts| parts.each_index.map { |at| parts[0..at].join('.') }.reverse }

    def to_data_hash
      given = @parameters.except(ENVIRONMENT)
      { 'name' => name, 'environment' => environment.to_s, **(classes.empty? ? {} : { 'classes' => classes }),
        **(given.empty? ? {} : { 'parameters' => given }) }
    end

    # What is said of it to the host, which knows its facts: those that were merged are left out.
    def classification
      known = @facts&.values || {}
      given = @parameters.except(ENVIRONMENT).reject { |name, value| known.key?(name) && known[name].equal?(value) }
      { 'classes' => classes, 'parameters' => given }.merge(chosen_environment ? { 'environment' => chosen_environment.to_s } : {})
    end

    class Facts
      include Util::PsychSupport
      include Network::FormatSupport
      attr_accessor :name, :timestamp, :expiration
      attr_writer :values

      def self.from_data_hash(data) = allocate.tap { |made| made.initialize_from_hash(data) }
      # Facts that are text until somebody wants one.
      def self.from_text(name, text) = new(name, nil).tap { |made| made.text = text }

      def initialize(name, values = {})
        @name = name
        @values = values
        add_timestamp
      end

      def initialize_from_hash(data)
        @name = data['name']
        @values = data['values'] || {}
        @timestamp = Plumb::WireTime.of(@values.delete('_timestamp') || data['timestamp'])
        @expiration = Plumb::WireTime.of(data['expiration'])
      end

      attr_writer :text

      def values = @values ||= ::JSON.parse(@text, max_nesting: false)
      def [](name) = values[name]
      def add_timestamp = @timestamp = Time.now
      def add_extra_values(given) = values.merge!(given) && nil
      def sanitize = values.transform_values! { |each| sanitized(each) }
      def ==(other) = other.is_a?(Facts) && name == other.name && values == other.values

      def add_local_facts
        values['clientcert'] = Puppet[:certname]
        values['clientversion'] = Puppet.version
        values['clientnoop'] = Puppet[:noop]
      end

      def to_data_hash
        times = { 'timestamp' => @timestamp, 'expiration' => @expiration }.compact
        { 'name' => name, 'values' => values, **times.transform_values { |each| each.is_a?(Time) ? each.iso8601(9) : each } }
      end

      private

      def sanitized(fact)
        case fact
        when Hash then fact.to_h { |name, value| [sanitized(name), sanitized(value)] }
        when Array then fact.map { |each| sanitized(each) }
        when Numeric, true, false, String then fact
        else fact.to_s
        end
      end
    end
  end

  # Any environment may be named here: the host looks whether it is there.
  module Environments
    def self.get(name) = Node::Environment.named(name)
    def self.get!(name) = get(name)
    def self.list = [Node::Environment.current]
  end
end
