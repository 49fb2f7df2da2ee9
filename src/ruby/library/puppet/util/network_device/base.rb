require 'uri'
require 'puppet/util/network_device/transport/base'

# A device of an older module, which is reached by a transport that is named like the scheme of its URL (`ssh`, `telnet`).
class Puppet::Util::NetworkDevice::Base
  PORTS = { 'ssh' => 22, 'telnet' => 23 }.freeze
  attr_accessor :url, :transport

  def initialize(url, options = {})
    @url = URI.parse(url)
    @autoloader = Puppet::Util::Autoload.new(self, 'puppet/util/network_device/transport')
    connect(options[:debug]) if @autoloader.load(@url.scheme, Puppet.lookup(:current_environment))
  end

  private

  def connect(debug)
    @transport = Puppet::Util::NetworkDevice::Transport.const_get(@url.scheme.capitalize).new(debug)
    @transport.host = @url.host
    @transport.port = @url.port || PORTS[@url.scheme]
    @transport.user = @url.user
    @transport.password = @url.password
  end
end
