# Resources of types: their attributes, who they are, and how they are seen to be.
module Puppet
  class Type
    include Enumerable

    attr_reader :original_parameters, :provider
    attr_accessor :file, :line, :catalog, :exported, :virtual
    # Set where the host manages the resource: it is told what code changes of it.
    attr_writer :of_the_host
    attr_writer :title, :noop, :path

    def initialize(given)
      given = self.class.hash2resource(given) unless given.is_a?(Resource)
      @parameters = {}
      @title = given.type.to_s.downcase.to_sym == self.class.name ? given.title : given.ref
      %i[file line catalog exported virtual path].each { |name| (value = given.public_send(name)) && public_send("#{name}=", value) }
      @tags = given.tags
      @original_parameters = given.to_hash
      set_attributes(with_title(@original_parameters))
      validate_all
      set_sensitive_parameters(given.sensitive_parameters)
    end

    def [](name)
      name = attribute_named(name) { fail("Invalid parameter #{name}(#{name.inspect})") }
      @parameters[name]&.value
    end

    def []=(name, value)
      name = attribute_named(name) { fail("no parameter named '#{name}'") }
      raise Puppet::Error, "Got nil value for #{name}" if value.nil?

      attribute = newattr(name) or return
      attribute.value = value
      Plumb::Node.ask('changed', type.to_s, title.to_s, name.to_s, attribute.value) if @of_the_host
    rescue Puppet::Error, ArgumentError => error
      raise if attribute.nil?

      raise adderrorcontext(ResourceError.new("Parameter #{name} failed on #{ref}: #{error}"), error)
    end

    def newattr(name)
      kind = name.is_a?(Class) ? name : self.class.attrclass(name)
      raise Puppet::Error, "Resource type #{self.class.name} does not support parameter #{name}" unless kind

      if provider && !provider.class.supports_parameter?(kind)
        missing = kind.required_features.reject { |feature| provider.class.feature?(feature) }
        debug("Provider #{provider.class.name} does not support features #{missing.join(', ')}; not managing attribute #{kind.name}")
        return nil
      end
      @parameters[kind.name] ||= kind.new(resource: self)
    end

    def provider=(given)
      if given.is_a?(Provider)
        @provider = given
        @provider.resource = self
      else
        kind = self.class.provider(given) or raise ArgumentError, "Could not find #{given} provider of #{self.class.name}"
        @provider = kind.new(self)
      end
    end

    def suitable?
      return true unless self.class.paramclass(:provider)
      return true if provider&.class&.suitable?
      return false if provider || !self.class.defaultprovider

      self.provider = self.class.defaultprovider.name
      true
    end

    # Attributes

    def parameter(name) = @parameters[name.to_sym]
    def parameters = @parameters.dup
    def properties = self.class.properties.filter_map { |each| @parameters[each.name] }
    def property(name) = @parameters[name.to_sym].then { |found| found.is_a?(Property) ? found : nil }
    def propertydefined?(name) = @parameters.key?(name.to_sym)
    def should(name) = property(name)&.should
    def value(name) = @parameters[name.to_sym]&.value
    def delete(name) = @parameters.delete(name.to_sym) || raise(DevError, "Undefined attribute '#{name}' in #{self}")
    def parameters_with_value = self.class.allattrs.filter_map { |name| parameter(name) }
    def eachparameter(&) = parameters_with_value.each(&)
    def eachproperty(&) = properties.each(&)
    def each(&) = eachproperty(&)
    def to_hash = @parameters.transform_values(&:value)
    def managed? = @managed ||= properties.any? { |each| each.should && !each.class.unmanaged }
    def deleting? = should(:ensure) == :absent

    def add_property_parameter(name)
      return false if !self.class.validproperty?(name) || @parameters[name]

      newattr(name)
      true
    end

    def name_var
      keys = self.class.key_attributes
      keys.size == 1 && keys.first
    end

    def set_default(name)
      kind = self.class.attrclass(name)
      return if kind.nil? || !kind.method_defined?(:default) || @parameters.key?(kind.name)

      attribute = newattr(kind.name) or return
      value = attribute.default
      value ? attribute.value = value : @parameters.delete(attribute.name)
    end

    # Has the attributes that waited for the turn of the resource; those that came to nothing are none.
    def take_late(values, sensitive)
      values.each { |name, value| set_attribute(name.to_sym, value) }
      @parameters.delete_if { |_, each| each.late? }
      @parameters.each_key { |name| original_parameters[name] = values[name.to_s] if values.key?(name.to_s) }
      validate_all
      set_sensitive_parameters(sensitive.map(&:to_sym))
    end

    # Who it is

    def name = self[:name]
    def type = self.class.name
    def title = @title ||= self[:name]
    def ref = "#{self.class.name.to_s.capitalize}[#{title}]"
    alias to_s ref
    def inspect = ref
    def path = @path ||= "/#{ref}"
    def pathbuilder = [path.delete_prefix('/')]
    def parent = nil
    def version = catalog&.version || 0
    def isomorphic? = self.class.isomorphic?
    def self_refresh? = self.class.self_refresh
    def depthfirst? = false
    def ancestors = []
    def uniqueness_key = self.class.key_attributes.sort_by(&:to_s).map { |name| self[name] }
    def noop? = @noop.nil? ? Puppet[:noop] == true : @noop
    alias noop noop?
    def purging = @purging = true
    def purging? = @purging ? true : false
    def virtual? = @virtual ? true : false
    def exported? = @exported ? true : false
    def tags = @tags ||= [self.class.name.to_s]
    def tag(*names) = @tags = tags | names.map(&:to_s)
    def tagged?(*names) = names.flatten.any? { |name| tags.include?(name.to_s.downcase) }
    def merge_tags_from(other) = tag(*other.tags)
    def finish = eachparameter { |each| each.post_compile if each.respond_to?(:post_compile) }
    def log(message) = send_log(self[:loglevel], message)
    def appliable_to_device? = self.class.can_apply_to(:device)
    def appliable_to_host? = self.class.can_apply_to(:host)
    def remove = @parameters.clear
    def pre_run_check = nil
    def flush = provider.respond_to?(:flush) ? provider.flush : nil

    # How it is

    def retrieve
      fail("Provider #{provider.class.name} is not functional on this host") if provider.is_a?(Provider) && !provider.class.suitable?
      found = Resource.new(self.class, title)
      found[:name] = self[:name] unless self[:name].nil? || self[:name] == title
      existence = property(:ensure)
      existence ||= newattr(:ensure) if self.class.needs_ensure_retrieved && self.class.validattr?(:ensure)
      found[:ensure] = state = existence.retrieve if existence
      properties.each do |each|
        found[each.name] = state == :absent ? :absent : each.retrieve unless each.name == :ensure
      end
      found
    end

    def retrieve_resource
      found = retrieve
      found.is_a?(Hash) ? Resource.new(self.class, title, parameters: found) : found
    end

    def currentpropvalues = retrieve_resource.to_hash
    def present?(current) = current[:ensure] != :absent

    def insync?(is)
      existence = property(:ensure)
      return true if existence && existence.safe_insync?(is[existence.name]) && existence.should == :absent

      properties.all? { |each| each.safe_insync?(is[each.name]) }
    end

    def to_resource
      found = retrieve_resource
      found.merge_tags_from(self)
      @parameters.each do |name, each|
        found[name] = each.value unless each.is_a?(Property) || (each.class.isnamevar? && each.value == title)
      end
      found
    end

    # Those that it depends on by itself.
    def autorelation(relation, within = nil)
      within ||= catalog or raise DevError, 'You cannot add relationships without a catalog'
      found = []
      self.class.public_send("eachauto#{relation}") do |type, block|
        next unless Type.type(type)

        Array(instance_eval(&block)).each do |other|
          other = other.is_a?(Type) ? other : within.resource(type, other)
          found << (%i[require subscribe].include?(relation) ? Relationship.new(other, self) : Relationship.new(self, other)) if other
        end
      end
      found
    end
    %i[require before subscribe notify].each { |relation| define_method("auto#{relation}") { |within = nil| autorelation(relation, within) } }

    private

    def attribute_named(name)
      name = name.to_sym
      yield unless self.class.validattr?(name)
      name == :name ? name_var || name : name
    end

    # What the title says, for what is not given.
    def with_title(given)
      pattern, parts = self.class.title_patterns.find { |regexp, _| regexp.match(title.to_s) }
      raise Puppet::Error, "No set of title patterns matched the title \"#{title}\"." unless pattern

      said = parts.zip(pattern.match(title.to_s).captures).to_h { |(name, change), text| [name, change && text ? change.call(text) : text] }
      said.compact.merge(given)
    end

    def set_attributes(given)
      key = name_var
      self[key] = given.delete(key) if key && given.key?(key)
      set_default(:provider)
      names = (self.class.allattrs + given.keys).uniq
      names.select { |name| given.key?(name) }.each { |name| set_attribute(name, given[name]) }
      names.reject { |name| given.key?(name) }.each { |name| set_default(name) }
    end

    def set_attribute(name, value)
      self[name] = value
    rescue ArgumentError, Puppet::Error, TypeError
      raise
    rescue StandardError => error
      raise DevError, "Could not set #{name} on #{self.class.name}: #{error}", error.backtrace
    end

    def validate_all
      validate if respond_to?(:validate) && @parameters.values.none?(&:late?)
    rescue Puppet::Error, ArgumentError => error
      raise adderrorcontext(ResourceError.new("Validation of #{ref} failed: #{error}"), error)
    end

    def set_sensitive_parameters(names)
      names.each do |name|
        attribute = parameter(name)
        if attribute.is_a?(Property) then attribute.sensitive = true
        elsif attribute
          warning("Unable to mark '#{name}' as sensitive: #{name} is a parameter and not a property, and cannot be automatically redacted.")
        elsif self.class.attrclass(name)
          warning("Unable to mark '#{name}' as sensitive: the property itself was not assigned a value.")
        else
          err("Unable to mark '#{name}' as sensitive: the property itself is not defined on #{type}.")
        end
      end
      @parameters.each_value { |each| each.sensitive ||= each.is_sensitive if each.respond_to?(:is_sensitive) }
    end
  end
end
