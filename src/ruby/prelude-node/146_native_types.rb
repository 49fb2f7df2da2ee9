# Types that are built in, as the providers see them that modules bring for these types: features, properties, and what
# of a provider each value calls. Resources with other providers are the host's, and never become these.
module Plumb
  module NativeTypes
    ALL = {
      package: lambda do
        feature :installable, 'It installs packages.', methods: [:install]
        feature :uninstallable, 'It removes packages.', methods: [:uninstall]
        feature :upgradeable, 'It knows the latest version, and upgrades to it.', methods: %i[update latest]
        feature :purgeable, 'It removes packages with their files.', methods: [:purge]
        feature :disableable, 'It disables packages.', methods: [:disable]
        feature :holdable, 'It holds packages where they are.', methods: %i[hold unhold]
        feature :package_settings, 'It sets what can be set of packages.', methods: %i[package_settings_insync? package_settings package_settings=]
        %i[versionable version_ranges install_only install_options uninstall_options supports_flavors virtual_packages reinstallable
           targetable].each { |name| feature name, '' }

        ensurable do
          newvalue(:present, event: :package_installed) { provider.install }
          newvalue(:absent, event: :package_removed) { provider.uninstall }
          newvalue(:purged, event: :package_purged, required_features: :purgeable) { provider.purge }
          newvalue(:disabled, required_features: :disableable) { provider.disable }
          aliasvalue(:installed, :present)
          newvalue(:latest, required_features: :upgradeable) { updating { provider.update } }
          newvalue(/./, required_features: :versionable) { updating { provider.install } }
          defaultto :installed
          include PackageState
        end

        newparam(:name, namevar: true)
        newparam(:source) { validate { |value| provider&.validate_source(value) } }
        %i[instance adminfile responsefile category platform root vendor description enable_only].each { |name| newparam(name) }
        newproperty(:package_settings, required_features: :package_settings) do
          define_method(:insync?) { |is| provider.package_settings_insync?(should, is) }
        end
        newproperty(:flavor, required_features: :supports_flavors)
        newproperty(:mark, required_features: :holdable) { newvalues(:hold, :none) }
        newparam(:command, required_features: :targetable) { defaultto :default }
        newparam(:configfiles) { newvalues(:keep, :replace); defaultto :keep }
        newparam(:install_only, boolean: true, parent: Puppet::Parameter::Boolean, required_features: :install_only)
        newparam(:allowcdrom) { newvalues(:true, :false) }
        newparam(:allow_virtual, boolean: true, parent: Puppet::Parameter::Boolean, required_features: :virtual_packages)
        newparam(:reinstall_on_refresh, required_features: :reinstallable) { newvalues(:true, :false); defaultto :false }
        newparam(:environment)
        newparam(:install_options, parent: Puppet::Parameter::PackageOptions, required_features: :install_options)
        newparam(:uninstall_options, parent: Puppet::Parameter::PackageOptions, required_features: :uninstall_options)

        define_method(:exists?) { provider.get(:ensure) != :absent }
        define_method(:present?) { |current| super(current) && current[:ensure] != :purged }
        define_method(:refresh) do
          next unless provider.reinstallable? && self[:reinstall_on_refresh] == :true && !%i[absent purged].include?(provider.properties[:ensure])

          warning('Reinstalling ' + name)
          provider.reinstall
        end
        autorequire(:file) { [self[:responsefile], self[:adminfile], (self[:source] if self[:source].to_s.start_with?('/'))].compact }
      end,

      service: lambda do
        feature :refreshable, 'It restarts services.', methods: [:restart]
        feature :enableable, 'It has services started with the machine.', methods: %i[disable enable enabled?]
        feature :maskable, 'It masks services.', methods: [:mask]
        feature :manual_startable, 'It leaves the start to somebody.', methods: [:manual_start]
        feature :delayed_startable, 'It starts late.', methods: [:delayed_start]
        %i[controllable flaggable configurable_timeout manages_logon_credentials].each { |name| feature name, '' }

        newproperty(:enable, required_features: :enableable) do
          newvalue(:true, event: :service_enabled) { provider.enable }
          newvalue(:false, event: :service_disabled) { provider.disable }
          newvalue(:manual, event: :service_manual_start, required_features: :manual_startable) { provider.manual_start }
          newvalue(:mask, event: :service_disabled, required_features: :maskable) { provider.mask }
          newvalue(:delayed, event: :service_delayed_start, required_features: :delayed_startable) { provider.delayed_start }
          define_method(:retrieve) { provider.enabled? }
          define_method(:insync?) { |is| provider.respond_to?(:enabled_insync?) ? provider.enabled_insync?(is) : super(is) }
        end
        newproperty(:ensure) do
          newvalue(:stopped, event: :service_stopped) { provider.stop }
          newvalue(:running, event: :service_started, invalidate_refreshes: true) { provider.start }
          aliasvalue(:false, :stopped)
          aliasvalue(:true, :running)
          define_method(:retrieve) { provider.status }
          # A service that is started or stopped is enabled or disabled at once.
          define_method(:sync) do
            super().tap { @resource.property(:enable)&.then { |each| each.sync unless each.safe_insync?(each.retrieve) } }
          end
        end
        newproperty(:flags, required_features: :flaggable)
        newproperty(:logonaccount, required_features: :manages_logon_credentials)
        newparam(:name, namevar: true)
        %i[binary restart start status stop manifest].each { |name| newparam(name) }
        newparam(:hasstatus) { newvalues(:true, :false); defaultto :true }
        newparam(:hasrestart) { newvalues(:true, :false) }
        newparam(:path) do
          munge { |value| Array(value).flatten.flat_map { |each| each.split(File::PATH_SEPARATOR) } }
          defaultto { provider.class.defpath if provider.class.respond_to?(:defpath) }
        end
        newparam(:pattern) { defaultto { @resource[:binary] || @resource[:name] } }
        newparam(:control) { defaultto { "#{resource.name.tr('.', '_').upcase}_START" if resource.provider&.controllable? } }
        newparam(:timeout, required_features: :configurable_timeout) { munge { |value| Integer(value) }; defaultto 10 }

        define_singleton_method(:needs_ensure_retrieved) { false }
        define_method(:refresh) do
          running = (@parameters[:ensure] || newattr(:ensure)).retrieve == :running
          running ? provider.restart : debug('Skipping restart; service is not running')
        end
      end,

      user: lambda do
        %i[allows_duplicates manages_homedir manages_passwords manages_password_age manages_password_salt manages_shell system_users
           manages_expiry manages_loginclass libuser].each { |name| feature name, '' }
        account_ensure(self, :user)
        newparam(:name, namevar: true)
        number(self, :uid)
        newproperty(:gid) do
          munge { |value| value.to_s.match?(/\A-?\d+\z/) ? Integer(value) : value }
          define_method(:insync?) { |is| Array(@should).any? { |each| is == (each.is_a?(Integer) ? each : Puppet::Util.gid(each)) } }
        end
        %i[comment home].each { |name| newproperty(name) }
        newproperty(:shell, required_features: :manages_shell)
        newproperty(:password, required_features: :manages_passwords) do
          define_method(:change_to_s) { |is, _| is == :absent ? 'created password' : 'changed password' }
          define_method(:is_to_s) { |_| '[old password hash redacted]' }
          define_method(:should_to_s) { |_| '[new password hash redacted]' }
        end
        newproperty(:groups, parent: Puppet::Property::List) { define_method(:membership) { :membership } }
        newproperty(:expiry, required_features: :manages_expiry)
        %i[password_min_age password_max_age password_warn_days].each { |name| number(self, name, required_features: :manages_password_age) }
        newproperty(:loginclass, required_features: :manages_loginclass)
        newparam(:membership) { newvalues(:inclusive, :minimum); defaultto :minimum }
        %i[managehome allowdupe system forcelocal].each { |name| newparam(name, boolean: true, parent: Puppet::Parameter::Boolean) { defaultto false } }
        autorequire(:group) { [self[:gid], *self[:groups].to_s.split(',')].grep(String) }
      end,

      group: lambda do
        %i[manages_members system_groups libuser allows_duplicates manages_aix_lam].each { |name| feature name, '' }
        account_ensure(self, :group)
        newparam(:name, namevar: true)
        number(self, :gid)
        newproperty(:members, array_matching: :all, required_features: :manages_members) do
          define_method(:insync?) { |is| is.is_a?(Array) && is.sort == should.sort }
        end
        newparam(:auth_membership, boolean: true, parent: Puppet::Parameter::Boolean) { defaultto false }
        %i[allowdupe system forcelocal].each { |name| newparam(name, boolean: true, parent: Puppet::Parameter::Boolean) { defaultto false } }
      end
    }.freeze

    # What `ensure` of a package says beside its values.
    module PackageState
      def retrieve = provider.properties[:ensure]

      def insync?(is)
        @should.any? do |wanted|
          case wanted
          when :present then !%i[absent purged disabled].include?(is)
          when :latest then latest?(is)
          when :absent then %i[absent purged].include?(is)
          else is == wanted || Array(is).include?(wanted) || (provider.respond_to?(:insync?) && provider.insync?(is))
          end
        end
      end

      def should_to_s(wanted) = super(@latest || wanted)

      def change_to_s(is, wanted)
        return 'purged' if wanted == :purged
        return 'created' if [nil, :absent, :purged].include?(is) && !%i[absent purged].include?(wanted)

        super
      end

      private

      def latest?(is)
        return false if %i[absent purged].include?(is)

        @latest ||= newest
        return true if is == :present || Array(is).include?(@latest)

        debug("#{@resource.name} #{is.inspect} is installed, latest is #{@latest.inspect}")
        false
      end

      def newest
        provider.latest
      rescue StandardError => error
        raise Puppet::Error, "Could not get latest version: #{error}"
      end

      def updating
        yield
      rescue StandardError => error
        fail(Puppet::Error, "Could not update: #{error}", error)
      end
    end

    # Properties that several of them have.
    module Parts
      def account_ensure(type, what)
        type.newproperty(:ensure) do
          newvalue(:present, event: :"#{what}_created") { provider.create }
          newvalue(:absent, event: :"#{what}_removed") { provider.delete }
          defaultto { @resource.managed? ? :present : nil }
          define_method(:retrieve) { provider.exists? ? :present : :absent }
          define_method(:change_to_s) { |is, wanted| { present: 'created', absent: 'removed' }[wanted] || super(is, wanted) }
        end
      end

      def number(type, name, **options)
        type.newproperty(name, **options) { munge { |value| value.to_s.match?(/\A-?\d+\z/) ? Integer(value) : value } }
      end
    end

    module_function

    # Takes the place of what is known of a type by its attributes' names alone.
    def use(name)
      code = ALL[name.to_sym] or return
      return if Puppet::Type.types[name.to_sym]&.singleton_class&.include?(Parts)

      Puppet::Type.newtype(name) do
        extend(Parts)
        instance_exec(&code)
      end.providify
    end
  end
end
