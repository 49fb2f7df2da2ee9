#!/usr/bin/env ruby
# The file metadata that real Puppet adds to static catalogs. Reads an object of JSON:
#   {"environment": a folder of an environmentpath, "requests": [{"manifest": text, "facts": {…}, "node": name}…]}
# and prints an array of {"metadata": …, "recursive_metadata": …} or {"error": message}.
require 'json'
require 'tmpdir'
require 'puppet'
require 'puppet/indirector/catalog/compiler'

given = JSON.parse($stdin.read)
folder = given['environment']
home = Dir.mktmpdir
at_exit { FileUtils.remove_entry(home) }
Puppet.initialize_settings(%w[confdir vardir codedir rundir logdir publicdir].map { |name| "--#{name}=#{home}/#{name}" })
Puppet::Util::Log.close_all
Puppet[:environmentpath] = File.dirname(folder)
Puppet[:strict] = :error
Puppet[:default_file_terminus] = :file_server
terminus = Puppet::Resource::Catalog::Compiler.new

def node_of(request, environment)
  node = Puppet::Node.new(request['node'], facts: Puppet::Node::Facts.new(request['node'], request['facts']), environment: environment)
  node.merge(request['facts'])
  node.trusted_data = { 'authenticated' => 'local', 'certname' => node.name, 'extensions' => {}, 'external' => {} }
  node
end

answers = given['requests'].map do |request|
  loader = Puppet::Environments::Directories.new(File.dirname(folder), [])
  Puppet.override(environments: loader) do
    environment = loader.get!(File.basename(folder).to_sym)
    Puppet[:code] = request['manifest']
    Puppet.override(current_environment: environment, loaders: Puppet::Pops::Loaders.new(environment)) do
      catalog = Puppet::Parser::Compiler.compile(node_of(request, environment)).filter(&:virtual?)
      terminus.send(:inline_metadata, catalog, 'sha256')
      catalog.to_data_hash.slice('metadata', 'recursive_metadata')
    end
  end
rescue StandardError => e
  { error: e.message }
end
puts JSON.generate(answers)
