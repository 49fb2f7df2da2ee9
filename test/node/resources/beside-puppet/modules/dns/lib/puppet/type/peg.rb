require 'puppet/resource_api'

Puppet::ResourceApi.register_type(
  name: 'peg',
  desc: 'A file of a folder, by the Resource API.',
  attributes: {
    ensure: { type: 'Enum[present, absent]', desc: 'Whether it is there.', default: 'present' },
    name: { type: 'String', desc: 'The name.', behaviour: :namevar },
    colour: { type: 'Optional[String]', desc: 'Its content.' }
  }
)
