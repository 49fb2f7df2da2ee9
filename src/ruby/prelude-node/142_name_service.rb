# Users and groups as providers of modules inherit them: what the name service says, and programs that change it.
module Puppet
  class Provider
    class NameService < Provider
      class << self
        def initvars
          super
          @checks = {}
          @options = {}
        end

        # How a property is called elsewhere, and what becomes of its values.
        def options(name, hash)
          raise Puppet::DevError, "#{name} is not a valid attribute for #{resource_type.name}" unless resource_type.valid_parameter?(name)

          @options[name.to_sym] = (@options[name.to_sym] || {}).merge(hash)
        end

        def option(name, option) = @options.dig(name.to_sym, option)
        def verify(name, error, &block) = @checks[name.to_sym] = { error: error, block: block }

        def validate(name, value)
          check = @checks[name.to_sym] or return
          raise ArgumentError, "Invalid value #{value}: #{check[:error]}" unless check[:block].call(value)
        end

        def section = resource_type.name == :group ? 'gr' : 'pw'

        def resource_type=(type)
          super
          type.validproperties.each do |name|
            next if name == :ensure

            define_method(name) { get(name) || :absent } unless public_method_defined?(name)
            define_method("#{name}=") { |*values| set(name, *values) } unless public_method_defined?("#{name}=")
          end
        end

        def instances
          names = []
          Etc.public_send(section == 'gr' ? :group : :passwd) { |entry| names << entry.name }
          names.map { |name| new(name: name, canonical_name: name, ensure: :present) }
        end

        def autogen_defaults(hash) = (@autogen_defaults ||= {}).merge!(hash.transform_keys(&:to_sym))
        def autogen_default(name) = @autogen_defaults && @autogen_defaults[name.to_sym]

        # The number after the last one that is given to people.
        def autogen_id(field, type)
          @last_id ||= begin
            numbers = []
            Etc.public_send({ user: :passwd, group: :group }.fetch(type)) { |entry| numbers << entry.public_send(field) }
            numbers.reject { |number| number > 65_000 }.max || 1000
          end
          @last_id += 1
        end
      end

      def initialize(resource)
        super
        @custom_environment = {}
        @canonical_name = (resource[:canonical_name] if resource.is_a?(Hash)) || resource[:name]
      end

      def autogen(field)
        field = field.to_sym
        return self.class.autogen_id(field, @resource.class.name) if { user: :uid, group: :gid }[@resource.class.name] == field

        self.class.autogen_default(field) || (respond_to?("autogen_#{field}") ? public_send("autogen_#{field}") : nil)
      end

      def create
        return (info('already exists') && nil) if exists?

        changing("create #{@resource.class.name} #{@resource.name}") do |run|
          secret = has_sensitive_data?
          run.call(addcmd, secret)
          more = feature?(:manages_password_age) && passcmd
          run.call(more, secret) if more
        end
      end

      def delete
        return (info('already absent') && nil) unless exists?

        changing("delete #{@resource.class.name} #{@resource.name}") { |run| run.call(deletecmd, false) }
      end

      def set(name, value)
        self.class.validate(name, value)
        command = modifycmd(name, munge(name, value))
        raise Puppet::DevError, 'Nameservice command must be an array' unless command.is_a?(Array)

        changing("set #{name} on #{@resource.class.name}[#{@resource.name}]") { |run| run.call(command, has_sensitive_data?(name)) }
      end

      def ensure = exists? ? :present : :absent
      def exists? = !getinfo(true).nil?
      def get(name) = (known = getinfo(false)) && unmunge(name, known[name])
      def munge(name, value) = through(:munge, name, value)
      def unmunge(name, value) = through(:unmunge, name, value)
      def posixmethod(name) = name
      def has_sensitive_data?(_property = nil) = false
      def groups = Util::POSIX.groups_of(@resource[:name]).join(',')
      def comments_insync?(current, should) = current == should[0].to_s

      def getinfo(refresh)
        if @entry.nil? || refresh
          @entry = begin
            Etc.public_send("get#{self.class.section}nam", @canonical_name)
          rescue ArgumentError
            nil
          end
        end
        @entry && info2hash(@entry)
      end

      def info2hash(entry)
        known = self.class.resource_type.validproperties.select { |name| entry.respond_to?(posixmethod(name)) }
        known.to_h { |name| [name, entry.public_send(posixmethod(name))] }
      end

      private

      def through(option, name, value)
        code = self.class.option(name, option)
        code.is_a?(Proc) ? code.call(value) : value
      end

      def changing(what)
        yield(lambda do |command, secret|
          execute(command, failonfail: true, combine: true, custom_environment: @custom_environment, sensitive: secret)
        end)
      rescue Puppet::ExecutionFailure => error
        raise Puppet::Error, "Could not #{what}: #{error}", error.backtrace
      end

      # By programs such as useradd.
      class ObjectAdd < NameService
        def deletecmd = [command(:delete), @resource[:name]]
        def flag(name) = self.class.option(name, :flag) || "-#{name.to_s[0]}"
        def posixmethod(name) = self.class.option(name, :method) || name.to_sym
      end
    end
  end
end
