# The helper of modules with voxpupuli-test.
require 'rspec-puppet'
require 'voxpupuli/test/facts'

spec = File.expand_path(File.join(Dir.pwd, 'spec'))
modules = File.join(spec, 'fixtures', 'modules')
PlumbSpec.add_spec_libraries(modules)

RSpec.configure do |configuration|
  configuration.environmentpath = spec
  configuration.module_path = modules
  configuration.strict_variables = true
  configuration.facter_implementation = 'rspec'
  configuration.facterdb_string_keys = false
  configuration.before(:each) do
    if configuration.mock_framework.framework_name == :rspec
      allow(Puppet.features).to receive(:root?).and_return(true)
    else
      Puppet.features.stubs(:root?).returns(true)
    end
  end
  configuration.after(:suite) { RSpec::Puppet::Coverage.report! }
end
