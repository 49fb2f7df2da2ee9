require 'puppet/resource_api'

Puppet::ResourceApi.register_type(
  name: 'entry',
  desc: 'An entry of a file, by the Resource API.',
  features: %w[canonicalize simple_get_filter],
  attributes: {
    ensure: { type: 'Enum[present, absent]', desc: 'Whether it is there.', default: 'present' },
    name: { type: 'String', desc: 'The file and the key.', behaviour: :namevar },
    value: { type: 'Optional[String]', desc: 'The value.' },
    count: { type: 'Optional[Integer]', desc: 'A number.' },
    flag: { type: 'Optional[Boolean]', desc: 'A flag.' },
    comment: { type: 'Optional[String]', desc: 'Only said.', behaviour: :parameter }
  },
  autorequire: { file: '$comment' }
)
