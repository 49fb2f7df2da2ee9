# Parts of Puppet's and Facter's Ruby API that only suites use.
module Puppet
  class << self
    # Settings that an example changed are reset before the next one.
    def reset_settings = @overridden.clear
    def initialize_settings(*) = nil
    def runtime = { facter: Facter }
    def override(*) = yield
  end

  module Test
    # Log messages of an example.
    class LogCollector
      def initialize(logs)
        @logs = logs
      end

      def <<(message)
        @logs << message
        self
      end
    end

    module TestHelper
      %i[initialize before_all_tests after_all_tests before_each_test after_each_test].each { |name| define_singleton_method(name) { |*| nil } }
    end
  end

  module Util
    module Platform
      class << self
        def windows? = @pretended == :windows
        def actually_windows? = false
        def actual_platform = :posix
        def pretend_to_be(platform) = @pretended = platform
        def pretend_platform = @pretended
        def pretend_windows? = windows?
        def pretending? = !@pretended.nil?
      end
    end
  end
end

autoload :OpenURI, 'open-uri'

module Puppet
  class Resource
    # With the name, as Puppet shows it in messages and in descriptions of examples.
    def inspect
      names = builtin_type? ? PlumbSpec.config['types'].dig(@type.downcase, 'namevars') : nil
      "#{ref}#{{ (names&.first || 'name').to_sym => @title }.merge(to_hash).inspect}"
    end

    class Catalog
      class DuplicateResourceError < Puppet::Error; end
    end
  end

  module Parser
    class Scope
      # One object for each scope, which examples can change.
      alias plumb_source source
      def source = @source ||= plumb_source
    end

    class Compiler
      # Finds functions by name, as Puppet's loaders do.
      Loaders = Struct.new(:compiler) do
        def private_environment_loader = self
        alias_method :puppet_system_loader, :private_environment_loader
        alias_method :public_environment_loader, :private_environment_loader
        def load(kind, name) = kind == :function ? PlumbSpec::Compilation.current.function(name.to_s) : nil
      end

      def loaders = Loaders.new(self)
    end

    class Catalog
      alias plumb_resource resource

      # The resource with its parameters.
      def resource(type, title = nil)
        found = plumb_resource(type, title) or return nil
        given = Plumb::Bridge.ask('parameters', found.type, found.title) || {}
        Puppet::Resource.new(found.type, found.title, parameters: given.transform_keys(&:to_sym))
      end
    end
  end
end

module PlumbSpec
  # Facts of the current example come before facts that Ruby code defines.
  module FactsOfExample
    def value(name)
      found = name.to_s.split('.').reduce(PlumbSpec.facts) { |value, key| value.is_a?(Hash) ? value[key] : nil }
      found.nil? ? super : found
    end

    def [](name) = PlumbSpec.facts.key?(name.to_s) ? Struct.new(:value).new(PlumbSpec.facts[name.to_s]) : super
    def to_hash = PlumbSpec.facts
  end
  # Facts of the machine are no part of an example.
  Plumb::Facts.begin({})
  Facter.singleton_class.prepend(FactsOfExample)
end
