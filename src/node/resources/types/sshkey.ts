import type { Value } from '../../../language/values/value.ts'
import { complainAboutForm } from '../issues.ts'
import { anything, listOf, oneOf, parsedBy, plain, text, withAliases } from '../kind.ts'
import { hostKeyTypes, keyAliases } from '../ssh-key-types.ts'
import { defineType, ensurable, namevar, parameter, property } from '../type.ts'

const keyType = withAliases(oneOf(...hostKeyTypes), keyAliases)

const alias = parsedBy((value: Value): string => {
  const name = String(plain(value))
  if (/\s/.test(name)) complainAboutForm('Aliases cannot include whitespace')
  if (name.includes(',')) complainAboutForm('Aliases must be provided as an array, not a comma-separated list')
  return name
})

const hostName = parsedBy((value: Value): string => {
  const name = String(plain(value))
  if (/\s/.test(name)) complainAboutForm('Resourcename cannot include whitespaces')
  if (name.includes(','))
    complainAboutForm('No comma in resourcename allowed. If you want to specify aliases use the host_aliases property')
  return name
})

/** SSH host keys in known_hosts files. */
export const sshkey = defineType('sshkey', {
  doc: 'Installs and manages ssh host keys.',
  attributes: {
    ensure: ensurable('`present` adds the key, `absent` removes it.'),
    key: property(text, 'The host key, without type and spaces.'),
    host_aliases: property(listOf(alias), 'The aliases of the host.'),
    target: property(anything, 'The file that contains the key.', { default: '/etc/ssh/ssh_known_hosts' }),
    name: namevar(hostName, 'The host name of the key.'),
    type: namevar(keyType, 'The encryption type.'),
    provider: parameter(anything, 'The backend.'),
  },
  fromTitle(title): Record<string, string> {
    const [, name, type] = /^([^@]*)@(.*)$/s.exec(title) ?? []
    return name === undefined || type === undefined ? { name: title } : { name, type }
  },
  ownTitle: (get) => `${get('name')}@${get('type') ?? ''}`,
})
