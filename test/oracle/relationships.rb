#!/usr/bin/env ruby
# Puts the resources of catalogs in order with real Puppet. Reads a manifest as a JSON string a line from standard input;
# prints for each {"edges": ["Notify[a] ~> Exec[b]", …], "order": ["Notify[a]", …], "paths": [path…]} or {"error": message}.
# `begin Class[A]` and `end Class[A]` stand around what a container holds.
require 'json'
require 'tmpdir'
require 'puppet'

home = Dir.mktmpdir
at_exit { FileUtils.remove_entry(home) }
Puppet.initialize_settings(%w[confdir vardir codedir rundir logdir publicdir].map { |name| "--#{name}=#{home}/#{name}" })

def name_of(resource)
  _, role, type, title = /\AWhit\[(Admissible|Completed)_([^\[]+)\[(.*)\]\]\z/m.match(resource.ref).to_a
  return resource.ref unless role

  reference = "#{type.split('::').map(&:capitalize).join('::')}[#{title}]"
  "#{role == 'Admissible' ? 'begin' : 'end'} #{reference}"
end

def relationships_of(manifest)
  Puppet[:code] = manifest
  environment = Puppet::Node::Environment.create(:production, [])
  Puppet.override(current_environment: environment, loaders: Puppet::Pops::Loaders.new(environment)) do
    catalog = Puppet::Parser::Compiler.compile(Puppet::Node.new('n1', environment: environment)).to_ral
    graph = catalog.relationship_graph
    edges = graph.edges.map { |edge| "#{name_of(edge.source)} #{edge.callback ? '~>' : '->'} #{name_of(edge.target)}" }
    order = []
    graph.traverse(overly_deferred_resource_handler: ->(_) {}, canceled_resource_handler: ->(_) {},
                   pre_process: ->(_) {}, teardown: -> {}, while: -> { true }) { |resource| order << name_of(resource) }
    paths = catalog.resources.grep_v(Puppet::Type.type(:component)).map(&:path)
    { edges: edges, order: order, paths: paths.select { |path| path.start_with?('/Stage[main]/') } }
  end
rescue StandardError => e
  { error: e.message }
end

$stdin.each_line { |line| puts JSON.generate(relationships_of(JSON.parse(line, quirks_mode: true))) }
