# Which of these libraries the Ruby of this machine has: prints a JSON object of names, with the version or true.
require 'json'

def found(library)
  require library
  block_given? ? yield : true
rescue LoadError
  nil
end

def version_of_gem(name) = Gem::Specification.find_all_by_name(name).map { |each| each.version.to_s }.max

puts JSON.generate(
  'puppet' => found('puppet') { Puppet.version },
  'puppet-terminus-puppetdb' => found('puppet/util/puppetdb'),
  'hiera-eyaml' => found('hiera/backend/eyaml/encryptor'),
  'ruby-msgpack' => found('msgpack'),
  'RSpec' => found('rspec/expectations'),
  'rspec-puppet' => version_of_gem('rspec-puppet'),
  'puppetlabs_spec_helper' => version_of_gem('puppetlabs_spec_helper')
)
