import { hostname, networkInterfaces } from 'node:os'
import type { ExactJson } from '../../base/exact-json.ts'
import type { System } from '../../system/system.ts'
import { type FactSource, line, present } from '../fact.ts'

interface Binding {
  readonly address: string
  readonly netmask: string
  readonly network: string
  readonly scope6?: string
  readonly flags?: readonly string[]
}

/** Names and addresses. */
export const networking: FactSource = {
  name: 'networking',
  async find(system) {
    const [host = '', ...rest] = hostname().split('.')
    const domain = rest.length > 0 ? rest.join('.') : await domainOf(system, host)
    const interfaces = await interfacesOf(system)
    const primary = (await defaultInterface(system)) ?? firstWithAddress(interfaces)
    const main = (primary === undefined ? undefined : interfaces[primary]) ?? {}
    const { bindings: _, bindings6: __, ...addresses } = main as Record<string, ExactJson>
    const fqdn = domain === undefined ? host : `${host}.${domain}`
    return { networking: present({ domain, fqdn, hostname: host, interfaces, primary, ...addresses }) }
  },
}

async function domainOf(system: System, host: string): Promise<string | undefined> {
  const name = (await nameInHosts(system, host)) ?? (await nameOfHost(system))
  if (name.startsWith(`${host}.`)) return name.slice(host.length + 1)
  const resolv = (await system.files.readText('/etc/resolv.conf')) ?? ''
  return (/^[ \t]*domain[ \t]+(\S+)/m.exec(resolv) ?? /^[ \t]*search[ \t]+(\S+)/m.exec(resolv))?.[1]
}

/** The full name in /etc/hosts, where that is asked before all others (nsswitch.conf(5)). */
async function nameInHosts(system: System, host: string): Promise<string | undefined> {
  const order = (await system.files.readText('/etc/nsswitch.conf')) ?? ''
  if (!/^hosts:\s+files\b/m.test(order)) return undefined
  const rows = ((await system.files.readText('/etc/hosts')) ?? '').split('\n')
  const names = rows.map((row) => row.replace(/#.*/, '').trim().split(/\s+/).slice(1))
  return names.find((each) => each.includes(host))?.[0]
}

async function nameOfHost(system: System): Promise<string> {
  const full = await system.commands.run(['hostname', '-f']).catch(() => undefined)
  return full?.status === 0 ? full.stdout.trim() : ''
}

async function defaultInterface(system: System): Promise<string | undefined> {
  const routes = (await system.files.readText('/proc/net/route')) ?? ''
  return /^(\S+)\t00000000\t/m.exec(routes)?.[1]
}

function firstWithAddress(interfaces: Readonly<Record<string, ExactJson>>): string | undefined {
  return Object.entries(interfaces).find(
    ([name, values]) => name !== 'lo' && typeof (values as Record<string, ExactJson>)['ip'] === 'string',
  )?.[0]
}

async function interfacesOf(system: System): Promise<Record<string, ExactJson>> {
  const names = (await system.files.list('/sys/class/net')) ?? []
  const addresses = await addressesOf(system)
  const found: Record<string, ExactJson> = {}
  for (const name of names) {
    const mac = await line(system, `/sys/class/net/${name}/address`)
    const mtu = await line(system, `/sys/class/net/${name}/mtu`)
    if (mtu === undefined) continue
    const { v4 = [], v6 = [] } = addresses.get(name) ?? {}
    const best4 = v4.find(({ address }) => !address.startsWith('127.') && !address.startsWith('169.254.')) ?? v4[0]
    const best6 = v6.find(({ address }) => !address.startsWith('fe80:') && address !== '::1') ?? v6[0]
    const isMac = mac !== undefined && /^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/.test(mac) && mac !== '00:00:00:00:00:00'
    found[name] = present({
      bindings: v4.length > 0 ? (v4 as unknown as ExactJson) : undefined,
      bindings6: v6.length > 0 ? (v6 as unknown as ExactJson) : undefined,
      ip: best4?.address,
      ip6: best6?.address,
      mac: isMac ? mac : undefined,
      mtu: Number(mtu),
      netmask: best4?.netmask,
      netmask6: best6?.netmask,
      network: best4?.network,
      network6: best6?.network,
      scope6: best6?.scope6,
    })
  }
  return found
}

async function addressesOf(system: System): Promise<Map<string, { v4: Binding[]; v6: Binding[] }>> {
  const flags = await flagsOf(system)
  const found = new Map<string, { v4: Binding[]; v6: Binding[] }>()
  for (const [name, entries = []] of Object.entries(networkInterfaces())) {
    const v4: Binding[] = []
    const v6: Binding[] = []
    for (const { address, netmask, family } of entries) {
      if (family === 'IPv4') v4.push({ address, netmask, network: maskedV4(address, netmask) })
      else {
        const plain = address.replace(/%.*$/s, '')
        const network = compressV6(maskV6(expandV6(plain), expandV6(netmask)))
        v6.push({ address: plain, netmask, network, scope6: scopeOf(plain), flags: flags.get(plain) ?? [] })
      }
    }
    found.set(name, { v4, v6 })
  }
  return found
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

async function flagsOf(system: System): Promise<Map<string, readonly string[]>> {
  const text = (await system.files.readText('/proc/net/if_inet6')) ?? ''
  const found = new Map<string, readonly string[]>()
  for (const row of text.split('\n').filter(Boolean)) {
    const [hex = '', , , , bits = '0'] = row.trim().split(/\s+/)
    const groups = hex.match(/.{4}/g)?.map((group) => Number.parseInt(group, 16)) ?? []
    const set = Number.parseInt(bits, 16)
    found.set(
      compressV6(groups),
      flagNames.filter(([bit]) => set & bit).map(([, name]) => name),
    )
  }
  return found
}

function scopeOf(address: string): string {
  if (address === '::1') return 'host'
  if (address.startsWith('fe80:')) return 'link'
  return address.startsWith('fec0:') ? 'site' : 'global'
}

function maskedV4(address: string, netmask: string): string {
  const mask = netmask.split('.').map(Number)
  return address
    .split('.')
    .map((part, index) => Number(part) & mask[index]!)
    .join('.')
}

function expandV6(address: string): number[] {
  const [head = '', tail] = address.split('::')
  const parse = (part: string) =>
    part
      .split(':')
      .filter(Boolean)
      .map((group) => Number.parseInt(group, 16))
  if (tail === undefined) return parse(head)
  const [before, after] = [parse(head), parse(tail)]
  return [...before, ...new Array<number>(8 - before.length - after.length).fill(0), ...after]
}

function maskV6(address: readonly number[], mask: readonly number[]): number[] {
  return address.map((group, index) => group & (mask[index] ?? 0))
}

/** The longest run of zeros, of at least two, becomes `::`. */
function compressV6(groups: readonly number[]): string {
  const text = (part: readonly number[]) => part.map((group) => group.toString(16)).join(':')
  let [longest, start, run] = [0, 0, 0]
  for (const [index, group] of groups.entries()) {
    run = group === 0 ? run + 1 : 0
    if (run > longest) [longest, start] = [run, index + 1 - run]
  }
  return longest < 2 ? text(groups) : `${text(groups.slice(0, start))}::${text(groups.slice(start + longest))}`
}
