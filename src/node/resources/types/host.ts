import { isIP, isIPv4 } from 'node:net'
import { withoutTrailing } from '../../../base/text/trailing.ts'
import type { Value } from '../../../language/values/value.ts'
import { complain, complainAboutForm } from '../issues.ts'
import { anything, inspect, parsedBy, plain } from '../kind.ts'
import { defineType, ensurable, namevar, parameter, property } from '../type.ts'

const address = parsedBy((value: Value): string => {
  const given = String(plain(value))
  if (!isAddress(given)) complain(`Invalid IP address ${inspect(plain(value))}`)
  return given
})

/** Validates an address. As in Puppet, an IPv6 address may have spaces around it, and an IPv4 address leading zeros. */
function isAddress(given: string): boolean {
  if (/[\n\r]/.test(given)) return false
  const decimal = given.split('.').map((part) => (/^\d{1,3}$/.test(part) ? String(Number(part)) : part))
  return isIPv4(decimal.join('.')) || isIP(given.trim()) === 6
}

const aliases = {
  list: true as const,
  parse: (value: Value): string =>
    (Array.isArray(value) ? value : [value]).map((each) => alias(String(plain(each as Value)))).join(' '),
}

function alias(name: string): string {
  if (/\s/.test(name)) complainAboutForm('Host aliases cannot include whitespace')
  if (name === '')
    complainAboutForm('Host aliases cannot be an empty string. Use an empty array to delete all host_aliases ')
  return name
}

const comment = parsedBy((value: Value): string => {
  const given = String(plain(value))
  if (/[\n\r]/.test(given)) complainAboutForm('Comment cannot include newline')
  return given
})

const hostName = parsedBy((value: Value): string => {
  const name = String(plain(value))
  // Empty parts at the end are ignored, as by Ruby's `split`.
  for (const part of withoutTrailing(name, '.').split('.'))
    if (!/^(?:\w+|\w[\w-]+\w)$/m.test(part)) complainAboutForm('Invalid host name')
  if (/[\n\r]/.test(name)) complainAboutForm('Hostname cannot include newline')
  return name
})

/** Entries of /etc/hosts. */
export const host = defineType('host', {
  doc: 'Installs and manages host entries.',
  attributes: {
    ensure: ensurable('`present` adds the entry, `absent` removes it.'),
    ip: property(address, "The host's IP address, IPv4 or IPv6."),
    host_aliases: property(aliases, 'The aliases of the host, in order.', {
      inSync: (is, should) => (Array.isArray(is) ? is.join(' ') : '') === should,
      show: (is) => (Array.isArray(is) ? is.join(' ') : `'${String(is)}'`),
    }),
    comment: property(comment, 'A comment at the end of the line.'),
    target: property(anything, 'The file that contains the entry.', { default: '/etc/hosts' }),
    name: namevar(hostName, 'The host name.'),
    provider: parameter(anything, 'The backend.'),
  },
})
