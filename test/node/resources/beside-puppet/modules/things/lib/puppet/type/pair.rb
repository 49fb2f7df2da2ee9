require 'puppet/resource_api'

Puppet::ResourceApi.register_type(
  name: 'pair',
  desc: 'Two names for one thing.',
  features: ['custom_insync'],
  title_patterns: [{ pattern: /^(?<folder>.*)\/(?<leaf>[^\/]*)$/, desc: 'Both.' }],
  attributes: {
    ensure: { type: 'Enum[present, absent]', desc: 'Whether it is there.', default: 'present' },
    folder: { type: 'String', desc: 'The folder.', behaviour: :namevar },
    leaf: { type: 'String', desc: 'The file in it.', behaviour: :namevar },
    size: { type: 'Optional[Integer]', desc: 'At least so many bytes.' }
  }
)
