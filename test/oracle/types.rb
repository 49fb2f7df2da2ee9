#!/usr/bin/env ruby
# What real Puppet knows of types of resources. Reads a JSON object from standard input,
#   {"modulepath": [path…], "types": [name…]}, and prints an object by type:
#   {"parameters", "properties", "namevars", "values", "isomorphic", "patterns": [[regexp, [attribute…]]…] or an error's
#    text} or {"error": message}
require 'json'
require 'tmpdir'
require 'puppet'

home = Dir.mktmpdir
at_exit { FileUtils.remove_entry(home) }
Puppet.initialize_settings(%w[confdir vardir codedir rundir logdir publicdir].map { |name| "--#{name}=#{home}/#{name}" })
Puppet::Util::Log.close_all

def values_of(type)
  attributes = type.parameters.map { |name| type.paramclass(name) } + type.properties
  attributes.reject { |each| each.value_collection.empty? }.to_h do |each|
    [each.name, each.value_collection.values.map(&:to_s) + each.value_collection.regexes]
  end
end

def patterns_of(type)
  type.title_patterns.map { |regexp, parts| [regexp.inspect, parts.map(&:first)] }
rescue Puppet::Error => e
  e.message
end

def shape_of(name)
  type = Puppet::Type.type(name.to_sym)
  {
    parameters: type.parameters, properties: type.properties.map(&:name), namevars: type.key_attributes,
    values: values_of(type), isomorphic: type.isomorphic?, patterns: patterns_of(type)
  }
rescue StandardError, ScriptError => e
  { error: e.message }
end

given = JSON.parse($stdin.read)
environment = Puppet::Node::Environment.create(:production, given['modulepath'])
Puppet.override(
  current_environment: environment,
  environments: Puppet::Environments::Static.new(environment),
  loaders: Puppet::Pops::Loaders.new(environment)
) do
  puts JSON.generate(given['types'].to_h { |name| [name, shape_of(name)] })
end
