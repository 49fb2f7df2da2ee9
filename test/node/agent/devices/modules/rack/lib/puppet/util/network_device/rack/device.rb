require 'puppet/util/network_device'
require 'puppet/resource_api/transport/wrapper'

# The device of the transport.
module Puppet::Util::NetworkDevice::Rack; end

class Puppet::Util::NetworkDevice::Rack::Device < Puppet::ResourceApi::Transport::Wrapper
  def initialize(url_or_config, _options = {})
    super('rack', url_or_config)
  end
end
