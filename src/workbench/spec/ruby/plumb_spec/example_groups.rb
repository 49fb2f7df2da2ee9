module RSpec
  module Puppet
    # Groups whose catalog belongs to the type of the group.
    { ClassExampleGroup: :class, DefineExampleGroup: :define, HostExampleGroup: :host }.each do |name, type|
      const_set(name, Module.new do
        include ManifestMatchers
        include Support

        define_method(:catalogue) { @catalogue ||= load_catalogue(type) }
        define_method(:exported_resources) { -> { load_catalogue(type, true) } }
        define_method(:rspec_puppet_cleanup) { @catalogue = nil }
      end)
    end

    module TypeAliasExampleGroup
      include TypeAliasMatchers
      include Support

      def catalogue(test_value) = load_catalogue(:type_alias, false, test_value: test_value)
      def subject = ->(test_value) { catalogue(test_value) }
    end

    module TypeExampleGroup
      include TypeMatchers
      include Support

      def subject
        PlumbSpec.facts = facts_hash(nodename(:type))
        @type_and_resource ||= begin
          name = self.class.top_level_description.downcase
          [::Puppet::Type.type(name), title, respond_to?(:params) ? params : {}]
        end
      end

      def rspec_puppet_cleanup = @type_and_resource = nil
    end

    module ProviderExampleGroup
    end

    # Functions are called in one compilation for each example; the catalog contains their effects.
    module FunctionExampleGroup
      include FunctionMatchers
      include ManifestMatchers
      include Support

      V4FunctionWrapper = PlumbSpec::TestedFunction
      V3FunctionWrapper = PlumbSpec::TestedFunction

      def subject = @subject ||= find_function

      def find_function(name = self.class.top_level_description)
        PlumbSpec::TestedFunction.find(name, compilation)
      end

      def call_function(name, *arguments) = scope.call_function(name, arguments)
      def scope = compilation && ::Puppet::Parser::Scope.top
      def catalogue = compilation.catalogue
      def compiler = self
      def catalog = catalogue

      def rspec_puppet_cleanup
        @subject = nil
        @compilation = nil
      end

      private

      def compilation
        @compilation ||= begin
          inputs = compilation_inputs(:function, pre_cond.to_s, false)
          PlumbSpec.facts = inputs[:facts]
          PlumbSpec.begin_functions
          PlumbSpec::Compilation.current = PlumbSpec::Compilation.new(inputs)
        end
      end
    end

    GROUPS = {
      define: [DefineExampleGroup, 'defines'], class: [ClassExampleGroup, 'classes'],
      puppet_function: [FunctionExampleGroup, 'functions'], host: [HostExampleGroup, 'hosts'],
      type: [TypeExampleGroup, 'types'], type_alias: [TypeAliasExampleGroup, 'type_aliases'],
      provider: [ProviderExampleGroup, 'providers']
    }.freeze

    RSpec.configure do |configuration|
      GROUPS.each do |type, (group, folder)|
        pattern = %r{spec[\\/]#{folder}}
        configuration.include(group, type: type, file_path: ->(path, metadata) { metadata[:type].nil? && pattern.match?(path) })
      end
      configuration.after(:each) { rspec_puppet_cleanup if respond_to?(:rspec_puppet_cleanup) }
    end
  end
end
