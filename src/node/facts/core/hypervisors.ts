import type { ExactJson } from '../../../base/json/exact-json.ts'
import { defineFacts, omitUndefined, readTrimmedText } from '../fact.ts'
import type { Machine } from '../machine.ts'
import { readDmiValue } from './dmi.ts'
import {
  detectByPciDevices,
  detectByProduct,
  detectContainer,
  detectPlatform,
  detectXen,
  readOpenvzId,
} from './virtual.ts'

/** The hypervisor or container runtime that runs this machine, with its properties. */
export const hypervisors = defineFacts(
  [
    ...['hypervisors.docker', 'hypervisors.lxc', 'hypervisors.systemd_nspawn', 'hypervisors.hyperv'],
    ...['hypervisors.kvm', 'hypervisors.openvz', 'hypervisors.virtualbox', 'hypervisors.vmware', 'hypervisors.xen'],
  ] as const,
  async (machine) => {
    const kind = await machine.once(detectPlatform)
    const { kind: contained, about } = (await machine.once(detectContainer)) ?? { kind: '', about: {} }
    const vendor = await readDmiValue(machine, 'sys_vendor')
    const product = await readDmiValue(machine, 'product_name')
    const id = await machine.once(readOpenvzId)
    return {
      'hypervisors.docker': contained === 'docker' ? about : undefined,
      'hypervisors.lxc': contained === 'lxc' ? about : undefined,
      'hypervisors.systemd_nspawn': contained === 'systemd_nspawn' ? about : undefined,
      'hypervisors.hyperv': vendor?.includes('Microsoft') || product === 'Virtual Machine' ? {} : undefined,
      'hypervisors.kvm': await describeKvm(machine, kind, vendor, product),
      'hypervisors.openvz': id === undefined ? undefined : { id: Number.parseInt(id, 10) || 0, host: id === '0' },
      'hypervisors.virtualbox':
        kind === 'virtualbox' || product === 'VirtualBox' ? await describeVirtualbox(machine) : undefined,
      'hypervisors.vmware': kind === 'vmware' || vendor === 'VMware, Inc.' ? await describeVmware(machine) : undefined,
      'hypervisors.xen': kind.includes('xen') ? await describeXen(machine) : undefined,
    }
  },
)

async function describeKvm(
  machine: Machine,
  kind: string,
  vendor: string | undefined,
  product: string | undefined,
): Promise<ExactJson | undefined> {
  if (['virtualbox', 'parallels'].includes((await machine.once(detectByProduct)) ?? '')) return undefined
  const bios = (await readDmiValue(machine, 'bios_vendor')) ?? ''
  const isKvm = kind === 'kvm' || /Amazon EC2|Google/.test(bios) || product?.includes('OpenStack') === true
  if (!isKvm) return undefined
  if (vendor === 'Google') return { google: true }
  if (vendor?.startsWith('OpenStack')) return { openstack: true }
  return vendor?.startsWith('Amazon') ? { amazon: true } : {}
}

async function describeVirtualbox(machine: Machine): Promise<ExactJson> {
  const printed = await machine.output(['dmidecode'])
  return omitUndefined({ version: /vboxVer_(\S+)/.exec(printed)?.[1], revision: /vboxRev_(\S+)/.exec(printed)?.[1] })
}

/** ESXi versions by the address of the BIOS. */
const vmwareVersions: Readonly<Record<number, string>> = {
  951424: 'ESXi 2.5',
  949360: 'ESXi 3.0',
  943808: 'ESXi 3.5',
  948496: 'ESXi 3.5',
  959824: 'ESXi 4.0',
  960192: 'ESXi 4.0',
  959200: 'ESXi 4.1',
  946880: 'ESXi 5.0',
  958656: 'ESXi 5.1',
  958544: 'ESXi 5.5',
  956896: 'ESXi 6.0',
  956992: 'ESXi 6.0',
  959872: 'ESXi 6.5',
  959776: 'ESXi 6.7',
  959632: 'ESXi 6.7',
  959968: 'Fusion 8.5',
}

async function describeVmware(machine: Machine): Promise<ExactJson> {
  const address = /Address:\s(0x[a-zA-Z0-9]*)/.exec(await machine.output(['dmidecode']))?.[1]
  return omitUndefined({ version: vmwareVersions[Number.parseInt(address ?? '', 16)] })
}

async function describeXen(machine: Machine): Promise<ExactJson> {
  const full =
    (await machine.once(detectByProduct)) === 'xenhvm' || (await machine.once(detectByPciDevices)) === 'xenhvm'
  const rules = (await readTrimmedText(machine, '/proc/xen/capabilities')) === 'control_d'
  return { context: full ? 'hvm' : 'pv', privileged: rules || (await machine.once(detectXen)) === 'xen0' }
}

/** The guests on this machine, if it is the Xen control domain (dom0). */
export const xen = defineFacts(['xen'], async (machine) => {
  if ((await machine.once(detectPlatform)) !== 'xen0') return {}
  return { xen: { domains: await listXenDomains(machine) } }
})

async function listXenDomains(machine: Machine): Promise<readonly string[]> {
  const toolstack = '/usr/lib/xen-common/bin/xen-toolstack'
  const tools: string[] = []
  for (const tool of ['/usr/sbin/xl', '/usr/sbin/xm']) if (await machine.files.stat(tool)) tools.push(tool)
  if (tools.length > 1 && (await machine.files.stat(toolstack))) tools.unshift(toolstack)
  if (tools.length === 0) return []
  const rows = (await machine.output([tools[0]!, 'list'])).split('\n')
  return rows.filter((row) => !/Domain-0|Name/.test(row)).flatMap((row) => /^(\S*)\s/.exec(row)?.[1] ?? [])
}
