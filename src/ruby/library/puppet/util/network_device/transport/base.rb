# A connection to a device that answers commands, for the transports of older modules.
class Puppet::Util::NetworkDevice::Transport::Base
  attr_accessor :user, :password, :host, :port, :default_prompt, :timeout

  def initialize
    @timeout = 10
  end

  def send(_command); end
  def expect(_prompt); end

  def command(text, options = {})
    send(text)
    expect(options[:prompt] || default_prompt) { |output| yield output if block_given? }
  end
end
