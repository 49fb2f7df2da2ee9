require 'puppet/resource_api'

Puppet::ResourceApi.register_type(
  name: 'safe',
  desc: 'A file with secrets, by the Resource API without canonicalize.',
  features: [],
  attributes: {
    ensure: { type: 'Enum[present, absent]', desc: 'Whether the file exists.', default: 'present' },
    name: { type: 'String', desc: 'The file.', behaviour: :namevar },
    secret: { type: 'Sensitive[String]', desc: 'The content.' },
    key: { type: 'Optional[Sensitive[String]]', desc: 'Appended to the content.', behaviour: :parameter },
    ratio: { type: 'Optional[Float]', desc: 'A float.' }
  }
)
