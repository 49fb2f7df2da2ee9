# Compiles the catalog of one node many times in this one process, as `puppet catalog compile` does once.
# ENVIRONMENT-FOLDER CERTNAME FACTS-FILE COUNT; prints {"milliseconds": […], "resources": COUNT}.
require 'json'
require 'tmpdir'
require 'puppet'
require 'puppet/pops'
require 'puppet/parser/compiler'

folder, certname, facts_file, count = ARGV
home = Dir.mktmpdir
at_exit { FileUtils.remove_entry(home) }
Puppet.initialize_settings(%w[confdir vardir codedir rundir logdir].map { |name| "--#{name}=#{home}/#{name}" })
Puppet::Util::Log.close_all
Puppet[:strict] = :error
Puppet[:strict_variables] = true

loader = Puppet::Environments::Directories.new(File.dirname(folder), [])
environment = Puppet.override(environments: loader) { loader.get!(File.basename(folder).to_sym) }
loaders = Puppet::Pops::Loaders.new(environment)
recorded = JSON.parse(File.read(facts_file))

results = Array.new(Integer(count)) do |number|
  values = recorded.merge('memoryfree_mb' => 20_000 - (number / 7.0))
  started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  text = Puppet.override({ current_environment: environment, environments: loader, loaders: loaders }, 'bench') do
    facts = Puppet::Node::Facts.new(certname, values)
    node = Puppet::Node.new(certname, facts: facts, environment: environment)
    node.merge(values)
    node.trusted_data = { 'authenticated' => 'local', 'certname' => certname, 'extensions' => {} }
    catalog = Puppet::Parser::Compiler.compile(node).filter(&:virtual?)
    Puppet.override(rich_data: true) { JSON.generate(catalog.to_data_hash) }
  end
  [(Process.clock_gettime(Process::CLOCK_MONOTONIC) - started) * 1000, JSON.parse(text)['resources'].size]
end
puts JSON.generate(milliseconds: results.map(&:first), resources: results.last.last)
