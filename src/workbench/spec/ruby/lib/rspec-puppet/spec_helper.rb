# Settings of a module with its fixtures in spec/fixtures.
require 'rspec-puppet'

RSpec.configure do |configuration|
  fixtures = File.join(Dir.pwd, 'spec', 'fixtures')
  configuration.module_path = File.join(fixtures, 'modules')
  configuration.manifest_dir = File.join(fixtures, 'manifests')
  configuration.environmentpath = File.join(Dir.pwd, 'spec')
end
