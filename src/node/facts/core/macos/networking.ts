import { omitUndefined } from '../../fact.ts'
import type { Machine } from '../../machine.ts'
import { type Binding, createBinding, toNetmask } from '../addresses.ts'
import { readHostNames } from '../hostname.ts'
import {
  addMainBinding,
  createNetworkingFacts,
  findUsableInterface,
  type Interface,
  networkingNames,
} from '../networking.ts'

/** Host names and addresses, from `ifconfig`. */
export const networking = {
  names: networkingNames,
  async find(machine: Machine) {
    const interfaces = await readInterfaces(machine)
    const route = await machine.output(['route', '-n', 'get', 'default'])
    const primary = /interface: (.+)/.exec(route)?.[1] ?? findUsableInterface(interfaces)
    return createNetworkingFacts(await readHostNames(machine), interfaces, primary)
  },
}

async function readInterfaces(machine: Machine): Promise<Record<string, Interface>> {
  const printed = await machine.output(['ifconfig', '-a'])
  const parts = printed.split(/^(?=[A-Za-z0-9_.]+: )/m).filter((part) => /^[A-Za-z0-9_.]+: /.test(part))
  const entries = parts.map(async (part) => {
    const name = part.slice(0, part.indexOf(':'))
    return [name, await parseInterface(machine, name, part)] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}

async function parseInterface(machine: Machine, name: string, about: string): Promise<Interface> {
  const mtu = /mtu\s+(\d+)/.exec(about)?.[1]
  const mac = /(?:ether|lladdr)\s+((?:\w?\w:){5}\w?\w)|infiniband\s+((?:\w?\w:){19}\w?\w)/.exec(about)
  return omitUndefined({
    mtu: mtu === undefined ? undefined : Number(mtu),
    mac: mac?.[1] ?? mac?.[2],
    dhcp: /status:\s+active/.test(about) ? await readDhcpServer(machine, name) : undefined,
    ...addMainBinding(parseBindings4(about), parseBindings6(about)),
  })
}

async function readDhcpServer(machine: Machine, name: string): Promise<string | undefined> {
  const printed = (await machine.output(['ipconfig', 'getoption', name, 'server_identifier'])).trim()
  return /^[\d.a-f:\s]+$/.test(printed) ? printed : undefined
}

/** Parses `inet 10.8.0.6 --> 10.8.0.5 netmask 0xffffffff`. The remote address of a tunnel is ignored. */
function parseBindings4(about: string): Binding[] {
  const found = about.matchAll(/\binet (\S+)(?: --> \S+)? netmask 0x([0-9a-f]+)/g)
  return Array.from(found, ([, address = '', mask = '']) =>
    createBinding(address, toNetmask(Number.parseInt(mask, 16).toString(2).replaceAll('0', '').length, false)),
  )
}

function parseBindings6(about: string): Binding[] {
  const found = about.matchAll(/\binet6 ([^\s%]{1,64})(?:%\S{1,64})?(?: --> \S{1,64})? prefixlen (\d+)/g)
  return Array.from(found, ([, address = '', length]) => createBinding(address, toNetmask(Number(length), true)))
}
