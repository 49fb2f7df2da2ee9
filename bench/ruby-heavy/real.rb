# Puppet's compiler in one process, as a server has it: {"node", "facts", "deployed": whether the code is new, "save": a
# file} in, a line each; {"resources", "milliseconds"} out, or {"error"}. With ENVIRONMENT-FOLDER PROGRAM-FREE-SETTINGS.
require 'json'
require 'tmpdir'
require 'puppet'
require 'puppet/pops'
require 'puppet/parser/compiler'

folder, lenient = ARGV
home = Dir.mktmpdir
at_exit { FileUtils.remove_entry(home) }
Puppet.initialize_settings(%w[confdir vardir codedir rundir logdir].map { |name| "--#{name}=#{home}/#{name}" })
Puppet::Util::Log.close_all
Puppet[:strict] = lenient == 'lenient' ? :warning : :error
Puppet[:strict_variables] = lenient != 'lenient'

# All that is known of the code; what a flushed environment cache of a server begins with.
def context_of(folder)
  loader = Puppet::Environments::Directories.new(File.dirname(folder), [])
  environment = Puppet.override(environments: loader) { loader.get!(File.basename(folder).to_sym) }
  { current_environment: environment, environments: loader, loaders: Puppet::Pops::Loaders.new(environment) }
end

def catalog_of(name, values, environment)
  node = Puppet::Node.new(name, facts: Puppet::Node::Facts.new(name, values), environment: environment)
  node.merge(values)
  hostname, domain = name.split('.', 2)
  node.trusted_data = { 'authenticated' => 'remote', 'certname' => name, 'extensions' => {}, 'hostname' => hostname,
                        'domain' => domain, 'external' => {} }
  catalog = Puppet::Parser::Compiler.compile(node).filter(&:virtual?)
  JSON.generate(Puppet.override(rich_data: true) { catalog.to_data_hash })
end

context = nil
puts '{"ready":true}'
$stdout.flush
$stdin.each_line do |line|
  given = JSON.parse(line)
  context = context_of(folder) if context.nil? || given['deployed']
  text = Puppet.override(context, 'bench') { catalog_of(given['node'], given['facts'], context[:current_environment]) }
  File.write(given['save'], text) if given['save']
  puts '{"done":true}'
  $stdout.flush
rescue StandardError => e
  puts JSON.generate(error: e.message)
  $stdout.flush
end
