#!/usr/bin/env ruby
# Compiles with real Puppet, under Puppet 8's defaults, and prints the catalog as it would go to an agent:
#   {"catalog": …, "logs": [[level, message], …]} or {"error": message, "logs": …}
# Reads a JSON object a line from standard input:
#   {"manifest": path?, "modulepath": [path…], "facts": {…}, "node": name, "classes": [name…], "hiera": path?,
#    "environment": a folder of an environmentpath, in place of manifest and modulepath,
#    "classifier": the command of an external node classifier,
#    "exporters": [{"node": name, "facts": {…}}…]: with storeconfigs, and these are compiled before,
#    "lenient": whether Puppet 7's defaults hold instead, which old modules need}
require 'json'
require 'timeout'
require 'tmpdir'
require 'puppet'
require 'puppet/pops'
require 'puppet/parser/compiler'

home = Dir.mktmpdir
at_exit { FileUtils.remove_entry(home) }
Puppet.initialize_settings(%w[confdir vardir codedir rundir logdir publicdir].map { |name| "--#{name}=#{home}/#{name}" })
LOGS = []
Puppet::Util::Log.close_all
Puppet::Util::Log.newdesttype(:recorded) do
  match 'recorded'
  define_method(:handle) { |message| LOGS << [message.level.to_s, message.message.to_s] }
end
Puppet::Util::Log.newdestination('recorded')

# The environment of a request, and what it has loaded: kept for the next, which most often has the same.
def context_of(manifest, modulepath)
  @contexts ||= {}
  @contexts = {} unless @contexts.key?([manifest, modulepath])
  @contexts[[manifest, modulepath]] ||= begin
    environment = Puppet::Node::Environment.create(:production, modulepath, manifest || Puppet::Node::Environment::NO_MANIFEST)
    # generate() runs programs of the machine that compiles: nothing to compare
    Puppet::Parser::Functions.newfunction(:generate, type: :rvalue, arity: -2, environment: environment) { |_| '' }
    {
      current_environment: environment,
      environments: Puppet::Environments::Static.new(environment),
      loaders: Puppet::Pops::Loaders.new(environment)
    }
  end
end

# An environment as a server has it: with its environment.conf, its hiera.yaml and its modules.
def context_of_folder(folder)
  loader = Puppet::Environments::Directories.new(File.dirname(folder), [])
  environment = Puppet.override(environments: loader) { loader.get!(File.basename(folder).to_sym) }
  { current_environment: environment, environments: loader, loaders: Puppet::Pops::Loaders.new(environment) }
end

# A node as the catalog's terminus finds it: by its classifier, or by what the request says.
def node_of(given, environment)
  facts = Puppet::Node::Facts.new(given['node'], given['facts'])
  if given['classifier']
    Puppet[:external_nodes] = given['classifier']
    Puppet::Node.indirection.terminus_class = :exec
    terminus = Puppet::Indirector::Terminus.terminus_class(:catalog, :compiler).new
    node = terminus.send(:find_node, facts.name, environment, nil, nil, facts)
    return node || raise("Could not find node '#{facts.name}'; cannot compile")
  end
  node = Puppet::Node.new(facts.name, facts: facts, environment: environment)
  node.merge(given['facts'])
  node.classes = given['classes'] || []
  node
end

# With storeconfigs, what these nodes export is there to be collected. PuppetDB's terminus is loaded only then.
def storing(exporters)
  return yield({}) unless exporters

  require_relative 'storeconfigs'
  StoreConfigs.during do
    [*exporters, {}].map { |each| StoreConfigs.save(yield(each)) }.last
  end
end

# The catalog of a node, with what it exports.
def catalog_of(given, environment)
  node = node_of(given, environment)
  hostname, domain = node.name.split('.', 2)
  node.trusted_data = { 'authenticated' => 'local', 'certname' => node.name, 'extensions' => {},
                        'hostname' => hostname, 'domain' => domain, 'external' => {} }
  Timeout.timeout(120) { Puppet::Parser::Compiler.compile(node) }
end

def compile(given)
  Puppet[:strict] = given['lenient'] ? :warning : :error
  Puppet[:strict_variables] = !given['lenient']
  Puppet[:hiera_config] = given['hiera'] || '/nonexistent/hiera.yaml'
  folder = given['environment']
  context = folder ? context_of_folder(folder) : context_of(given['manifest'], given['modulepath'])
  Puppet.override(context) do
    catalog = storing(given['exporters']) do |other|
      catalog_of(given.merge(other), context[:current_environment])
    end
    { catalog: Puppet.override(rich_data: true) { catalog.filter(&:virtual?).to_data_hash } }
  end
rescue StandardError, ScriptError, SystemStackError, Timeout::Error => e
  # What failed to load would not be looked for again.
  @contexts = nil
  { error: e.message }
end

$stdin.each_line do |line|
  LOGS.clear
  result = compile(JSON.parse(line))
  puts JSON.generate(result.merge(logs: LOGS.reject { |level, _| %w[debug info].include?(level) }))
  $stdout.flush
end
