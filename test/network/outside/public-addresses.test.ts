import { expect, it } from 'vitest'
import { isInNetworks, isPublicAddress, parseNetworks } from '../../../src/network/outside/public-addresses.ts'

it.each([
  ['8.8.8.8', true],
  ['192.0.3.1', true],
  ['172.32.0.1', true],
  ['2606:4700::1111', true],
  ['0.0.0.0', false],
  ['10.1.2.3', false],
  ['100.64.0.1', false],
  ['127.0.0.1', false],
  ['127.255.255.255', false],
  ['169.254.169.254', false],
  ['172.31.255.255', false],
  ['192.168.1.1', false],
  ['198.18.0.1', false],
  ['224.0.0.1', false],
  ['255.255.255.255', false],
  ['::', false],
  ['::1', false],
  ['::127.0.0.1', false],
  ['::ffff:127.0.0.1', false],
  ['::ffff:8.8.8.8', false],
  ['::ffff:7f00:1', false],
  ['64:ff9b::7f00:1', false],
  ['64:ff9b:1::1', false],
  ['2001::1', false],
  ['2002:7f00:1::', false],
  ['2001:db8::1', false],
  ['fc00::1', false],
  ['fd12::1', false],
  ['fe80::1', false],
  ['fe80::1%lo', false],
  ['fec0::1', false],
  ['ff02::1', false],
  ['fd00:ec2::254', false],
  ['localhost', false],
  ['', false],
])('takes %s for public: %s', (address, expected) => {
  expect(isPublicAddress(address)).toBe(expected)
})

it('knows networks of settings, also where an address of IPv4 is written as one of IPv6', () => {
  const list = parseNetworks(['10.1.2.0/24', '127.0.0.2', 'fd00::/8'])
  const within = ['10.1.2.9', '127.0.0.2', 'fd00::1', '::ffff:10.1.2.9', '10.1.3.1', '127.0.0.1', 'fe80::1']
  expect(within.map((address) => isInNetworks(list, address))).toEqual([true, true, true, true, false, false, false])
})

it.each(['10.0.0.0/33', '10.0.0.0/', '10.0.0', 'fd00::/129', 'host', '10.0.0.0/8/8', '10.0.0.0/-1', ''])(
  'refuses %s as a network',
  (given) => {
    expect(() => parseNetworks([given])).toThrow(
      `Invalid address or network '${given}' in the setting external_http_addresses`,
    )
  },
)
