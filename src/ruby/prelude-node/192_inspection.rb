# Things of this machine as `puppet resource` shows them, of types that modules define.
module Plumb
  module Inspection
    class << self
      # All of a type, by title.
      def all(type, more)
        found = Puppet::Type.type(type).instances.map(&:to_resource)
        found.sort_by(&:title).map { |each| shown(each, more) }
      end

      # The one of that name: as it is listed, or else as it is seen.
      def one(type, name, more)
        kind = Puppet::Type.type(type)
        shown((kind.instances.find { |each| each.name == name } || watched(kind, name)).to_resource, more)
      end

      # One that was just managed with these attributes: nothing else of it is looked at.
      def managed(type, name, given)
        kind = Puppet::Type.type(type)
        made = kind.new(Puppet::Resource.new(type, name, parameters: given))
        provider = made.provider&.class
        provider.prefetch(made.name => made) if provider.respond_to?(:prefetch)
        shown(made.to_resource, [])
      end

      private

      # A resource whose properties are all looked at.
      def watched(kind, name)
        kind.new(name: name).tap { |made| kind.properties.each { |each| made.newattr(each) unless made.property(each.name) } }
      end

      def shown(resource, more)
        kind = resource.resource_type
        return described(resource, kind.type_definition) if kind.respond_to?(:type_definition)

        names = kind.properties.map(&:name) + [:provider] + kind.parameters_to_include + more.map(&:to_sym)
        values = resource.to_hash.select { |name, value| names.include?(name) && there?(name, value) }
        ordered = values.sort_by { |name, _| [name == :ensure ? 0 : 1, name.to_s] }.to_h
        { 'title' => resource.title.to_s, 'manifest' => manifest(resource, ordered), 'values' => ordered.transform_keys(&:to_s) }
      end

      # A type of the Resource API has an order of its own, and shows what can only be read.
      def described(resource, definition)
        keys = definition.namevars
        values = resource.to_hash.select { |name, _| definition.attributes.key?(name) && keys != [name] }
        rows = values.compact.map do |name, value|
          text = "#{name} => #{Puppet::Parameter.format_value_for_display(value)},"
          definition.attributes[name][:behaviour] == :read_only ? "# #{text} # Read Only\n" : "  #{text}\n"
        end
        title = Puppet::Parameter.format_value_for_display(resource.title)
        { 'title' => resource.title.to_s, 'values' => values.transform_keys(&:to_s), 'manifest' => "#{definition.name} { #{title}: \n#{rows.join}}\n" }
      end

      def there?(name, value)
        text = value.to_s
        !text.empty? && !Array(value).empty? && (name == :ensure || text != 'absent')
      end

      def manifest(resource, values)
        width = values.keys.map(&:size).max || 0
        rows = values.map { |name, value| "  #{name.to_s.ljust(width)} => #{Puppet::Parameter.format_value_for_display(value)},\n" }
        "#{resource.type.to_s.downcase} { '#{resource.title.to_s.gsub("'") { "\\'" }}':\n#{rows.join}}\n"
      end
    end
  end

  module Operations
    module_function

    def inspect_all(type, more) = Inspection.all(type, more)
    def inspect_managed(type, name, given) = Inspection.managed(type, name, given)
    def inspect_one(type, name, more) = Inspection.one(type, name, more)
  end
end
