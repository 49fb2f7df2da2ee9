# Types at work: the features and providers of each, and the things of this machine.
module Puppet
  class Type
    class << self
      # Features and providers

      def feature(name, description, options = {})
        @features[name.to_sym] = ProviderFeature.new(name, description, **options)
      end

      def features = @features.keys
      def provider_feature(name) = @features[name]
      def feature_module = @feature_module ||= ProviderFeature.module_for(@features)
      def provider_hash = Plumb::Providers.of(name)
      def providers = provider_hash.keys
      def providerloader = Plumb::Providers

      def provide(name, options = {}, &block)
        name = name.to_sym
        parent = parent_provider(name, options[:parent])
        unprovide(name)
        providify
        made = Class.new(parent)
        made.name = name
        made.initvars
        made.resource_type = options[:resource_type] || self
        made.include(feature_module)
        made.extend(feature_module)
        define_constant(self, 'Provider', name, made)
        options.each { |option, value| made.public_send("#{option}=", value) unless %i[parent resource_type].include?(option) }
        provider_hash[name] = made
        made.class_eval(&block) if block
        made
      end

      def unprovide(name)
        @defaultprovider = nil if @defaultprovider&.name == name.to_sym
        provider_hash.delete(name.to_sym)
      end

      def provider(name)
        name = name.to_sym
        Plumb::Providers.load(self.name, name) unless provider_hash.key?(name)
        provider_hash[name]
      end

      def validprovider?(name) = provider(name)&.suitable? ? true : false

      def suitableprovider
        Plumb::Providers.load_all(name)
        provider_hash.values.select(&:suitable?)
      end

      def defaultprovider
        return @defaultprovider if @defaultprovider

        suitable = suitableprovider
        best = suitable.select(&:default?).then { |defaults| defaults.empty? ? suitable : defaults }
        most = best.map(&:specificity).max
        best = best.select { |each| each.specificity == most }
        if best.size > 1
          Puppet.warning("Found multiple default providers for #{name}: #{best.map(&:name).join(', ')}; using #{best[0].name}")
        end
        @defaultprovider = best.first
      end

      def providify
        return if @paramhash.key?(:provider)

        newparam(:provider) do
          defaultto { @resource.class.defaultprovider&.name }

          validate do |given|
            given = given[0] if given.is_a?(Array)
            given = given.class.name if given.is_a?(Provider)
            raise ArgumentError, "Invalid #{@resource.class.name} provider '#{given}'" unless @resource.class.provider(given)
          end

          munge do |given|
            given = given[0] if given.is_a?(Array)
            given = given.to_sym if given.is_a?(String)
            @resource.provider = given
            given.is_a?(Provider) ? given.class.name : given
          end
        end.parenttype = self
      end

      # Relations

      %i[require before subscribe notify].each do |relation|
        define_method("auto#{relation}") { |type, &block| (auto[relation] ||= {})[type.to_sym] = block }
        define_method("eachauto#{relation}") { |&block| (auto[relation] || {}).each { |type, code| block.call(type, code) } }
      end
      def auto = @auto ||= {}
      def relationship_params = []

      # Metaparameters: the host knows them, and Ruby hands them on.
      def metaparamclass(name) = metaparam?(name) ? METAPARAMETER_CLASSES[name.to_sym] : nil
      # A block that checks all attributes together.
      def validate(&block) = define_method(:validate, &block)
      def needs_ensure_retrieved = true
      def apply_to_device = @apply_to = :device
      def apply_to_host = @apply_to = :host
      def apply_to_all = @apply_to = :both
      def apply_to = @apply_to ||= :host
      def can_apply_to(target) = [target == :device ? :device : :host, :both].include?(apply_to)
      def paramdoc(name) = paramclass(name)&.doc
      def allowed_attrs = allattrs

      # Things of this machine

      def instances
        Plumb::Providers.load_all(name)
        raise DevError, "#{name} has no providers and has not overridden 'instances'" if provider_hash.empty?

        found = {}
        providers_by_source.flat_map do |provider|
          provider.instances.filter_map do |instance|
            title = instance.respond_to?(:title) ? instance.title : instance.name
            next twice(title, found[title], instance) if found.key?(title)

            found[title] = instance
            new(name: instance.name, provider: instance, title: title).tap { |made| properties.each { |each| made.newattr(each) } }
          end
        end
      end

      def providers_by_source = [defaultprovider, *suitableprovider].compact.uniq.uniq(&:source)

      def hash2resource(hash)
        hash = hash.to_h { |name, value| [name.to_sym, value] }
        title = hash.delete(:title) || hash[:name]
        title ||= hash[key_attributes.first] if key_attributes.size == 1
        raise Puppet::Error, 'Title or name must be provided' unless title

        data = Resource.new(self, title, catalog: hash.delete(:catalog))
        data.sensitive_parameters = hash.delete(:sensitive_parameters) || []
        hash.each { |name, value| data[name] = value }
        data
      end

      private

      def parent_provider(name, given)
        return Provider if given.nil?
        return given if given.is_a?(Class)

        provider(given) or raise DevError, "Could not find parent provider #{given} of #{name}"
      end

      def twice(title, first, other)
        Puppet.debug do
          "#{name.to_s.capitalize} #{title} found in both #{first.class.name} and #{other.class.name}; skipping the #{other.class.name} version"
        end
        nil
      end
    end

    METAPARAMETER_CLASSES = METAPARAMETERS.to_h do |name|
      made = Class.new(Parameter) { @name = name }
      made.initvars
      [name, made]
    end
    METAPARAMETER_CLASSES[:loglevel].class_eval do
      defaultto { :notice }
      def unsafe_munge(value) = value.to_s == 'verbose' ? :info : value.to_sym
    end
    METAPARAMETER_CLASSES[:noop].class_eval do
      def unsafe_munge(value) = @resource.noop = [true, 'true', :true].include?(value)
    end
  end
end
