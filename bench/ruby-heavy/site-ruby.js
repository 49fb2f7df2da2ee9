// Ruby of the made-up site: Hiera backends, functions for manifests and templates, helper code, and a type.

const at = (path) => `site/fleet/lib/${path}`

const helper = `# Helpers of the fleet's functions.
module PuppetX
  module Fleet
    module Text
      def self.title(name)
        name.split(/[-_]/).map(&:capitalize).join(' ')
      end

      def self.pairs(hash, separator = ' = ')
        hash.sort.flat_map do |key, value|
          value.is_a?(Hash) ? pairs(value, separator).map { |line| "#{key}.#{line}" } : ["#{key}#{separator}#{value}"]
        end
      end
    end
  end
end
`

const byPath = `# Data of a key in the file of its namespace: \`a::b::c\` is in a/b.yaml.
Puppet::Functions.create_function(:'fleet::by_path') do
  dispatch :by_path do
    param 'String[1]', :key
    param 'Struct[{path=>String[1]}]', :options
    param 'Puppet::LookupContext', :context
  end

  def by_path(key, options, context)
    return context.cached_value(key) if context.cache_has_key(key)

    *namespace, _name = key.sub(/\\A::/, '').split('::')
    file = "#{File.join(options['path'], *namespace)}.yaml"
    found = values_in(file, context)
    context.not_found unless found.key?(key)
    context.cache(key, context.interpolate(found[key]))
  end

  def values_in(file, context)
    return {} unless File.exist?(file)

    context.cached_file_data(file) do |text|
      data = YAML.safe_load(text, permitted_classes: [Symbol], aliases: true)
      raise Puppet::DataBinding::LookupError, "#{file}: no hash" unless data.is_a?(Hash)

      data
    end
  end
end
`

const byPattern = `# Data for the nodes whose name matches a group's pattern; the first group that has the key.
Puppet::Functions.create_function(:'fleet::by_pattern') do
  dispatch :by_pattern do
    param 'String[1]', :key
    param 'Hash', :options
    param 'Puppet::LookupContext', :context
  end

  def by_pattern(key, options, context)
    return context.cached_value(key) if context.cache_has_key(key)

    groups = context.cached_file_data(options['path']) { |text| YAML.safe_load(text) }
    groups.each do |name, group|
      next unless Regexp.new(group['match']).match?(options['node'])

      Puppet.debug("#{options['node']} is in #{name}")
      return context.cache(key, context.interpolate(group['values'][key])) if group['values'].key?(key)
    end
    context.not_found
  end
end
`

const sealed = `# Sealed values of a file and of those that it inherits from.
Puppet::Functions.create_function(:'fleet::sealed') do
  dispatch :sealed do
    param 'Struct[{path=>String[1]}]', :options
    param 'Puppet::LookupContext', :context
  end

  def sealed(options, context)
    open_file(options['path'], context)
  end

  def open_file(path, context)
    data = context.cached_file_data(path) { |text| YAML.safe_load(text) }
    above = data['inherits'] ? open_file(above_path(path, data['inherits']), context) : {}
    above.merge(data['values'].transform_values { |text| text.unpack1('m').force_encoding('UTF-8') })
  end

  def above_path(path, name)
    File.join(path[%r{\\A.*/secrets/}], "#{name}.yaml")
  end
end
`

const assign = `# Gives a node its role, once: for data by role, and the role's class.
Puppet::Functions.create_function(:'fleet::assign') do
  dispatch :assign do
    param 'String[1]', :role
  end

  def assign(role)
    scope = closure_scope
    raise Puppet::ParseError, 'A node has one role' if scope.include?('role_path')

    scope['role_path'] = role.gsub('::', '/')
    call_function('include', "role::#{role}")
  end
end
`

const label = `require_relative '../../../puppet_x/fleet/text'

# A service's label for people.
Puppet::Functions.create_function(:'fleet::label') do
  dispatch :label do
    param 'String[1]', :name
    param 'Integer[1, 65535]', :port
    optional_param 'Hash', :options
    return_type 'String'
  end

  def label(name, port, options = {})
    text = format('%<title>s on %<port>05d', title: PuppetX::Fleet::Text.title(name), port: port)
    options['upper'] ? text.upcase : text
  end
end
`

const networks = `require 'ipaddr'

# First and last address, and mask, of networks.
Puppet::Functions.create_function(:'fleet::networks') do
  dispatch :networks do
    param 'Array[String[1]]', :networks
    return_type 'Array[Hash]'
  end

  def networks(networks)
    networks.map do |text|
      range = IPAddr.new(text).to_range
      prefix = text.split('/').last.to_i
      { 'first' => range.first.to_s, 'last' => range.last.to_s, 'mask' => IPAddr.new('255.255.255.255').mask(prefix).to_s }
    end
  end
end
`

const slot = `# A minute of the hour for a title, spread by the node's name.
Puppet::Functions.create_function(:'fleet::slot', Puppet::Functions::InternalFunction) do
  dispatch :slot do
    scope_param
    param 'String[1]', :title
  end

  def slot(scope, title)
    name = scope['facts']['networking']['fqdn']
    "#{name}:#{title}".each_byte.reduce(7) { |sum, byte| (sum * 31 + byte) % 65_521 } % 60
  end
end
`

const ini = `require_relative '../../../puppet_x/fleet/text'

# Settings as lines, nested ones by dotted names.
module Puppet::Parser::Functions
  newfunction(:fleet_ini, type: :rvalue, arity: -2, doc: 'Settings as lines.') do |args|
    hash, separator = args
    raise Puppet::ParseError, 'fleet_ini(): a hash is needed' unless hash.is_a?(Hash)

    "#{PuppetX::Fleet::Text.pairs(hash, separator || ' = ').join("\\n")}\\n"
  end
end
`

const roleName = `# The path of the node's role, as its own scope has it.
module Puppet::Parser::Functions
  newfunction(:fleet_role, type: :rvalue, arity: 0) do |_args|
    lookupvar('::role_path') || 'none'
  end
end
`

const type = `Puppet::Type.newtype(:fleet_member) do
  @doc = 'A member of a pool.'
  ensurable
  newparam(:name, namevar: true)
  newproperty(:weight) do
    validate { |value| raise ArgumentError, 'weight is no number' unless value.to_s =~ /\\A\\d+\\z/ }
    munge { |value| Integer(value) }
  end
  newproperty(:pool)
end
`

/** Text by path. */
export const rubyFiles = {
  [at('puppet_x/fleet/text.rb')]: helper,
  [at('puppet/functions/fleet/by_path.rb')]: byPath,
  [at('puppet/functions/fleet/by_pattern.rb')]: byPattern,
  [at('puppet/functions/fleet/sealed.rb')]: sealed,
  [at('puppet/functions/fleet/assign.rb')]: assign,
  [at('puppet/functions/fleet/label.rb')]: label,
  [at('puppet/functions/fleet/networks.rb')]: networks,
  [at('puppet/functions/fleet/slot.rb')]: slot,
  [at('puppet/parser/functions/fleet_ini.rb')]: ini,
  [at('puppet/parser/functions/fleet_role.rb')]: roleName,
  [at('puppet/type/fleet_member.rb')]: type,
}
