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
rescue LoadError => error
  warn "RSpec is not installed: #{error.message}"
  exit 97
end

Encoding.default_external = Encoding::UTF_8
PUPPETVERSION = PlumbSpec.config['puppetVersion']
require 'plumb_spec/prelude'
PlumbSpec.load_prelude(PlumbSpec.config['prelude'])
require 'plumb_spec/load_watch'
require 'plumb_spec/runner'
exit PlumbSpec::Runner.run(PlumbSpec.config['arguments'], $stderr, $stdout)
