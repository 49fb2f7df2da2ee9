# The Resource API at work: types by a description, providers that get and set whole resources.
$LOADED_FEATURES.push(*%w[base_context parameter property puppet_context type_definition].map { |name| "puppet/resource_api/#{name}.rb" })

module Puppet
  module ResourceApi
    remove_const(:SimpleProvider)

    # The data type of an attribute, by the text that says it; values are judged by the host.
    module DataTypes
      module_function

      def check(type, value, what)
        message = mismatch(type, value, what)
        raise ResourceError, message if message
      end

      # Returns why a value is not of a type. The value is sent in tagged form, which distinguishes secrets and floats.
      def mismatch(type, value, what)
        Plumb::Node.ask('type_mismatch', type, JSON.generate(Plumb::Values.out(value)), what)
      end

      def valid?(type, value) = mismatch(type, value, '').nil?
      def optional?(type) = type.to_s.strip.start_with?('Optional[')
      def bare(type) = type.to_s.strip[/\AOptional\[(.*)\]\z/m, 1] || type.to_s.strip
    end

    # What a type says of itself.
    class TypeDefinition
      RESERVED = %i[title provider alias audit before consume export loglevel noop notify require schedule stage subscribe tag].freeze
      attr_reader :definition, :attributes

      def initialize(definition)
        raise DevError, "requires a hash as definition, not `#{definition.class}`" unless definition.is_a?(Hash)

        @definition = definition
        @attributes = definition[:attributes]
        raise DevError, "#{self.class.name} must have a name" unless definition.key?(:name)
        raise DevError, "`#{definition[:name]}.attributes` must be a hash, not `#{attributes.class}`" unless attributes.is_a?(Hash)

        attributes.each { |name, description| check_attribute(name, description) }
      end

      def name = definition[:name]
      def features = definition[:features] || []
      def feature?(name) = features.include?(name)
      def ensurable? = attributes.key?(:ensure)
      def namevars = attributes.select { |_, each| each[:behaviour] == :namevar }.keys
      def insyncable_attributes = attributes.reject { |_, each| each.key?(:behaviour) }.keys
      def title_patterns = definition[:title_patterns] || []

      # Whether what a provider says of a resource is what its type says.
      def check_schema(resource, prefix = 'Provider returned data that does not match the Type Schema')
        namevars.each do |name|
          raise ResourceError, "`#{self.name}.get` did not return a value for the `#{name}` namevar attribute" if resource[name].nil?
        end
        unknown = resource.keys.reject { |key| key == :title || attributes.key?(key) }
        wrong = wrong_values(resource)
        return if unknown.empty? && wrong.empty?

        message = "#{prefix} for `#{name}[#{resource[namevars.first]}]`"
        message += "\n Unknown attribute:\n#{unknown.map { |key| "    * #{key}\n" }.join}" unless unknown.empty?
        message += "\n Value type mismatch:\n#{wrong.map { |key, value| "    * #{key}: #{value}\n" }.join}" unless wrong.empty?
        ResourceApi.complain(message)
      end

      private

      def wrong_values(resource)
        resource.filter_map do |key, value|
          description = attributes[key]
          next if description.nil? || value.nil?

          value = value.to_s if value.is_a?(Symbol)
          [key, "#{value} (expects #{description[:type]})"] unless DataTypes.valid?(description[:type], value)
        end
      end

      def check_attribute(name, description)
        raise DevError, "must not define an attribute called `#{name.inspect}`" if RESERVED.include?(name)
        raise DevError, "`#{definition[:name]}.#{name}` must be a Hash, not a #{description.class}" unless description.is_a?(Hash)
        raise DevError, "`#{definition[:name]}.#{name}` has no type" unless description.key?(:type)

        description[:behaviour] = description.delete(:behavior) if description.key?(:behavior)
      end
    end

    # The provider's way to speak.
    class BaseContext
      attr_reader :type

      def initialize(definition)
        @type = definition.is_a?(Hash) ? TypeDefinition.new(definition) : definition
      end

      def failed? = @failed
      def reset_failed = @failed = false
      def feature_support?(name) = type.feature?(name)

      %i[debug info notice warning err].each do |level|
        define_method(level) do |*words|
          message = case words.size
                    when 1 then "#{@context || type.name}: #{words[0]}"
                    when 2 then "#{titled(words[0])}: #{words[1]}"
                    else words.join(', ')
                    end
          Puppet.send_log(level, message)
        end
      end

      { creating: 'Creating', updating: 'Updating', deleting: 'Deleting', failing: 'Failing' }.each do |name, usual|
        define_method(name) do |titles, message: usual, &block|
          within("#{titled(titles)}: #{message}", 'Start') do |seconds|
            block.call
            name == :failing ? warning("Finished failing in #{seconds.call} seconds") : notice("Finished in #{seconds.call} seconds")
          end
        end
      end

      %i[created updated deleted].each do |name|
        define_method(name) { |titles, message: name.to_s.capitalize| notice("#{message}: #{titles}") }
      end

      def processing(title, is, should, message: 'Processing')
        within("#{titled(title)}: #{message}", "Starting processing of #{title} from #{is} to #{should}", "processing #{title} ") do |seconds|
          yield
          notice("Finished processing #{title} in #{seconds.call} seconds: #{should}")
        end
      end

      def processed(title, is, should) = notice("Processed #{title} from #{is} to #{should}")

      def attribute_changed(title, attribute, is, should, message: nil)
        shown = [is, should].map { |value| value ? (value.is_a?(Numeric) ? value : "'#{value}'") : 'nil' }
        notice("#{title}: attribute '#{attribute}' changed from #{shown[0]} to #{shown[1]}#{": #{message}" if message}")
      end

      def failed(titles, message: 'Updating has failed')
        @context = titled(titles)
        err(message)
      ensure
        @context = nil
      end

      def log_exception(error, message: 'Error encountered', trace: false)
        err(["#{message}: #{error}", *(error.backtrace if trace)].join("\n"))
      end

      private

      def titled(titles)
        titles.respond_to?(:empty?) && titles.empty? && !titles.is_a?(String) ? type.name.to_s : "#{type.name}[#{[titles].flatten.compact.join(', ')}]"
      end

      def within(context, start, what = '')
        began = Process.clock_gettime(Process::CLOCK_MONOTONIC)
        seconds = lambda do
          spent = Process.clock_gettime(Process::CLOCK_MONOTONIC) - began
          format(spent < 1 ? '%.6f' : '%.2f', spent)
        end
        @context = context
        debug(start)
        yield seconds
      rescue StandardError => error
        log_exception(error, message: "Failed #{what}after #{seconds.call} seconds")
        @failed = true
      ensure
        @context = nil
      end
    end
    PuppetContext = BaseContext

    # A provider that creates, updates and deletes.
    class SimpleProvider
      def set(context, changes)
        raise 'SimpleProvider cannot be used with a Type that is not ensurable' unless context.type.ensurable?

        changes.each do |name, change|
          is = change.key?(:is) ? change[:is] : known(context, name)
          is ||= SimpleProvider.create_absent(:name, name)
          should = change[:should] || SimpleProvider.create_absent(:name, name)
          keys = context.type.namevars
          key = keys.size > 1 ? keys.to_h { |each| [each, change[:should][each]] } : name
          change_one(context, name, key, is, should)
        end
      end

      %i[create update].each do |action|
        define_method(action) { |_context, _name, _should| raise "#{self.class} has not implemented `#{action}`" }
      end

      def delete(_context, _name) = raise("#{self.class} has not implemented `delete`")

      def self.create_absent(namevar, title)
        (title.is_a?(Hash) ? title.dup : { namevar => title }).merge(ensure: 'absent')
      end

      private

      def known(context, name)
        all = context.type.feature?('simple_get_filter') ? get(context, [name]) : get(context)
        (all || []).find { |each| each[:name] == name }.tap { |found| context.type.check_schema(found) if found }
      end

      def change_one(context, name, key, is, should)
        case [is[:ensure].to_s, should[:ensure].to_s]
        when %w[absent present] then context.creating(name) { create(context, key, should) }
        when %w[present absent] then context.deleting(name) { delete(context, key) }
        else context.updating(name) { update(context, key, should) } if is[:ensure].to_s == 'present'
        end
      end
    end

    module_function

    def register_type(definition)
      described = TypeDefinition.new(definition)
      home = class_name_from_type_name(described.name)
      Provider.const_set(home, ::Module.new) unless Provider.const_defined?(home, false)
      Type.newtype(described.name.to_sym) do
        @doc = described.definition[:desc].to_s
        define_singleton_method(:type_definition) { described }
        define_singleton_method(:context) { @context ||= PuppetContext.new(described) }
        define_singleton_method(:my_provider) { @my_provider ||= ResourceApi.load_provider(described.name).new }
        apply_to_device if described.feature?('remote_resource')
        # Its provider is a class that is found by name.
        define_singleton_method(:provided?) { |_name| false }
        extend(OfTypes)
        include(OfResources)
        described.attributes.each { |name, description| ResourceApi.define_attribute(self, name, description) }
        ResourceApi.define_trigger(self, described)
        ResourceApi.define_relations(self, described.definition)
      end
    end

    def class_name_from_type_name(name) = name.to_s.split('_').map(&:capitalize).join

    # Of a device, the provider for its kind, or else that of the type.
    def load_provider(name)
      home = class_name_from_type_name(name)
      kinds = [device_kind, name.to_s].compact
      kinds.each do |kind|
        found = provider_class(name, home, kind)
        return found if found
      end
      raise DevError, missing_provider(name, home, *kinds)
    end

    def provider_class(name, home, kind)
      room = Provider.const_get(home, false)
      named = class_name_from_type_name(kind)
      Plumb::Providers.files("provider/#{name}/#{kind}").first(1).each { |path| Kernel.load(path) } unless room.const_defined?(named, false)
      room.const_get(named, false) if room.const_defined?(named, false)
    rescue NameError
      nil
    end

    def missing_provider(name, home, kind, generic = nil)
      return "provider class Puppet::Provider::#{home}::#{home} not found in puppet/provider/#{name}/#{name}" unless generic

      "Found neither the device-specific provider class Puppet::Provider::#{home}::#{class_name_from_type_name(kind)} in " \
        "puppet/provider/#{name}/#{kind} nor the generic provider class Puppet::Provider::#{home}::#{home} in puppet/provider/#{name}/#{name}"
    end

    def complain(message)
      case Puppet[:strict].to_s
      when 'warning' then Puppet.warning(message)
      when 'error' then raise DevError, message
      else Puppet.debug(message)
      end
    end

    def define_attribute(type, name, description)
      behaviour = description[:behaviour]
      unless [nil, :read_only, :namevar, :parameter, :init_only].include?(behaviour)
        raise ResourceError, "`#{behaviour}` is not a valid behaviour value"
      end

      is_parameter = %i[parameter namevar read_only].include?(behaviour)
      type.public_send(is_parameter ? :newparam : :newproperty, name.to_sym, parent: is_parameter ? Parameter : Property) do
        isnamevar if behaviour == :namevar
        define_singleton_method(:described) { [type, description] }
        default = description[:default]
        default = :false if default == false
        default = :true if default == true
        defaultto { Marshal.load(Marshal.dump(default)) } unless default.nil? || behaviour == :read_only
      end
    end

    # A property for a type that judges by itself whether it is in sync, and has no other.
    def define_trigger(type, described)
      return unless described.feature?('custom_insync') && described.insyncable_attributes.empty?

      define_attribute(type, :rsapi_custom_insync_trigger, { type: 'Enum[do_not_specify_in_manifest]', default: 'do_not_specify_in_manifest' })
    end

    def define_relations(type, definition)
      %i[autorequire autobefore autosubscribe autonotify].each do |relation|
        (definition[relation] || {}).each do |other, values|
          type.public_send(relation, other.to_s.downcase.to_sym) do
            [values].flatten.map { |value| value.is_a?(String) && value.start_with?('$') ? self[value[1..].to_sym] : value }.flatten.compact
          end
        end
      end
    end
  end
end
