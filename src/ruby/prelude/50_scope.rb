# The scope of a manifest, as templates and functions see it. It lives with the host, by a number.
module Puppet
  module Parser
    module Files
      def self.find_template(name, _environment = nil) = name.start_with?('/') ? name : Plumb::Bridge.ask('find_file', 'templates', name)
      def self.find_file(name, _environment = nil) = name.start_with?('/') ? name : Plumb::Bridge.ask('find_file', 'files', name)
    end

    # Classes and types that code defines.
    class KnownResourceTypes
      def hostclass(name) = Plumb::Bridge.ask('class_known', name.to_s) ? Definition.new(name.to_s, :hostclass) : nil
      def find_hostclass(name) = hostclass(name)
      def definition(name) = Plumb::Bridge.ask('type_known', name.to_s) ? Definition.new(name.to_s, :definition) : nil
      def find_definition(name) = definition(name)
    end

    # A class or a type that is known by name only.
    Definition = Struct.new(:name, :type) do
      def to_s = name
      def module_name = name[/\A\w+/]
    end

    class Scope
      include Puppet::Util::Errors
      include Puppet::Util::Logging

      UNCAUGHT_THROW_EXCEPTION = UncaughtThrowError
      BUILT_IN_VARS = %w[module_name caller_module_name].freeze
      RESERVED = %w[trusted facts server_facts].freeze
      CACHE = {}

      attr_reader :id

      def self.of(id) = CACHE[id] ||= new(id)
      def self.top = of(0)
      def self.true?(value) = !(value == false || value == '' || value.nil? || value == :undef)

      # A number, of a text that says one.
      def self.number?(value)
        return value if value.is_a?(Numeric)
        return nil unless value.is_a?(String)

        Integer(value, exception: false) || Float(value, exception: false)
      end

      def initialize(id)
        @id = id
        @local = nil
      end

      def lookupvar(name, _options = {})
        name == 'facts' ? facts(caller_locations(1, 1)[0]) : variable(name)
      end

      def [](name, _options = {})
        name == 'facts' ? facts(caller_locations(1, 1)[0]) : variable(name)
      end

      # Ruby keeps what it set: it may change it in place, and what is no value of the language is seen by Ruby only.
      def setvar(name, value, _options = {})
        check_settable(name)
        raise Puppet::ParseError, "Cannot reassign variable '$#{name}'" unless settable?(name, value)

        Plumb::Bridge.ask('own_variable', @id, name, true)
        (@local ||= {})[name] = value
      end

      def []=(name, value)
        setvar(name, value)
      end

      def include?(name)
        return !@local[name].nil? if own?(name)

        found, value = Plumb::Bridge.ask('variable', @id, name.to_s)
        found == true && !value.nil?
      end

      def exist?(name)
        return true if own?(name)

        Plumb::Bridge.ask('variable', @id, name.to_s)[0] == true
      end
      alias bound? exist?

      def to_hash(_recursive = true, _include_undef = false)
        return NamedVariables.new(self) if Plumb::Templates.names_variables?(caller_locations(1, 1)[0])

        Plumb::Bridge.ask('variables', @id, nil).merge(@local || {})
      end

      # The part of `to_hash` with one variable; empty if the variable is undef or missing.
      def named_variable(name)
        return { name => @local[name] } if own?(name)

        name.is_a?(String) ? Plumb::Bridge.ask('variables', @id, [name]) : {}
      end

      # Parameters that resources of a type have here when nothing else is said.
      def lookupdefaults(type) = Plumb::Bridge.ask('defaults', @id, type.to_s).transform_keys(&:to_sym)

      def call_function(name, arguments = [], &block)
        Plumb::Bridge.ask('call', @id, name.to_s, [*arguments], *block)
      end

      def compiler = Compiler.new(self)
      def environment = Puppet::Node::Environment.current
      def catalog = Catalog.new(self)
      def known_resource_types = KnownResourceTypes.new
      def topscope = Scope.top
      def find_global_scope = Scope.top
      def source = Definition.new(told['namespace'], told['kind'].to_sym)
      def resource = told['resource'] && Puppet::Resource.new(told['resource'])
      def module_name = told['module']
      def namespaces = [told['namespace']]
      def tags = Plumb::Bridge.ask('tags', @id)
      def node = Puppet::Node.new(host)
      def host = lookupvar('trusted')['certname']
      def is_topscope? = @id.zero?
      def is_nodescope? = told['kind'] == 'node'
      def is_classscope? = told['kind'] == 'hostclass'
      def to_s = told['resource'] ? "Scope(#{told['resource']})" : 'Scope()'
      def inspect = "#<#{self.class}>"
      def findresource(type, title = nil) = catalog.resource(type, title)
      def find_hostclass(name) = known_resource_types.hostclass(name)
      def find_definition(name) = known_resource_types.definition(name)

      def method_missing(name, *arguments, &block)
        return super unless name.start_with?('function_')

        called = name.to_s.delete_prefix('function_')
        raise ArgumentError, Functions::NOT_AN_ARRAY unless arguments.size == 1 && arguments[0].is_a?(Array)

        Functions.defined_here?(called) ? public_send(name, *arguments, &block) : call_function(called, arguments[0], &block)
      end

      def respond_to_missing?(name, *) = name.start_with?('function_') || super

      private

      def variable(name)
        raise Puppet::ParseError, "Scope variable name #{name.inspect} is a #{name.class}, not a string" unless name.is_a?(String)
        return @local[name] if own?(name)

        found, value = Plumb::Bridge.ask('variable', @id, name)
        found == true ? value : variable_not_found(name, found)
      end

      # All facts, or those that code reads at a place.
      def facts(place)
        keys = Plumb::NamedFacts.keys_at(place)
        keys ? Plumb::Bridge.ask('variables', @id, [keys])['facts'] : variable('facts')
      end

      def settable?(name, value)
        Plumb::Bridge.ask('set_variable', @id, name, value)
      rescue Plumb::HostError
        true
      end

      # The host is told: what comes of it does not come of the host's variables alone.
      def own?(name)
        return false unless @local&.key?(name)

        Plumb::Bridge.ask('own_variable', @id, name, false)
        true
      end

      def check_settable(name)
        raise Puppet::ParseError, "Cannot assign to a numeric match result variable '$#{name}'" if name =~ /^[0-9]+$/
        raise Puppet::ParseError, "Scope variable name #{name.inspect} is a #{name.class}, not a string" unless name.is_a?(String)
        raise Puppet::ParseError, "Attempt to assign to a reserved variable name: '#{name}'" if RESERVED.include?(name)
      end

      # What the host tells of it: each time, for all who ask.
      def told = Plumb::Bridge.ask('scope', @id)

      # Puppet: parser/scope.rb; `catch(:undefined_variable)` is how modules ask without an error.
      def variable_not_found(name, reason)
        return nil if BUILT_IN_VARS.include?(name) || name.match?(/\A\d+\z/)

        begin
          throw :undefined_variable, reason
        rescue UncaughtThrowError
          # Without a class there is no name before the `::`.
          shown = name.include?('::') ? "#{'::' unless reason}#{name.delete_prefix('::')}" : name
          message = "Undefined variable '#{shown}'; #{reason}"
          case Puppet[:strict].to_s
          when 'error' then raise ArgumentError, message
          when 'warning' then Puppet.warning(message)
          end
          nil
        end
      end
    end

    # Replaces the hash of all variables in a template that only looks up names in it, so that the template reads only these
    # variables.
    class NamedVariables
      def initialize(scope) = @scope = scope
      def [](name) = @scope.named_variable(name)[name]
      def key?(name) = @scope.named_variable(name).key?(name)
      def fetch(name, *default, &block) = @scope.named_variable(name).fetch(name, *default, &block)
      def dig(name, *rest) = @scope.named_variable(name).dig(name, *rest)
      alias has_key? key?
      alias include? key?
      alias member? key?
    end

    # A resource on its way into the catalog, for `compiler.add_resource`.
    class Resource < Puppet::Resource
      Param = Struct.new(:name, :value, :source, :file, :line, keyword_init: true)
      attr_reader :scope, :source

      def initialize(type, title, scope: nil, source: nil, parameters: {}, **)
        given = parameters.is_a?(Hash) ? parameters : parameters.to_h { |each| [each.name, each.value] }
        super(type, title, parameters: given)
        @scope = scope
        @source = source
      end

      def set_parameter(name, value = nil)
        name, value = name.name, name.value if name.is_a?(Param)
        self[name] = value
      end
    end

    class Compiler
      def initialize(scope) = @scope = scope
      def environment = @scope.environment
      def catalog = @scope.catalog
      def topscope = Scope.top
      def node = @scope.node
      def resources = catalog.resources
      def findresource(*arguments) = @scope.findresource(*arguments)
      def known_resource_types = @scope.known_resource_types
      def evaluate_classes(classes, scope, _lazy = true) = scope.call_function('include', [classes.is_a?(Hash) ? classes.keys : classes])
      def add_resource(_scope, resource) = Plumb::Bridge.ask('call', @scope.id, 'create_resources', [resource.type, { resource.title => resource.to_hash.transform_keys(&:to_s) }])
    end

    class Catalog
      def initialize(scope) = @scope = scope
      def name = @scope.host
      def environment = @scope.environment.to_s
      def classes = Plumb::Bridge.ask('classes')
      def tags = Plumb::Bridge.ask('catalog_tags')
      def resources = Plumb::Bridge.ask('resources').map { |reference| Puppet::Resource.new(reference) }
      def resource_refs = Plumb::Bridge.ask('resources')
      def environment_instance = @scope.environment

      def resource(type, title = nil)
        type, title = Puppet::Resource.type_and_title(type.to_s) unless title || type.is_a?(Puppet::Resource)
        reference = type.is_a?(Puppet::Resource) ? type : Puppet::Resource.new(type.to_s, title&.to_s)
        Plumb::Bridge.ask('has_resource', reference.type, reference.title) ? reference : nil
      end
    end
  end
end
