require 'puppet/resource_api/simple_provider'

module Puppet::Provider::Safe; end
class Puppet::Provider::Safe::Safe < Puppet::ResourceApi::SimpleProvider
  def get(_context) = []

  def create(_context, name, should)
    classes = should.values_at(:secret, :key, :ratio).map { |each| each.class.name[/\w+\z/] }
    File.write(name, "#{should[:secret].unwrap}#{should[:key]&.unwrap} #{classes.join(' ')}")
  end
end
