import type { ExactJson } from '../../../base/json/exact-json.ts'
import { defineFacts, omitUndefined, readTextFile, readTrimmedText } from '../fact.ts'
import type { Machine } from '../machine.ts'
import { type Binding, compressV6, createBinding, findMainBinding, isLocalAddress, toNetmask } from './addresses.ts'
import { findDhcpServer } from './dhcp.ts'
import { readHostNames } from './hostname.ts'

/** A network interface, as in the fact `networking.interfaces`. */
export type Interface = Record<string, ExactJson>

const ofPrimary = [
  ...['networking.dhcp', 'networking.ip', 'networking.ip6', 'networking.mac', 'networking.mtu', 'networking.netmask'],
  ...['networking.netmask6', 'networking.network', 'networking.network6', 'networking.scope6'],
] as const

/** Names of the networking facts. */
export const networkingNames = [
  ...['networking.domain', 'networking.fqdn', 'networking.hostname', 'networking.interfaces', 'networking.primary'],
  ...ofPrimary,
] as const

/** Host names and addresses. */
export const networking = defineFacts(networkingNames, async (machine) => {
  const [{ hostname, domain, fqdn }, interfaces] = await Promise.all([
    readHostNames(machine),
    machine.once(readInterfaces),
  ])
  return createNetworkingFacts({ hostname, domain, fqdn }, interfaces, await findPrimaryInterface(machine, interfaces))
})

/** The networking facts for the given interfaces, one of which is the primary interface. */
export function createNetworkingFacts(
  { hostname, domain, fqdn }: Awaited<ReturnType<typeof readHostNames>>,
  interfaces: Readonly<Record<string, Interface>>,
  primary: string | undefined,
) {
  const main = primary === undefined ? undefined : interfaces[primary]
  const addresses = ofPrimary.map((name) => [name, main?.[name.slice('networking.'.length)]] as const)
  return {
    'networking.domain': domain,
    'networking.fqdn': fqdn,
    'networking.hostname': hostname,
    'networking.interfaces': interfaces,
    'networking.primary': primary,
    ...(Object.fromEntries(addresses) as Record<(typeof ofPrimary)[number], ExactJson | undefined>),
  }
}

async function findPrimaryInterface(
  machine: Machine,
  interfaces: Readonly<Record<string, Interface>>,
): Promise<string | undefined> {
  const routes = ((await readTextFile(machine, '/proc/net/route')) ?? '')
    .split('\n')
    .map((row) => row.trim().split('\t'))
  const all = '00000000'
  const found = routes.find(([name, to, , , , , , mask]) => to === all && mask === all && name !== '*')?.[0]
  return found ?? (await findPrimaryByRoutes(machine)) ?? findUsableInterface(interfaces)
}

async function findPrimaryByRoutes(machine: Machine): Promise<string | undefined> {
  const rows = (await machine.once(listRoutes)).split('\n').filter((row) => row.startsWith('default'))
  return rows.at(-1)?.trim().split(' ')[4]
}

/** The name of the first interface with an address that is not local. */
export function findUsableInterface(interfaces: Readonly<Record<string, Interface>>): string | undefined {
  const isUsable = ({ bindings = [], bindings6 = [] }: Interface) =>
    [...(bindings as unknown as Binding[]), ...(bindings6 as unknown as Binding[])].some(
      (each) => !isLocalAddress(each.address),
    )
  return Object.entries(interfaces).find(([, values]) => isUsable(values))?.[0]
}

const sysNet = '/sys/class/net'
const listRoutes = (machine: Machine) => machine.output(['ip', 'route', 'show'])
const listRoutes6 = (machine: Machine) => machine.output(['ip', '-6', 'route', 'show'])

/** The interfaces in alphabetical order. */
export async function readInterfaces(machine: Machine): Promise<Record<string, Interface>> {
  const listed = (await machine.files.list(sysNet)) ?? []
  const links: string[] = []
  for (const name of listed)
    if ((await readTrimmedText(machine, `${sysNet}/${name}/mtu`)) !== undefined) links.push(name)
  const bindings = await readBindings(machine, links)
  const all = [...new Set([...links, ...bindings.keys()])].sort()
  const entries = await Promise.all(
    all.map(async (name) => [name, await readInterface(machine, name, bindings.get(name) ?? [])] as const),
  )
  return Object.fromEntries(entries)
}

async function readInterface(machine: Machine, name: string, bindings: readonly Binding[]): Promise<Interface> {
  const readAttribute = (file: string) => readTrimmedText(machine, `${sysNet}/${name}/${file}`)
  const v4 = bindings.filter(({ address }) => !address.includes(':'))
  const v6 = bindings.filter(({ address }) => address.includes(':'))
  const mtu = await readAttribute('mtu')
  const isLink = mtu !== undefined
  const isPhysical = (await machine.files.stat(`${sysNet}/${name}/device`)) !== undefined
  const speed = isPhysical ? await readAttribute('speed') : undefined
  return omitUndefined({
    ...addMainBinding(v4, v6),
    dhcp: isLink ? await findDhcpServer(machine, name, await readAttribute('ifindex')) : undefined,
    duplex: isPhysical ? await readAttribute('duplex') : undefined,
    mac: isLink ? await readMacAddress(machine, name) : undefined,
    mtu: isLink ? Number(mtu) : undefined,
    operational_state: await readAttribute('operstate'),
    physical: isPhysical,
    speed: speed === undefined ? undefined : Number(speed),
  })
}

/** Bindings of an interface, with its main IPv4 and IPv6 binding. */
export function addMainBinding(v4: readonly Binding[], v6: readonly Binding[]) {
  const [best4, best6] = [findMainBinding(v4), findMainBinding(v6)]
  return {
    bindings: v4.length > 0 ? (v4 as unknown as ExactJson) : undefined,
    bindings6: v6.length > 0 ? (v6 as unknown as ExactJson) : undefined,
    ip: best4?.address,
    ip6: best6?.address,
    netmask: best4?.netmask,
    netmask6: best6?.netmask,
    network: best4?.network,
    network6: best6?.network,
    scope6: best6?.scope6,
  }
}

/** The MAC address. For a bonded interface, the permanent address, which the bond hides. */
async function readMacAddress(machine: Machine, name: string): Promise<string | undefined> {
  const master = (await machine.files.readLink(`${sysNet}/${name}/master`))?.split('/').at(-1)
  const bond = master && (await readTextFile(machine, `/proc/net/bonding/${master}`))
  const part = bond?.split('Slave Interface: ').find((each) => each.startsWith(`${name}\n`))
  const mac =
    /Permanent HW addr: (\S*)/.exec(part ?? '')?.[1] ??
    (await readTrimmedText(machine, `${sysNet}/${name}/address`)) ??
    ''
  return mac !== '00:00:00:00:00:00' && /^(?:[0-9a-f]{2}[:-]){5,19}[0-9a-f]{2}$/i.test(mac) ? mac : undefined
}

/**
 * Bindings by interface: from the kernel for active interfaces, from `ip` for the others. Includes
 * source addresses of routes.
 */
async function readBindings(machine: Machine, links: readonly string[]): Promise<Map<string, Binding[]>> {
  const found = new Map<string, Binding[]>()
  const add = (name: string, binding: Binding) => {
    const all = found.get(name) ?? []
    if (!all.some(({ address }) => address === binding.address)) found.set(name, [...all, binding])
  }
  const flags = await readAddressFlags(machine)
  const addresses = machine.addresses()
  const running = new Set(addresses.map((each) => each.interface))
  const others = links.some((name) => !running.has(name)) ? await readIpAddresses(machine) : []
  for (const { interface: name, address, netmask } of [...addresses, ...others]) {
    const binding = createBinding(address, netmask)
    add(name, address.includes(':') ? { ...binding, flags: flags.get(address) ?? [] } : binding)
  }
  const [lines, lines6] = await Promise.all([machine.once(listRoutes), machine.once(listRoutes6)])
  for (const row of [...lines.split('\n'), ...lines6.split('\n').filter((each) => each.includes(':'))]) {
    const words = row.split(/\s+/)
    const [name, source] = ['dev', 'src'].map((word) =>
      words.includes(word) ? words[words.indexOf(word) + 1] : undefined,
    )
    if (name && source && links.includes(name) && !words.includes('linkdown')) add(name, { address: source })
  }
  return found
}

/** Addresses of all interfaces, including inactive ones: `2: eth0    inet 192.0.2.2/24 scope global eth0`. */
async function readIpAddresses(machine: Machine) {
  const rows = (await machine.output(['ip', '-o', 'addr', 'show'])).split('\n')
  return rows.flatMap((row) => {
    const [, name, family, address = '', length] = /^\d+:\s+(\S+)\s+(inet6?)\s+([^/\s]+)\/(\d+)/.exec(row) ?? []
    if (name === undefined) return []
    const label = family === 'inet' ? row.replace(/\\.*/s, '').trim().split(/\s+/).at(-1)! : name
    return [{ interface: label, address, netmask: toNetmask(Number(length), family === 'inet6') }]
  })
}

const flagNames: readonly (readonly [number, string])[] = [
  [0x01, 'temporary'],
  [0x02, 'noad'],
  [0x04, 'optimistic'],
  [0x08, 'dadfailed'],
  [0x10, 'homeaddress'],
  [0x20, 'deprecated'],
  [0x40, 'tentative'],
  [0x80, 'permanent'],
]

async function readAddressFlags(machine: Machine): Promise<Map<string, readonly string[]>> {
  const rows = ((await readTextFile(machine, '/proc/net/if_inet6')) ?? '').split('\n').filter(Boolean)
  return new Map(
    rows.map((row) => {
      const [hex = '', , , , bits = '0'] = row.trim().split(/\s+/)
      const groups = hex.match(/.{4}/g)?.map((group) => Number.parseInt(group, 16)) ?? []
      const set = Number.parseInt(bits, 16)
      return [compressV6(groups), flagNames.filter(([bit]) => set & bit).map(([, name]) => name)] as const
    }),
  )
}
