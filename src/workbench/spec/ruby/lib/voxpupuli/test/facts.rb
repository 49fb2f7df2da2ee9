# Facts of suites with voxpupuli-test.
require 'rspec-puppet-facts'
include RspecPuppetFacts

# Returns a copy of facts with changed parts. Parts of structured facts have names of the kind String.
def override_facts(base_facts, **overrides)
  PlumbSpec::Facts.overridden(Marshal.load(Marshal.dump(base_facts)), overrides)
end

# Adds the facts that modules in the dependencies of metadata.json would define.
def add_mocked_facts! = add_facts_for_metadata(RspecPuppetFacts.metadata)

def add_facts_for_metadata(metadata)
  names = Array(metadata && metadata['dependencies']).map { |each| each['name'].to_s.sub('-', '/') }
  add_stdlib_facts if names.include?('puppetlabs/stdlib')
  return if (names & %w[camptocamp/systemd puppet/systemd]).empty?

  key = RSpec.configuration.facterdb_string_keys ? 'service_provider' : :service_provider
  add_custom_fact('systemd', ->(_, facts) { facts[key] == 'systemd' })
end

def add_stdlib_facts
  add_custom_fact('puppet_environmentpath', '/etc/puppetlabs/code/environments')
  add_custom_fact('puppet_vardir', '/opt/puppetlabs/puppet/cache')
  add_custom_fact('root_home', '/root')
  key = RSpec.configuration.facterdb_string_keys ? 'os' : :os
  add_custom_fact('service_provider', ->(_, facts) { PlumbSpec::Facts.service_provider(facts[key]) })
end
