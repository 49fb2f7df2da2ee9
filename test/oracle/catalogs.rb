#!/usr/bin/env ruby
# A terminus of catalogs as real Puppet calls it. Reads an object of JSON:
#   {"catalog": the JSON of a catalog, "vardir": path, "name": of the terminus, "path": of its file}
# and saves the catalog to the terminus, which writes below vardir, then prints what it finds there.
require 'json'
require 'puppet'

given = JSON.parse($stdin.read)
words = %w[confdir vardir codedir rundir logdir publicdir].map { |name| "--#{name}=#{given['vardir']}" }
Puppet.settings.preferred_run_mode = :server
# The public way has the mode of a user.
Puppet.send(:do_initialize_settings_for_run_mode, :server, words, true, true, {})
load given['path']
catalog = Puppet::Resource::Catalog.from_data_hash(given['catalog'])
environment = Puppet::Node::Environment.create(catalog.environment.to_sym, [])
Puppet.override(current_environment: environment, environments: Puppet::Environments::Static.new(environment)) do
  terminus = Puppet::Resource::Catalog.indirection.terminus(given['name'].to_sym)
  terminus.save(Puppet::Indirector::Request.new(:catalog, :save, catalog.name, catalog, environment: environment))
  found = terminus.find(Puppet::Indirector::Request.new(:catalog, :find, catalog.name, nil, environment: environment))
  puts JSON.generate(found.to_data_hash)
end
