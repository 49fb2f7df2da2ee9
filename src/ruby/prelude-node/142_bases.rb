# Providers that modules inherit from.
module Puppet
  class Provider
    # Packages: what they are by their properties.
    class Package < Provider
      class << self
        def prefetch(packages)
          instances.each do |each|
            packages[each.name].provider = each if packages[each.name]
          end
        end

        def pkg_name(package) = package.name
        def instances_by_name = instances.to_h { |each| [each.name, each] }
      end

      def properties
        if @property_hash.empty?
          @property_hash = query || { ensure: (@resource && @resource.class.name == :package ? :absent : :absent) }
          @property_hash[:ensure] = :absent if @property_hash.empty?
        end
        @property_hash.dup
      end

      def validate_source(value) = true
      def join_options(options) = options&.flat_map { |each| each.is_a?(Hash) ? each.sort.map { |name, value| "#{name}=#{value}" } : [each] }
    end

    # Services, by commands.
    class Service < Provider
      def restart
        stop
        start
      end

      %i[start stop status restart].each { |what| define_method("#{what}cmd") { [command(what)] if self.class.respond_to?(what) } }
      def self.instances = []
    end

    class Exec < Provider
      def run(command, check = false)
        output = Util::Execution.execute(command, failonfail: false, combine: true, cwd: resource[:cwd], uid: resource[:user], gid: resource[:group],
                                                  override_locale: false, custom_environment: environment)
        [output, $plumb_status]
      end

      def environment = Array(resource[:environment]).to_h { |line| line.split('=', 2) }
      def validatecmd(_command) = true
    end

    # Users and groups, by the name service.
    class NameService < Provider
      class << self
        attr_writer :options_table

        def options(name, hash)
          raise Puppet::DevError, "#{name} is not a valid attribute for #{resource_type.name}" unless resource_type.valid_parameter?(name)

          (@option_table ||= {})[name.to_sym] = (@option_table[name.to_sym] || {}).merge(hash)
        end

        def option(name, option)
          found = (@option_table ||= {})[name.to_sym]
          found ? found[option] : superclass.respond_to?(:option) ? superclass.option(name, option) : nil
        end

        def section = resource_type.name == :user ? :passwd : :group
        def resource_type=(type)
          super
          type.validproperties.each do |name|
            next if name == :ensure

            define_method(name) { get(name) || :absent } unless public_method_defined?(name)
            define_method("#{name}=") { |value| set(name, value) } unless public_method_defined?("#{name}=")
          end
        end

        def instances = listbyname.map { |name| new(name: name, ensure: :present) }
        def listbyname = Etc.public_send(section) { |each| (@names ||= []) << each.name }.then { @names.tap { @names = nil } }
        def validate(name, value)
          checks = (@checks ||= {})[name.to_sym] or return
          raise ArgumentError, "Invalid value #{value}: #{checks[:error]}" unless checks[:block].call(value)
        end

        def verify(name, error, &block) = (@checks ||= {})[name.to_sym] = { error: error, block: block }
      end

      FIELDS = { user: { uid: :uid, gid: :gid, comment: :gecos, home: :dir, shell: :shell, password: :passwd }, group: { gid: :gid, members: :mem } }.freeze

      def exists? = !getinfo(true).nil?
      def get(name) = (info = getinfo(false)) && info[name]

      def getinfo(refresh)
        @info = nil if refresh
        @info ||= begin
          found = Etc.public_send(self.class.section == :passwd ? :getpwnam : :getgrnam, @resource[:name])
          FIELDS.fetch(@resource.class.name).transform_values { |field| found.public_send(field) }
        rescue ArgumentError
          nil
        end
      end

      def create = exists? ? info("already exists") : run_changing(addcmd, 'create')
      def delete = exists? ? run_changing(deletecmd, 'delete') : info('already absent')
      alias destroy delete

      def set(name, value)
        self.class.validate(name, value)
        run_changing(modifycmd(name, value), "set #{name} on")
      end

      def munge(_name, value) = value
      def flag(name) = "-#{name.to_s[0]}"

      private

      def run_changing(command, what)
        execute(command, failonfail: true, combine: true, custom_environment: @custom_environment || {})
      rescue Puppet::ExecutionFailure => error
        raise Puppet::Error, "Could not #{what} #{@resource.class.name} #{@resource.name}: #{error}", error.backtrace
      end

      # By programs such as useradd.
      class ObjectAdd < NameService
        def modifycmd(name, value) = [command(:modify), flag(name), value.to_s, @resource[:name]]
        def deletecmd = [command(:delete), @resource[:name]]
        def flag(name) = self.class.option(name, :flag) || "-#{name.to_s[0]}"
      end
    end
  end
end
