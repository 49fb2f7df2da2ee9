module RSpec
  module Puppet
    # Methods of all example groups about Puppet code.
    module Support
      include GenericMatchers
      include PlumbSpec::NodeData
      include PlumbSpec::ManifestCode

      attr_accessor :adapter

      def subject = -> { catalogue }
      def environment = 'rp_env'
      def class_name = self.class.top_level_description.downcase

      def nodename(type)
        return node if respond_to?(:node)

        %i[class define function].include?(type) ? ::Puppet[:certname] : class_name
      end

      def load_catalogue(type, exported = false, options = {})
        inputs = compilation_inputs(type, build_code(type, options), exported)
        PlumbSpec.facts = inputs[:facts]
        PlumbSpec::Compilation.current = PlumbSpec::Compilation.new(inputs)
        catalogue = PlumbSpec::Compilation.current.catalogue
        cover(catalogue, type)
        catalogue
      end

      def compilation_inputs(type, code, exported)
        name = nodename(type)
        facts = facts_hash(name)
        {
          **PlumbSpec.code_inputs(self),
          code: code, node: name, facts: facts, parameters: munge_facts(node_params_hash),
          extensions: trusted_facts_hash, external: trusted_external_data_hash, serverFacts: server_facts_hash(facts), exported: exported
        }
      end

      def ref(type, title) = RawString.new("#{type}['#{title}']")
      def sensitive(value) = Sensitive.new(value)
      def rspec_puppet_cleanup = nil

      private

      def cover(catalogue, type)
        if type == :define
          Coverage.add_filter(class_name, title.to_s)
        else
          Coverage.add_filter(type.to_s, class_name)
        end
        Coverage.add_from_catalog(catalogue, type == :host ? nil : class_name.split('::').first)
      end
    end
  end
end
