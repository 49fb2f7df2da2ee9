# Attributes, types and resources of the Resource API.
module Puppet
  module ResourceApi
    # What is common to the attributes of both kinds.
    module Attribute
      def taken(value)
        type, description = self.class.described
        return value if value.is_a?(Pops::Evaluator::DeferredValue)

        value = false if value == :false
        value = true if value == :true
        DataTypes.check(description[:type], value, "#{type.name}.#{name}")
        value
      end
    end

    class Parameter < Puppet::Parameter
      include Attribute
      attr_reader :value

      def value=(value)
        type, description = self.class.described
        if description[:behaviour] == :read_only
          raise ResourceError, "Attempting to set `#{name}` read_only attribute value to `#{value}`"
        end

        @value = taken(value)
      end

      def rs_value = @value
    end

    class Property < Puppet::Property
      include Attribute

      def should=(value)
        @shouldorig = value
        value = value.to_s if name == :ensure && !value.is_a?(Pops::Evaluator::DeferredValue)
        @should = [taken(value)]
      end

      def should
        return rs_value.to_sym if name == :ensure && rs_value.is_a?(String)

        { true => :true, false => :false }.fetch(rs_value, rs_value)
      end

      def rs_value = @should&.first

      # Nothing is set by itself: all of a resource is, when it is flushed.
      def call_provider(_value) = nil
      def set(_value) = nil

      def insync?(is)
        type, = self.class.described
        return name == :ensure ? rs_value.to_s == is.to_s : super unless type.type_definition.feature?('custom_insync')

        judged, message = judgement(type)
        @change_to_s_value = message unless judged.nil? || message.to_s.empty?
        return judged if [true, false].include?(judged)
        return name == :ensure ? rs_value.to_s == is.to_s : super if judged.nil?

        raise DevError, "Custom insync for #{name} returned a #{judged.class} with a value of #{judged.inspect} instead of true/false; " \
                        'insync? MUST return nil or the boolean true or false'
      end

      def change_to_s(current, wanted) = @change_to_s_value || trigger_text || super

      private

      def trigger_text
        name == :rsapi_custom_insync_trigger ? 'Custom insync logic determined that this resource is out of sync' : nil
      end

      def judgement(type)
        provider = type.my_provider
        unless provider.respond_to?(:insync?)
          raise DevError, 'No insync? method defined in the provider; an insync? method must be defined if the custom_insync feature is defined for the type'
        end

        provider.insync?(type.context, @resource.rsapi_title, name, @resource.rsapi_current_state, @resource.rsapi_canonicalized_target_state)
      end
    end

    # The class methods of such a type.
    module OfTypes
      def title_patterns
        patterns = type_definition.title_patterns
        return [[/(.*)/m, [[type_definition.namevars.first]]]] if patterns.empty?

        patterns.map { |each| [each[:pattern], Regexp.new(each[:pattern]).names.map { |name| [name.to_sym] }] }
      end

      def instances
        all = type_definition.feature?('simple_get_filter') ? my_provider.get(context, []) : my_provider.get(context)
        all.map do |state|
          type_definition.check_schema(state)
          new(title: state[:title] || build_title(state)).tap { |made| made.cache_current_state(state) }
        end
      end

      def build_title(state)
        keys = type_definition.namevars
        keys.size > 1 ? keys.to_h { |name| [name, state[name]] } : state[keys[0]]
      end
    end

    # Resources of such a type: what they are and are to be is known as a whole.
    module OfResources
      def self.included(type)
        type.class_eval do
          define_method(:initialize) do |given|
            @is_found = !given.is_a?(Resource)
            super(prepared(given))
          end

          define_method(:validate) { check_mandatory }
        end
      end

      def type_definition = self.class.type_definition
      def context = self.class.context
      def my_provider = self.class.my_provider
      def name = title
      # All is canonicalized at once, and so when all is known.
      def take_late(values, sensitive)
        super(values.to_h { |name, value| [name, sensitive.include?(name) ? secret(value) : value] }, sensitive)
        return unless type_definition.feature?('canonicalize')

        state = described_values
        my_provider.canonicalize(context, [state])[0].each { |name, value| self[name] = value }
      end

      def rsapi_title = @rsapi_title ||= self.class.build_title(self)

      def rsapi_current_state
        refresh_current_state unless @rsapi_current_state
        @rsapi_current_state
      end

      def rsapi_canonicalized_target_state
        @rsapi_canonicalized_target_state ||= begin
          state = described_values
          type_definition.feature?('canonicalize') ? my_provider.canonicalize(context, [state]).first : state
        end
      end

      def refresh_current_state
        all = type_definition.feature?('simple_get_filter') ? my_provider.get(context, [rsapi_title]) : my_provider.get(context)
        found = all.find { |each| type_definition.namevars.all? { |name| each[name] == @parameters[name]&.value } }
        return cache_current_state(found.tap { type_definition.check_schema(found) }) if found

        @rsapi_current_state = rsapi_title.is_a?(Hash) ? rsapi_title.dup : { title: rsapi_title }
        @rsapi_current_state[:ensure] = :absent if type_definition.ensurable?
      end

      def cache_current_state(state)
        @rsapi_current_state = state
        check_canonical(state) if type_definition.feature?('canonicalize') && Puppet[:strict].to_s != 'off'
      end

      def retrieve
        state = rsapi_current_state
        Puppet.debug("Current State: #{state.inspect}")
        found = Resource.new(self.class, title, parameters: state.reject { |name, _| name == :title })
        found[:ensure] = found[:ensure].to_sym if type_definition.ensurable? && found[:ensure].is_a?(String)
        refuse_missing
        found
      end

      def flush
        refuse_missing
        target = rsapi_canonicalized_target_state
        retrieve unless @rsapi_current_state
        return if @rsapi_current_state == target

        Puppet.debug("Target State: #{target.inspect}")
        refuse_late_changes(target)
        hand_over(rsapi_title => { is: @rsapi_current_state, should: target })
        if context.failed?
          context.reset_failed
          raise 'Execution encountered an error'
        end
        @rsapi_current_state = target
      end

      private

      # In the order in which they were set, as providers see it in Puppet: the name first.
      def described_values
        @parameters.select { |name, _| type_definition.attributes.key?(name) }.transform_values(&:rs_value)
      end

      # What is given, in one form: by title, secrets wrapped, canonicalized.
      def prepared(given)
        return given unless given.is_a?(Resource)

        given.sensitive_parameters.each { |name| given[name] = secret(given[name]) if given.key?(name) }
        values = given.to_hash
        @title = given.title
        @catalog = given.catalog
        return given if !type_definition.feature?('canonicalize') || values.each_value.any?(Pops::Evaluator::DeferredValue)

        metaparameters, own = values.partition { |name, _| Type.metaparam?(name) }.map(&:to_h)
        own = title_parts(given.title.to_s).merge(own)
        canonical = my_provider.canonicalize(context, [own])[0]
        canonical.merge(metaparameters).each { |name, value| given[name] = value }
        given
      end

      # Providers receive secrets of parameters wrapped, so that only properties need a mark.
      def set_sensitive_parameters(names) = super(names.select { |name| @parameters[name].is_a?(Puppet::Property) })

      # Wraps a value for the provider; catalogs contain the names of secrets, and their plain values.
      def secret(value)
        wrapped = [Pops::Types::PSensitiveType::Sensitive, Pops::Evaluator::DeferredValue].any? { |each| value.is_a?(each) }
        wrapped ? value : Pops::Types::PSensitiveType::Sensitive.new(value)
      end

      def title_parts(text)
        pattern, parts = self.class.title_patterns.find { |regexp, _| regexp.match(text) }
        pattern ? parts.zip(pattern.match(text).captures).to_h { |(name), value| [name, value] }.compact : {}
      end

      def hand_over(changes)
        if type_definition.feature?('supports_noop') then my_provider.set(context, changes, noop: noop?)
        else
          my_provider.set(context, changes) unless noop?
        end
      end

      def check_mandatory
        @missing_attrs = []
        return if @is_found

        wanted = type_definition.attributes.reject { |_, each| %i[read_only namevar].include?(each[:behaviour]) || DataTypes.optional?(each[:type]) }
        missing = wanted.select { |name, each| value(name).nil? && !(each[:behaviour].nil? && value(:ensure).to_s == 'absent') }
        @missing_attrs = missing.keys - [:ensure]
        parameters = missing.select { |_, each| each[:behaviour] == :parameter }.keys
        return if parameters.empty?

        raise ResourceError, "The following mandatory parameters were not provided:\n    *  #{parameters.join(", \n    *  ")}"
      end

      def refuse_missing
        return if @missing_attrs.nil? || @missing_attrs.empty? || [:absent, nil].include?(value(:ensure))

        raise ResourceError, "The following mandatory attributes were not provided:\n    *  #{@missing_attrs.join(", \n    *  ")}"
      end

      def refuse_late_changes(target)
        return unless @rsapi_current_state[:ensure].to_s == 'present' && target[:ensure].to_s == 'present'

        target.each do |name, value|
          is = @rsapi_current_state[name]
          next unless type_definition.attributes[name][:behaviour] == :init_only && value != is

          message = "Attempting to change `#{name}` init_only attribute value from `#{is}` to `#{value}`"
          Puppet[:strict].to_s == 'error' ? raise(ResourceError, message) : ResourceApi.complain(message)
        end
      end

      def check_canonical(state)
        canonical = my_provider.canonicalize(context, [Marshal.load(Marshal.dump(state))]).first
        return if canonical.nil? || canonical == state

        ResourceApi.complain(<<~MESSAGE.strip)
          #{type_definition.name}[#{@title}]#get has not provided canonicalized values.
          Returned values:       #{state.inspect}
          Canonicalized values:  #{canonical.inspect}
        MESSAGE
      end
    end
  end
end
