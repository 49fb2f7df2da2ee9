# The helper of modules with puppetlabs_spec_helper.
require 'rspec-puppet'
require 'puppetlabs_spec_helper/puppet_spec_helper'
require 'puppetlabs_spec_helper/puppetlabs_spec/puppet_internals'

def param_value(subject, type, title, param) = subject.resource(type, title).send(:parameters)[param.to_sym]

def verify_contents(subject, title, expected_lines)
  lines = subject.resource('file', title).send(:parameters)[:content].split("\n")
  expect(lines & expected_lines).to match_array(expected_lines.uniq)
end

fixtures = File.expand_path(File.join(Dir.pwd, 'spec', 'fixtures'))
modules = [File.join(fixtures, 'modules'), *ENV['MODULEPATH']].join(File::PATH_SEPARATOR)
PlumbSpec.add_spec_libraries(modules)

RSpec.configure do |configuration|
  configuration.environmentpath = File.dirname(fixtures)
  configuration.module_path = modules
  configuration.manifest_dir = File.join(fixtures, 'manifests')
  configuration.before(:each) do
    if configuration.mock_framework.framework_name == :rspec
      allow(Puppet.features).to receive(:root?).and_return(true)
    else
      Puppet.features.stubs(:root?).returns(true)
    end
    Puppet.settings[:strict_variables] = true unless ENV['STRICT_VARIABLES'] == 'no'
  end
end
