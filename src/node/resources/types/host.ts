import { isIP, isIPv4 } from 'node:net'
import { trimTrailing } from '../../../base/text/trailing-characters.ts'
import type { Value } from '../../../language/values/value.ts'
import { isWindows } from '../../../machine/windows/machine-path.ts'
import { getSystemProgram } from '../../../machine/windows/system-programs.ts'
import { anyKind, createParsedKind, inspectPlainValue, toPlainText, toPlainValue } from '../attribute-kinds.ts'
import { failWithFormError, failWithMessage } from '../issues.ts'
import { defineEnsure, defineNamevar, defineParameter, defineProperty, defineType } from '../type.ts'

const address = createParsedKind((value: Value): string => {
  const given = toPlainText(value)
  if (!isValidAddress(given)) failWithMessage(`Invalid IP address ${inspectPlainValue(toPlainValue(value))}`)
  return given
})

/** Validates an address. As in Puppet, an IPv6 address may have spaces around it, and an IPv4 address leading zeros. */
function isValidAddress(given: string): boolean {
  if (/[\n\r]/.test(given)) return false
  const decimal = given.split('.').map((part) => (/^\d{1,3}$/.test(part) ? String(Number(part)) : part))
  return isIPv4(decimal.join('.')) || isIP(given.trim()) === 6
}

const aliases = {
  list: true as const,
  parse: (value: Value): string =>
    (Array.isArray(value) ? value : [value]).map((each) => checkAlias(toPlainText(each as Value))).join(' '),
}

function checkAlias(name: string): string {
  if (/\s/.test(name)) failWithFormError('Host aliases cannot include whitespace')
  if (name === '')
    failWithFormError('Host aliases cannot be an empty string. Use an empty array to delete all host_aliases ')
  return name
}

const comment = createParsedKind((value: Value): string => {
  const given = toPlainText(value)
  if (/[\n\r]/.test(given)) failWithFormError('Comment cannot include newline')
  return given
})

const hostName = createParsedKind((value: Value): string => {
  const name = toPlainText(value)
  // Empty parts at the end are ignored, as by Ruby's `split`.
  for (const part of trimTrailing(name, '.').split('.'))
    if (!/^(?:\w+|\w[\w-]+\w)$/m.test(part)) failWithFormError('Invalid host name')
  if (/[\n\r]/.test(name)) failWithFormError('Hostname cannot include newline')
  return name
})

/** The file that resolvers of this machine read. */
export const hostsFile: string = isWindows ? getSystemProgram('drivers/etc/hosts') : '/etc/hosts'

/** The resource type `host`: entries of /etc/hosts. */
export const hostType = defineType('host', {
  doc: 'Installs and manages host entries.',
  attributes: {
    ensure: defineEnsure('`present` adds the entry, `absent` removes it.'),
    ip: defineProperty(address, "The host's IP address, IPv4 or IPv6."),
    host_aliases: defineProperty(aliases, 'The aliases of the host, in order.', {
      inSync: (is, should) => (Array.isArray(is) ? is.join(' ') : '') === should,
      show: (is) => (Array.isArray(is) ? is.join(' ') : `'${String(is)}'`),
    }),
    comment: defineProperty(comment, 'A comment at the end of the line.'),
    target: defineProperty(anyKind, 'The file that contains the entry.', { default: hostsFile }),
    name: defineNamevar(hostName, 'The host name.'),
    provider: defineParameter(anyKind, 'The backend.'),
  },
})
