# Shaped as the classifiers that sites have: YAML of an inventory, defaults by facts, a cache in the class.
require 'yaml'
require 'puppet/node'
require 'puppet/indirector/plain'
require 'puppet_x/owner/inventory'

class Puppet::Node::Inventory < Puppet::Indirector::Plain
  desc 'Nodes of a file.'

  def find(request)
    entry = PuppetX::Owner::Inventory.load(File.join(Puppet[:confdir], 'inventory.yaml'))[request.key]
    return nil unless entry

    node = super
    node.classes = entry['classes'] || {}
    node.environment = entry['environment'] if entry['environment']
    node.merge(entry['parameters'] || {})
    facts = request.options[:facts] || Puppet::Node::Facts.indirection.find(request.key, environment: request.environment)
    node.fact_merge(facts)
    node.parameters['rack'] ||= "rack of #{facts.values.dig('os', 'family')}" if facts
    Puppet.info("inventory says #{node.environment} of #{request.description} for #{request.node.inspect} in #{request.environment}")
    node
  end
end
