import type { Value } from '../../../language/values/value.ts'
import {
  addAliases,
  anyKind,
  createEnumKind,
  createListKind,
  createParsedKind,
  textKind,
  toPlainText,
} from '../attribute-kinds.ts'
import { failWithFormError } from '../issues.ts'
import { hostKeyTypes, keyAliases } from '../ssh-key-types.ts'
import { defineEnsure, defineNamevar, defineParameter, defineProperty, defineType } from '../type.ts'

const keyType = addAliases(createEnumKind(...hostKeyTypes), keyAliases)

const alias = createParsedKind((value: Value): string => {
  const name = toPlainText(value)
  if (/\s/.test(name)) failWithFormError('Aliases cannot include whitespace')
  if (name.includes(',')) failWithFormError('Aliases must be provided as an array, not a comma-separated list')
  return name
})

const hostName = createParsedKind((value: Value): string => {
  const name = toPlainText(value)
  if (/\s/.test(name)) failWithFormError('Resourcename cannot include whitespaces')
  if (name.includes(','))
    failWithFormError('No comma in resourcename allowed. If you want to specify aliases use the host_aliases property')
  return name
})

/** The resource type `sshkey`: SSH host keys in known_hosts files. */
export const sshkey = defineType('sshkey', {
  doc: 'Installs and manages ssh host keys.',
  attributes: {
    ensure: defineEnsure('`present` adds the key, `absent` removes it.'),
    key: defineProperty(textKind, 'The host key, without type and spaces.'),
    host_aliases: defineProperty(createListKind(alias), 'The aliases of the host.'),
    target: defineProperty(anyKind, 'The file that contains the key.', { default: '/etc/ssh/ssh_known_hosts' }),
    name: defineNamevar(hostName, 'The host name of the key.'),
    type: defineNamevar(keyType, 'The encryption type.'),
    provider: defineParameter(anyKind, 'The backend.'),
  },
  fromTitle(title): Record<string, string> {
    const [, name, type] = /^([^@]*)@(.*)$/s.exec(title) ?? []
    return name === undefined || type === undefined ? { name: title } : { name, type }
  },
  ownTitle: (get) => `${get('name')}@${get('type') ?? ''}`,
})
