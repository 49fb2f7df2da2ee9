import { BlockList, isIP } from 'node:net'
import { throwIssue } from '../../base/issue.ts'
import { outsideIssues } from './issues.ts'

/**
 * IPv4 networks whose addresses do not belong to a single machine on the public internet (IANA's registry of
 * special-purpose addresses): this network, private, shared, loopback, link-local with the metadata services of clouds,
 * protocol assignments, documentation, relays, benchmarks, multicast, reserved.
 */
const special4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.31.196.0/24', '192.52.193.0/24', '192.88.99.0/24', '192.168.0.0/16', '192.175.48.0/24'],
  ...['198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
]

/**
 * The public part of the IPv6 address space. All other addresses are unassigned, contain an IPv4 address
 * (`::ffff:10.0.0.1`, `64:ff9b::…`), or are for a link, a site or a group.
 */
const public6 = ['2000::/3']

/**
 * Networks in the public part that are for protocols and documentation. Addresses of Teredo and 6to4 contain IPv4
 * addresses.
 */
const special6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20']

const specialBlocks4 = parseNetworks(special4)
const publicBlocks6 = parseNetworks(public6)
const specialBlocks6 = parseNetworks(special6)

/** Returns true if the address may belong to a machine on the public internet. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !specialBlocks4.check(address, 'ipv4')
  return isIP(address) === 6 && publicBlocks6.check(address, 'ipv6') && !specialBlocks6.check(address, 'ipv6')
}

/** Returns true if the address is in one of the networks. */
export function isInNetworks(list: BlockList, address: string): boolean {
  return list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6')
}

/** Parses the addresses and networks in a setting. Throws NOT_A_NETWORK. */
export function parseNetworks(given: readonly string[]): BlockList {
  const list = new BlockList()
  for (const each of given) {
    const [address = '', length, ...rest] = each.split('/')
    const version = isIP(address)
    const bits = length === undefined ? (version === 4 ? 32 : 128) : Number(length)
    const isLength = length === undefined || (/^\d{1,3}$/.test(length) && bits <= (version === 4 ? 32 : 128))
    if (version === 0 || !isLength || rest.length > 0) throwIssue(outsideIssues.NOT_A_NETWORK, { given: each })
    list.addSubnet(address, bits, version === 4 ? 'ipv4' : 'ipv6')
  }
  return list
}
