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
          # Where packages can be purged, one that is not there is that.
          none = self.class.feature?(:purgeable) ? :purged : :absent
          @property_hash = query || { ensure: none }
          @property_hash[:ensure] = none if @property_hash.empty?
        end
        @property_hash.dup
      end

      def flush = @property_hash.clear
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
        [output, $CHILD_STATUS]
      end

      def environment = Array(resource[:environment]).to_h { |line| line.split('=', 2) }
      def validatecmd(_command) = true
    end
  end
end
