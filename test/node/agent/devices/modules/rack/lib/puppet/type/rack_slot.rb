require 'puppet/resource_api'

Puppet::ResourceApi.register_type(
  name: 'rack_slot',
  desc: 'A slot of a rack.',
  features: %w[remote_resource],
  attributes: {
    ensure: { type: 'Enum[present, absent]', desc: 'Whether it is taken.', default: 'present' },
    name: { type: 'String', desc: 'Its name.', behaviour: :namevar },
    device: { type: 'Optional[String]', desc: 'What is in it.' }
  }
)
