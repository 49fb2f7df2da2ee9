# Runs a suite: `ruby start.rb FILE`, with the JSON file of options that the command wrote.
require 'json'

$LOAD_PATH.unshift(File.join(__dir__, 'lib'), __dir__)
require 'plumb_spec/session'

PlumbSpec.config = JSON.parse(File.read(ARGV.shift))
PlumbSpec.config['loadPath'].reverse_each { |path| $LOAD_PATH.unshift(path) }
Gem.use_paths(Gem.dir, [*PlumbSpec.config['gemPaths'], *Gem.path].uniq) unless PlumbSpec.config['gemPaths'].empty?

begin
  require 'rspec/core'
  require 'rspec/expectations'
  require 'rspec/mocks'
rescue LoadError
  exit 97
end

Encoding.default_external = Encoding::UTF_8
PUPPETVERSION = PlumbSpec.config['puppetVersion']
require 'plumb_spec/prelude'
PlumbSpec.load_prelude(PlumbSpec.config['prelude'])
require 'plumb_spec/socket_transport'
require 'plumb_spec/forked_worker'
require 'plumb_spec/load_watch'
require 'plumb_spec/runner'
RSpec::Core::Runner.trap_interrupt
runner = PlumbSpec::Runner.create(PlumbSpec.config['arguments'])
runner.setup($stderr, $stdout)
PlumbSpec::LoadWatch.stop
exit runner.run_loaded
