import { present } from '../../fact.ts'
import type { Machine } from '../../machine.ts'
import { type Binding, bindingOf, netmaskOf } from '../addresses.ts'
import { names } from '../hostname.ts'
import { firstOfUse, type Interface, networkingFacts, networkingNames, withMain } from '../networking.ts'

/** Host names and addresses, from `ifconfig`. */
export const networking = {
  names: networkingNames,
  async find(machine: Machine) {
    const interfaces = await interfacesOf(machine)
    const route = await machine.output(['route', '-n', 'get', 'default'])
    const primary = /interface: (.+)/.exec(route)?.[1] ?? firstOfUse(interfaces)
    return networkingFacts(await names(machine), interfaces, primary)
  },
}

async function interfacesOf(machine: Machine): Promise<Record<string, Interface>> {
  const printed = await machine.output(['ifconfig', '-a'])
  const parts = printed.split(/^(?=[A-Za-z0-9_.]+: )/m).filter((part) => /^[A-Za-z0-9_.]+: /.test(part))
  const entries = parts.map(async (part) => {
    const name = part.slice(0, part.indexOf(':'))
    return [name, await interfaceOf(machine, name, part)] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}

async function interfaceOf(machine: Machine, name: string, about: string): Promise<Interface> {
  const mtu = /mtu\s+(\d+)/.exec(about)?.[1]
  const mac = /(?:ether|lladdr)\s+((?:\w?\w:){5}\w?\w)|infiniband\s+((?:\w?\w:){19}\w?\w)/.exec(about)
  return present({
    mtu: mtu === undefined ? undefined : Number(mtu),
    mac: mac?.[1] ?? mac?.[2],
    dhcp: /status:\s+active/.test(about) ? await dhcpOf(machine, name) : undefined,
    ...withMain(bindings4(about), bindings6(about)),
  })
}

async function dhcpOf(machine: Machine, name: string): Promise<string | undefined> {
  const printed = (await machine.output(['ipconfig', 'getoption', name, 'server_identifier'])).trim()
  return /^[\d.a-f:\s]+$/.test(printed) ? printed : undefined
}

/** Parses `inet 10.8.0.6 --> 10.8.0.5 netmask 0xffffffff`. The remote address of a tunnel is ignored. */
function bindings4(about: string): Binding[] {
  const found = about.matchAll(/\binet (\S+)(?: --> \S+)? netmask 0x([0-9a-f]+)/g)
  return Array.from(found, ([, address = '', mask = '']) =>
    bindingOf(address, netmaskOf(Number.parseInt(mask, 16).toString(2).replaceAll('0', '').length, false)),
  )
}

function bindings6(about: string): Binding[] {
  const found = about.matchAll(/\binet6 ([^\s%]{1,64})(?:%\S{1,64})?(?: --> \S{1,64})? prefixlen (\d+)/g)
  return Array.from(found, ([, address = '', length]) => bindingOf(address, netmaskOf(Number(length), true)))
}
