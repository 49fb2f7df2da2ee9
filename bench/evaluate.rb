# Compiles the manifest on standard input with real Puppet: {"milliseconds": TIME, "said": THE LAST NOTICE}.
require 'json'
require 'tmpdir'
require 'puppet'
require 'puppet/pops'
require 'puppet/parser/compiler'

NODE = 'test.example.com'
SAID = []

home = Dir.mktmpdir
at_exit { FileUtils.remove_entry(home) }
Puppet.initialize_settings(%w[confdir vardir codedir rundir logdir].map { |name| "--#{name}=#{home}/#{name}" })
Puppet::Util::Log.close_all
Puppet::Util::Log.newdesttype(:memory) do
  match 'memory'
  define_method(:handle) { |log| SAID << log.message.to_s }
end
Puppet::Util::Log.newdestination('memory')

def compile(code)
  environment = Puppet::Node::Environment.create(:production, [])
  loaders = Puppet::Pops::Loaders.new(environment)
  Puppet.override({ current_environment: environment, environments: Puppet::Environments::Static.new(environment), loaders: loaders }, 'bench') do
    Puppet[:code] = code
    node = Puppet::Node.new(NODE, facts: Puppet::Node::Facts.new(NODE, {}), environment: environment)
    Puppet::Parser::Compiler.compile(node)
  end
end

compile('notice(1)')
code = $stdin.read
start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
compile(code)
milliseconds = (Process.clock_gettime(Process::CLOCK_MONOTONIC) - start) * 1000
puts JSON.generate(milliseconds: milliseconds, said: SAID.last)
