# Log messages of each example in `@logs`.
ARGV.clear
require 'pathname'
require 'tmpdir'
require 'puppetlabs_spec_helper/puppetlabs_spec/files'

RSpec.configure do |configuration|
  configuration.before(:each) { PlumbSpec.collect_logs(@logs = []) }
  configuration.after(:each) { PlumbSpec.collect_logs(nil) }
end
