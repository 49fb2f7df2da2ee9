#!/usr/bin/env ruby
# Compiles with real Puppet, under Puppet 8's defaults, and prints the catalog as it would go to an agent:
#   {"catalog": …, "logs": [[level, message], …]} or {"error": message, "logs": …}
# Reads a JSON object a line from standard input:
#   {"manifest": path?, "modulepath": [path…], "facts": {…}, "node": name, "classes": [name…], "hiera": path?}
require 'json'
require 'tmpdir'
require 'puppet'
require 'puppet/pops'
require 'puppet/parser/compiler'

home = Dir.mktmpdir
at_exit { FileUtils.remove_entry(home) }
Puppet.initialize_settings(%w[confdir vardir codedir rundir logdir].map { |name| "--#{name}=#{home}/#{name}" })
Puppet[:strict] = :error
Puppet[:strict_variables] = true

LOGS = []
Puppet::Util::Log.close_all
Puppet::Util::Log.newdesttype(:recorded) do
  match 'recorded'
  define_method(:handle) { |message| LOGS << [message.level.to_s, message.message.to_s] }
end
Puppet::Util::Log.newdestination('recorded')

def compile(given)
  manifest = given['manifest'] || Puppet::Node::Environment::NO_MANIFEST
  environment = Puppet::Node::Environment.create(:production, given['modulepath'], manifest)
  Puppet[:hiera_config] = given['hiera'] || '/nonexistent/hiera.yaml'
  context = {
    current_environment: environment,
    environments: Puppet::Environments::Static.new(environment),
    loaders: Puppet::Pops::Loaders.new(environment)
  }
  Puppet.override(context) do
    facts = Puppet::Node::Facts.new(given['node'], given['facts'])
    node = Puppet::Node.new(given['node'], facts: facts, environment: environment)
    node.merge(given['facts'])
    node.classes = given['classes']
    catalog = Puppet::Parser::Compiler.compile(node).filter(&:virtual?)
    { catalog: Puppet.override(rich_data: true) { catalog.to_data_hash } }
  end
rescue StandardError => e
  { error: e.message }
end

$stdin.each_line do |line|
  LOGS.clear
  result = compile(JSON.parse(line))
  puts JSON.generate(result.merge(logs: LOGS.reject { |level, _| %w[debug info].include?(level) }))
  $stdout.flush
end
