#!/usr/bin/env ruby
# What a version of Puppet or OpenVox has, as a JSON object: {"version", "settings": {name: default}, "functions": [name…],
# "types": {name: {"attributes": [name…], "features": [name…]}}, "checksums": [type…]}. Defaults that depend on the
# machine are `null`.
require 'json'
require 'tmpdir'
require 'puppet'

# Absolute paths, names of hosts, and what is no text.
MACHINE = %r{\A/|\bvm\b|/ruby|Ruby/|#<}i

home = Dir.mktmpdir
at_exit { FileUtils.remove_entry(home) }
Puppet.initialize_settings(%w[confdir vardir codedir rundir logdir publicdir].map { |name| "--#{name}=#{home}/#{name}" })
environment = Puppet::Node::Environment.create(:production, [])
Puppet.push_context(
  current_environment: environment,
  environments: Puppet::Environments::Static.new(environment),
  loaders: Puppet::Pops::Loaders.new(environment)
)

settings = Puppet.settings.to_h do |name, _|
  text = Puppet.settings.value(name).to_s
  [name, text.include?(home) || text.match?(MACHINE) ? nil : text]
end
lib = $LOADED_FEATURES.grep(%r{/puppet/version\.rb\z}).first.delete_suffix('/version.rb')
functions = Dir["#{lib}/functions/**/*.rb"].map { |path| path.delete_prefix("#{lib}/functions/").delete_suffix('.rb').gsub('/', '::') }
functions += Dir["#{lib}/parser/functions/*.rb"].map { |path| File.basename(path, '.rb') }
types = Dir["#{lib}/type/*.rb"].map { |path| File.basename(path, '.rb') }.sort.filter_map do |name|
  type = Puppet::Type.type(name.to_sym)
  type && [name, { attributes: (type.allattrs - Puppet::Type.metaparams).map(&:to_s).sort, features: type.features.map(&:to_s).sort }]
end
puts JSON.generate(
  version: Puppet.version, settings: settings.sort.to_h, functions: functions.uniq.sort, types: types.to_h,
  checksums: Puppet::Util::Checksums.known_checksum_types
)
