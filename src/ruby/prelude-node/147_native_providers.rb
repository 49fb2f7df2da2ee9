# Providers of built-in types that those of modules inherit from. Resources without such an heir are managed by the host.
module Plumb
  module NativeProviders
    # What decides between two defaults of a machine: how many classes a provider has above it, itself among them.
    DEPTHS = { package: { dpkg: 5, rpm: 5, pip: 5, gem: 5, npm: 5, apk: 5, snap: 5, flatpak: 5, pacman: 5, zypper: 5 }, default: 6 }.freeze

    BASES = {
      service: {
        service: lambda do
          extend(NoInstances)
          include(ServiceCommands)
        end,
        base: [:service, lambda do
          commands kill: 'kill'
          include(ServiceProcesses)
        end],
        init: [:base, lambda do
          define_singleton_method(:defpath) { '/etc/init.d' }
          include(InitScripts)
        end],
        systemd: [:base, lambda do
          commands systemctl: 'systemctl'
          include(SystemdUnits)
        end]
      }
    }.freeze

    # Nothing that could be listed.
    module NoInstances
      def instances = []
    end

    # Services by the commands of their attributes, or else of the provider.
    module ServiceCommands
      def restartcmd = nil

      def restart
        return (service_command(:restart) && nil) if @resource[:restart] || restartcmd

        stop
        start
      end

      def service_command(type, must_succeed = true)
        service_execute(type, @resource[type] ? [@resource[type]] : [public_send("#{type}cmd")].flatten, must_succeed)
      end

      def service_execute(type, command, must_succeed = true, squelch = false, combine = true)
        execute(command, failonfail: must_succeed, override_locale: false, squelch: squelch, combine: combine)
      rescue Puppet::ExecutionFailure => error
        @resource.fail(Puppet::Error, "Could not #{type} #{@resource.ref}: #{error}", error)
      end

      def texecute(...) = service_execute(...) && nil
      def ucommand(...) = service_command(...) && nil
    end

    # Services that are looked for among the processes.
    module ServiceProcesses
      def statuscmd = nil
      def stopcmd = nil

      def status
        return service_command(:status, false).exitstatus.zero? ? :running : :stopped if @resource[:status] || statuscmd

        process ? :running : :stopped
      end

      def start = service_command(:start) && nil
      def startcmd = @resource[:binary] || raise(Puppet::Error, 'Services must specify a start command or a binary')

      def stop
        return service_command(:stop) && nil if @resource[:stop] || stopcmd

        found = process
        return (info("#{name} is not running") || false) unless found

        begin
          kill(found)
        rescue Puppet::ExecutionFailure => error
          @resource.fail(Puppet::Error, "Could not kill #{name}, PID #{found}: ", error)
        end
        true
      end

      private

      # The number of a process whose line matches the pattern.
      def process
        @resource.fail('Either stop/status commands or a pattern must be specified') unless @resource[:pattern]
        pattern = Regexp.new(@resource[:pattern])
        debug("Executing 'ps -ef'")
        line = Puppet::Util::Execution.execute('ps -ef').to_s.scrub.lines.find { |each| pattern.match?(each) }
        line&.split&.at(1)
      end
    end

    # Services with a script in a folder.
    module InitScripts
      def initscript
        @initscript ||= search(@resource[:name])
      end

      def search(name)
        names = [name, "#{name}.sh"]
        found = Array(@resource[:path]).product(names).map { |parts| File.join(*parts) }.find { |path| File.exist?(path) && !File.directory?(path) }
        found or raise Puppet::Error, "Could not find init script for '#{name}'"
      end

      def startcmd = [initscript, :start]
      def stopcmd = [initscript, :stop]
      def restartcmd = @resource[:hasrestart] == :true ? [initscript, :restart] : nil
      def statuscmd = @resource[:hasstatus] == :true ? [initscript, :status] : nil
    end

    # Units of systemd.
    module SystemdUnits
      def enable = unit_command(:enable, 'enable')
      def disable = unit_command(:disable, 'disable')
      def mask = unit_command(:mask, 'mask')
      def startcmd = [command(:systemctl), 'start', '--', @resource[:name]]
      def stopcmd = [command(:systemctl), 'stop', '--', @resource[:name]]
      def restartcmd = [command(:systemctl), 'restart', '--', @resource[:name]]
      def statuscmd = [command(:systemctl), 'is-active', '--', @resource[:name]]

      def enabled?
        output = systemctl_state('is-enabled')
        return :mask if output == 'masked'

        %w[enabled enabled-runtime static indirect linked].include?(output) ? :true : :false
      end

      private

      def unit_command(action, word)
        execute([command(:systemctl), word, '--', @resource[:name]], failonfail: true, override_locale: false, combine: true)
      rescue Puppet::ExecutionFailure => error
        raise Puppet::Error, "Could not #{action} #{@resource[:name]}: #{error}", error.backtrace
      end

      def systemctl_state(word)
        execute([command(:systemctl), word, '--', @resource[:name]], failonfail: false).to_s.strip
      end
    end

    module_function

    # The base of that name, made when somebody asks for it.
    def base(type, name)
      parent, code = [*BASES.dig(type.name, name)].then { |found| found.size == 2 ? found : [nil, *found] }
      return unless code

      type.provide(name, **{ parent: parent }.compact) { class_exec(&code) }
    end

    # The provider that modules bring for a type and that this machine uses by default, if it suits it better than the host's.
    def default(type, own, facts_matched)
      kind = Puppet::Type.type(type)
      Providers.load_all(type)
      bases = BASES.fetch(type.to_sym, {}).keys
      found = Providers.of(type).values.select { |each| !bases.include?(each.name) && each.default? && each.suitable? }
      best = found.max_by(&:specificity) or return nil
      least = own ? (facts_matched * 100) + depth(type, own) : 0
      best.specificity > least && kind ? best.name.to_s : nil
    end

    def depth(type, own) = DEPTHS.dig(type.to_sym, own.to_sym) || DEPTHS[:default]
  end

  module Operations
    module_function

    def native_default(type, own, facts_matched) = NativeProviders.default(type, own, facts_matched)
  end
end

module Puppet
  class Type
    class << self
      alias plumb_provider provider

      def provider(name) = plumb_provider(name) || Plumb::NativeProviders.base(self, name.to_sym)
    end
  end
end
