require 'puppet/resource_api/simple_provider'

module Puppet::Provider::RackSlot; end

# Slots as the transport has them.
class Puppet::Provider::RackSlot::Rack < Puppet::ResourceApi::SimpleProvider
  def get(context)
    context.transport.slots.map { |name, device| { name: name, ensure: 'present', device: device } }
  end

  def create(context, name, should)
    raise "#{name} does not fit into #{File.basename(context.device.path)}" if should[:device] == 'piano'

    context.notice("Putting in #{name}")
    context.transport.slots = context.transport.slots.merge(name => should[:device])
  end
  alias update create

  def delete(context, name)
    context.transport.slots = context.transport.slots.reject { |each,| each == name }
  end
end
