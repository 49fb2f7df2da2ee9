import { isIP } from 'node:net'
import type { ExactJson } from '../../../../base/json/exact-json.ts'
import { defineFacts, omitUndefined } from '../../fact.ts'
import type { InterfaceAddress } from '../../machine.ts'
import { type Binding, createBinding, toNetmask } from '../addresses.ts'
import {
  addMainBinding,
  createNetworkingFacts,
  findUsableInterface,
  type Interface,
  networkingNames,
} from '../networking.ts'
import { type InventoryItem, readInventory, toList, toText } from './inventory.ts'
import { readRegistryKey } from './registry.ts'

/** Host names and addresses. Without PowerShell, DHCP servers and MTUs are missing. */
export const networking = defineFacts(networkingNames, async (machine) => {
  const [inventory, tcpip] = await Promise.all([
    readInventory(machine),
    readRegistryKey(machine, String.raw`SYSTEM\CurrentControlSet\Services\Tcpip\Parameters`),
  ])
  const adapters = (inventory?.adapters ?? []).filter(isUsableAdapter)
  const hasAdapters = (inventory?.adapters.length ?? 0) > 0
  const interfaces = hasAdapters ? createInterfaces(adapters) : groupAddresses(machine.addresses())
  const domain = tcpip['domain'] || (adapters.map(({ Suffix }) => toText(Suffix)).find(Boolean) ?? '')
  const [hostname = ''] = machine.hostname.split('.')
  const names = { hostname, domain, fqdn: domain === '' ? hostname : `${hostname}.${domain}` }
  return {
    ...createNetworkingFacts(names, interfaces, findUsableInterface(interfaces)),
    'networking.interfaces': Object.keys(interfaces).length === 0 ? undefined : interfaces,
  }
})

/** Numbers of interface types (RFC 2863): Ethernet and wireless LAN. */
const usableTypes: readonly unknown[] = [6, 71]
/** The number of the operational status `up`. */
const up = 1

const isUsableAdapter = ({ Name, Type, Status }: InventoryItem): boolean =>
  toText(Name) !== undefined && usableTypes.includes(Type) && Status === up

function createInterfaces(adapters: readonly InventoryItem[]): Record<string, Interface> {
  return Object.fromEntries(adapters.map((adapter) => [toText(adapter['Name']) ?? '', createInterface(adapter)]))
}

function createInterface({ Addresses, Dhcp, Mac, Mtu }: InventoryItem): Interface {
  const bindings = toList(Addresses).flatMap((each) => parseBinding(each) ?? [])
  const dhcp = toText(Dhcp)
  return omitUndefined({
    ...splitBindings(bindings),
    dhcp: dhcp !== undefined && isIP(dhcp) !== 0 && dhcp !== '255.255.255.255' ? dhcp : undefined,
    mac: toText(Mac)
      ?.match(/[0-9A-F]{2}/g)
      ?.join(':'),
    mtu: typeof Mtu === 'number' ? Mtu : undefined,
  })
}

/** The binding of `192.0.2.2/24` or `fe80::1%4/64`. */
function parseBinding(text: ExactJson): Binding | undefined {
  const [, address = '', length = ''] = /^([\d.a-f:]{1,45})(?:%\d+)?\/(\d{1,3})$/i.exec(toText(text) ?? '') ?? []
  const version = isIP(address)
  const isPossible = version !== 0 && Number(length) <= (version === 6 ? 128 : 32)
  return isPossible ? createBinding(address, toNetmask(Number(length), version === 6)) : undefined
}

const splitBindings = (bindings: readonly Binding[]) =>
  addMainBinding(
    bindings.filter(({ address }) => !address.includes(':')),
    bindings.filter(({ address }) => address.includes(':')),
  )

/** The interfaces with the addresses that the kernel reports, without loopback. */
function groupAddresses(addresses: readonly InterfaceAddress[]): Record<string, Interface> {
  const found = new Map<string, { readonly mac: string | undefined; readonly bindings: Binding[] }>()
  for (const { interface: name, address, netmask, mac } of addresses) {
    if (address === '::1' || address.startsWith('127.')) continue
    const known = found.get(name) ?? { mac, bindings: [] }
    known.bindings.push(createBinding(address, netmask))
    found.set(name, known)
  }
  return Object.fromEntries(
    Array.from(found, ([name, { mac, bindings }]) => [
      name,
      omitUndefined({ ...splitBindings(bindings), mac: mac?.toUpperCase() }),
    ]),
  )
}
