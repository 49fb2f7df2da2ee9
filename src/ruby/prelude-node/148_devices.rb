# Devices that are managed from a node: the one of this run, and the transports of the Resource API that lead to it.
$LOADED_FEATURES.push(*%w[
  util/network_device util/network_device/simple/device util/network_device/transport resource_api/transport/wrapper
].map { |name| "puppet/#{name}.rb" })

# The reader of the format of a device's credentials, where the gem is missing: the host has read them.
Plumb::Gems::STAND_INS.update('hocon' => :Hocon, 'hocon/config_syntax' => :Hocon)
module Hocon
  class ConfigSyntax
    HOCON = :hocon
    JSON = :json
  end

  def self.load(path, **) = Plumb::Devices.credentials(path)
end

module Plumb
  module Devices
    class CredentialsError < StandardError; end

    def self.credentials(path)
      known = configuration(path)
      raise CredentialsError, known['error'] if known.key?('error')

      known['values']
    end
  end
end

module Puppet
  # Transports, each a class of its name.
  module Transport; end

  module Util
    class NetworkDevice
      # Transports of older modules, each a class of its name.
      module Transport; end

      module Simple
        # A device whose credentials are in a file.
        class Device
          def initialize(url_or_config, _options = {})
            return @config = url_or_config unless url_or_config.is_a?(String)

            @url = ResourceApi::Transport.file_url(url_or_config)
          end

          def facts = {}

          def config
            ResourceApi::Transport.check_file(@url) if @url
            @config ||= Plumb::Devices.credentials(@url.path)
          end
        end
      end

      class << self
        attr_reader :current

        def init(device)
          require "puppet/util/network_device/#{device.provider}/device"
          kind = const_get(device.provider.capitalize).const_get(:Device)
          @current = kind.new(device.url, device.options)
        rescue StandardError, ScriptError => error
          raise error.class, "Can't load #{device.provider} for #{device.name}: #{error.message}", error.backtrace
        end

        def set_device(_name, device) = @current = device
        def teardown = @current = nil
      end
    end
  end

  module ResourceApi
    class TransportSchemaDef
      def feature?(_name) = false

      # Whether a connection's data is what the schema says. Secrets are not told.
      def check(given)
        unknown = given.keys.reject { |key| attributes.key?(key) }
        wrong = given.filter_map { |key, value| wrong_value(key, value) if attributes.key?(key) }
        return missing(given) if unknown.empty? && wrong.empty?

        message = "The connection info provided does not match the Transport Schema for `#{name}[]`"
        message += "\n Unknown attribute:\n#{unknown.map { |key| "    * #{key}\n" }.join}" unless unknown.empty?
        message += "\n Value type mismatch:\n#{wrong.map { |line| "    * #{line}\n" }.join}" unless wrong.empty?
        ResourceApi.complain(message)
        missing(given)
      end

      private

      def wrong_value(key, value)
        description = attributes[key]
        return if DataTypes.valid?(description[:type], value)

        "#{key}: #{description[:sensitive] ? '<< redacted value >>' : value} (expects #{description[:type]})"
      end

      def missing(given)
        lacking = attributes.select { |key, each| !DataTypes.optional?(each[:type]) && !given.key?(key) }.keys
        return if lacking.empty?

        raise ResourceError, "The following mandatory attributes were not provided:\n    *  #{lacking.join(", \n    *  ")}"
      end
    end

    # Connections by the transports that modules describe.
    module Transport
      module_function

      def connect(name, connection_info)
        require "puppet/transport/schema/#{name}" unless transports.key?(name)
        schema = transports[name] or raise DevError, "Transport for `#{name}` not registered with `production`"
        given = with_defaults(schema, connection_info)
        schema.check(given)
        require "puppet/transport/#{name}"
        kind = ::Puppet::Transport.const_get(ResourceApi.class_name_from_type_name(name))
        kind.new(PuppetContext.new(schema), with_secrets(schema, given))
      end

      def inject_device(name, transport) = Util::NetworkDevice.set_device(name, Wrapper.new(name, transport))

      def with_defaults(schema, given)
        lacking = schema.attributes.select { |name, each| each.key?(:default) && !given.key?(name) }
        lacking.transform_values { |each| each[:default] }.merge(given)
      end

      def with_secrets(schema, given)
        given.to_h { |key, value| [key, schema.attributes.dig(key, :sensitive) ? Pops::Types::PSensitiveType::Sensitive.new(value) : value] }
      end

      def file_url(text)
        url = URI.parse(text)
        return url if url.scheme == 'file'

        # Nobody is told a password.
        raise "Unexpected url '#{text.sub(%r{//[^/]*@}, '//')}' found. Only file:/// URLs for configuration supported at the moment."
      end

      def check_file(url)
        raise "Trying to load config from '#{url.path}, but file does not exist." unless File.exist?(url.path)
      end

      # A transport in the place of a device.
      class Wrapper
        attr_reader :transport, :schema

        def initialize(name, source)
          config = source.is_a?(String) ? read(source) : source
          @transport = config.is_a?(Hash) ? Transport.connect(name, config) : source
          @schema = Transport.list[name]
        end

        def facts = @transport.facts(PuppetContext.new(@schema))
        def respond_to_missing?(name, *) = @transport.respond_to?(name) || super
        def method_missing(name, ...) = @transport.respond_to?(name) ? @transport.public_send(name, ...) : super

        def self.deep_symbolize(value) = JSON.parse(JSON.generate([value]), symbolize_names: true).first

        private

        def read(text)
          url = Transport.file_url(text)
          Transport.check_file(url)
          self.class.deep_symbolize(Plumb::Devices.credentials(url.path) || {})
        end
      end
    end

    class BaseContext
      def device = Util::NetworkDevice.current || raise('no device configured')
      def transport = device.transport
    end

    module_function

    # The kind of the device of this run, by which providers are found; `nil` where there is none.
    def device_kind
      device = Util::NetworkDevice.current or return nil
      (device.is_a?(Transport::Wrapper) ? device.schema.name : device.class.name.split('::')[-2].downcase).to_s
    end
  end
end

module Plumb
  # The device of this run, as the host knows it.
  module Devices
    class << self
      def begin(device)
        @configurations = device['configurations']
        options = Struct.new(:name, :provider, :url, :options)
        Puppet::Util::NetworkDevice.init(options.new(device['name'], device['type'], device['url'], { debug: device['debug'] }))
      end

      # Read by the host beforehand, by its path.
      def configuration(path)
        (@configurations || {}).fetch(path.to_s) { { 'error' => "Could not read #{path}: only the file of a device's URL is known" } }
      end
    end
  end

  module Operations
    module_function

    # Before anything else that a run on a device does.
    def begin_device(device)
      Devices.begin(device)
      nil
    end

    # The facts of the device, as JSON; what is no value of a fact is text.
    def device_facts(prefix)
      JSON.generate(plain_fact(Puppet::Util::NetworkDevice.current.facts))
    rescue StandardError => error
      raise if prefix.empty?

      raise Puppet::Error, prefix + error.message, error.backtrace
    end

    def plain_fact(value)
      case value
      when Hash then value.to_h { |key, each| [plain_fact(key).to_s, plain_fact(each)] }
      when Array then value.map { |each| plain_fact(each) }
      when Numeric, true, false, String then value
      else value.to_s
      end
    end
  end
end
