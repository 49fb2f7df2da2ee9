#!/usr/bin/env ruby
# Asks real Puppet what expressions are worth. Reads a JSON object a line: {"manifest": TEXT, "strict": LEVEL,
# "strict_variables": BOOLEAN, "modulepath": [PATH...]?, "facts": HASH?}; prints one a line: {"logs": [[level, message]...], "error": MESSAGE?}.
require 'json'
require 'tmpdir'
require 'timeout'
require 'puppet'
require 'puppet/pops'
require 'puppet/parser/compiler'

NODE = 'test.example.com'
SAID = []

home = Dir.mktmpdir
at_exit { FileUtils.remove_entry(home) }
Puppet.initialize_settings(%w[confdir vardir codedir rundir logdir publicdir].map { |name| "--#{name}=#{home}/#{name}" })
Puppet::Util::Log.close_all
Puppet::Util::Log.newdesttype(:memory) do
  match 'memory'
  define_method(:handle) { |log| SAID << [log.level.to_s, log.message.to_s] }
end
Puppet::Util::Log.newdestination('memory')

def answer(question)
  SAID.clear
  # Puppet forgets to leave a type set that it has printed: what it prints next would use that one's names
  Puppet::Pops::Types::TypeFormatter.singleton.instance_variable_set(:@type_set, nil)
  environment = Puppet::Node::Environment.create(:production, question.fetch('modulepath', []))
  context = { current_environment: environment, environments: Puppet::Environments::Static.new(environment), loaders: Puppet::Pops::Loaders.new(environment) }
  Puppet.override(context, 'a case') do
    Puppet[:strict] = question.fetch('strict').to_sym
    Puppet[:strict_variables] = question.fetch('strict_variables')
    Puppet[:code] = question.fetch('manifest')
    facts = question.fetch('facts', {})
    node = Puppet::Node.new(NODE, facts: Puppet::Node::Facts.new(NODE, facts), environment: environment)
    node.merge(facts)
    Timeout.timeout(30) { Puppet::Parser::Compiler.compile(node) }
  end
  {}
rescue StandardError, ScriptError, SystemStackError, NoMemoryError, Timeout::Error => e
  { error: e.message.delete_suffix(" on node #{NODE}") }
end

$stdin.each_line do |line|
  result = answer(JSON.parse(line))
  puts JSON.generate(result.merge(logs: SAID.reject { |level, _| %w[debug info].include?(level) }))
  $stdout.flush
end
