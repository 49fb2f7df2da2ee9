require 'puppet/resource_api'

Puppet::ResourceApi.register_type(
  name: 'dsc_share',
  docs: 'A shared folder, as generated DSC modules declare one.',
  title_patterns: [
    { pattern: %r{\A(?<name>[^|]+)\|(?<dsc_scope>.+)\z}, desc: 'name|scope' },
    { pattern: %r{\A(?<name>.+)\z}, desc: 'name' },
  ],
  attributes: {
    ensure: { type: 'Enum[present, absent]', desc: 'Whether it exists.', default: 'present' },
    name: { type: 'String', desc: 'A name.', behaviour: :namevar },
    dsc_scope: { type: 'String', desc: 'A scope.', behaviour: :namevar, default: '*' },
    dsc_path: { type: 'Optional[String]', desc: 'The folder.' },
    dsc_access: { type: "Optional[Array[Enum['Full', 'Change', 'Read']]]", desc: 'Rights.' },
    dsc_limit: { type: 'Optional[Integer[0, 4294967295]]', desc: 'Users.' },
    dsc_credential: { type: 'Optional[Struct[{ user => String[1], password => Sensitive[String[1]] }]]', desc: 'An account.' },
  },
)
