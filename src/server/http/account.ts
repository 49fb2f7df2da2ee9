import type { Client } from './client.ts'

/** Whom budgets count: a node or a token by its name, others by the address. A name may read as an address does. */
export function accountOf({ certname, token, address }: Client): string {
  if (certname !== undefined) return `node ${certname}`
  return token ? `token ${token.name}` : `address ${networkOf(address)}`
}

/** An address, of IPv6 the first 64 bits: one host has all of the others. A connection that is gone has none. */
export function networkOf(address: string | undefined): string {
  if (address === undefined) return ''
  if (!address.includes(':') || address.includes('.')) return address
  const [before = '', after] = address.split('%')[0]!.split('::')
  const groups = (text: string | undefined) => (text ? text.split(':') : [])
  const missing = 8 - groups(before).length - groups(after).length
  const all = after === undefined ? groups(before) : [...groups(before), ...Array(missing).fill('0'), ...groups(after)]
  return `${all.slice(0, 4).join(':')}::/64`
}
