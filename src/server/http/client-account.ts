import type { Client } from './client.ts'

/**
 * Key under which limits count a client: certname or token, otherwise address. The prefix prevents
 * collisions between them.
 */
export function toAccountKey({ certname, token, address }: Client): string {
  if (certname !== undefined) return `node ${certname}`
  return token ? `token ${token.name}` : `address ${toNetwork(address)}`
}

/**
 * Network of an address: the first 64 bits of an IPv6 address, since one host may use the whole
 * /64. Empty for a closed connection.
 */
export function toNetwork(address: string | undefined): string {
  if (address === undefined) return ''
  if (!address.includes(':') || address.includes('.')) return address
  const [before = '', after] = address.split('%')[0]!.split('::')
  const splitGroups = (text: string | undefined) => (text ? text.split(':') : [])
  const missing = 8 - splitGroups(before).length - splitGroups(after).length
  const all =
    after === undefined
      ? splitGroups(before)
      : [...splitGroups(before), ...Array(missing).fill('0'), ...splitGroups(after)]
  return `${all.slice(0, 4).join(':')}::/64`
}
