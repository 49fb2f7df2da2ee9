import type { ExactJson } from '../../../base/json/exact-json.ts'
import { getOwnValue } from '../../../base/own-property.ts'
import { defineFacts, readTextFile } from '../fact.ts'
import type { Machine } from '../machine.ts'
import { readDmiValue } from './dmi.ts'

/** A container runtime and its properties. */
interface Container {
  readonly kind: string
  readonly about: Record<string, ExactJson>
}

/** The container of this process, from the control group and the environment of process 1. */
export async function detectContainer(machine: Machine): Promise<Container | undefined> {
  const groups = (await readTextFile(machine, '/proc/1/cgroup')) ?? ''
  const docker = /docker\/(.+)/.exec(groups)?.[1]
  if (docker !== undefined || (await machine.files.stat('/.dockerenv')))
    return { kind: 'docker', about: docker === undefined ? {} : { id: docker } }
  const lxc = /^\/lxc\/([^/]+)/m.exec(groups)?.[1]
  if (lxc !== undefined) return { kind: 'lxc', about: { name: lxc } }
  const environment = (await readTextFile(machine, '/proc/1/environ')) ?? ''
  const named = /(?:^|\0)container=([^\0]+)/.exec(environment)?.[1] ?? ''
  if (['lxc', 'lxc-virtwhat', 'podman', 'crio', 'oci'].includes(named)) return { kind: named, about: {} }
  if (named !== 'systemd-nspawn')
    return (await machine.files.stat('/run/.containerenv')) ? { kind: 'podman', about: {} } : undefined
  const id = (await readTextFile(machine, '/etc/machine-id'))?.trim()
  return { kind: 'systemd_nspawn', about: id === undefined ? {} : { id } }
}

/** The first result of `virt-what`, which only root can run. */
async function runVirtWhat(machine: Machine): Promise<string | undefined> {
  const words = (await machine.output(['virt-what'])).split('\n').filter(Boolean)
  if (words.includes('xen')) {
    const xen = ['xen-domu', 'xen-hvm', 'xen-dom0'].find((word) => words.includes(word))
    return xen && { 'xen-domu': 'xenu', 'xen-hvm': 'xenhvm', 'xen-dom0': 'xen0' }[xen]
  }
  const first = words[0]
  if (first?.includes('ibm_systemz')) return 'zlinux'
  if (first?.includes('linux_vserver')) return machine.once(detectVserver)
  return words.includes('redhat') ? words.find((word) => word !== 'redhat') : first
}

/** Linux-VServer assigns a context to each process; the context 0 is the host. */
async function detectVserver(machine: Machine): Promise<string | undefined> {
  const context = /^(?:s_context|VxID):\s+(\S+)$/m.exec((await readTextFile(machine, '/proc/self/status')) ?? '')?.[1]
  if (context === undefined) return undefined
  return context === '0' ? 'vserver_host' : 'vserver'
}

/** The container ID of OpenVZ; 0 is the host. */
export async function readOpenvzId(machine: Machine): Promise<string | undefined> {
  const folder = (await machine.files.list('/proc/vz')) ?? []
  if (folder.length === 0 || (await machine.files.stat('/proc/lve/list'))) return undefined
  return /^envID:\s+(\S+)$/m.exec((await readTextFile(machine, '/proc/self/status')) ?? '')?.[1]
}

/** Detects Xen by its device files; `xen0` is the control domain (dom0). */
export async function detectXen({ files }: Machine): Promise<'xen0' | 'xenu' | undefined> {
  if (await files.stat('/dev/xen/evtchn')) return 'xen0'
  return (await files.stat('/proc/xen')) || (await files.stat('/dev/xvda1')) ? 'xenu' : undefined
}

/** Virtual machine types by words in the product name. */
const products: Readonly<Record<string, string>> = {
  VMware: 'vmware',
  VirtualBox: 'virtualbox',
  Parallels: 'parallels',
  KVM: 'kvm',
  'Virtual Machine': 'hyperv',
  'RHEV Hypervisor': 'rhev',
  'oVirt Node': 'ovirt',
  'HVM domU': 'xenhvm',
  Bochs: 'bochs',
  OpenBSD: 'vmm',
  BHYVE: 'bhyve',
}

/** The virtual machine type by product name; the product name itself if it matches no type. */
export async function detectByProduct(machine: Machine): Promise<string | undefined> {
  const name = await readDmiValue(machine, 'product_name')
  return Object.entries(products).find(([word]) => name?.includes(word))?.[1] ?? name
}

const cards: readonly (readonly [RegExp, string])[] = [
  [/VirtualBox/, 'virtualbox'],
  [/XenSource/, 'xenhvm'],
  [/Microsoft Corporation Hyper-V/, 'hyperv'],
  [/Class 8007: Google, Inc/, 'gce'],
  [/VM[wW]are/, 'vmware'],
  [/1ab8:|[Pp]arallels/, 'parallels'],
  [/virtio/i, 'kvm'],
]

/** The virtual machine type by PCI devices, from `lspci`. */
export async function detectByPciDevices(machine: Machine): Promise<string | undefined> {
  for (const row of (await machine.output(['lspci'])).split('\n')) {
    const kind = cards.find(([pattern]) => pattern.test(row))?.[1]
    if (kind !== undefined) return kind
  }
  return undefined
}

/**
 * The virtual machine type: the first of Facter's checks that matches, otherwise the result of
 * systemd, which queries the processor.
 */
export async function detectPlatform(machine: Machine): Promise<string> {
  const vendor = await readDmiValue(machine, 'bios_vendor')
  const product = await machine.once(detectByProduct)
  const signs = [
    async () => (await machine.once(detectContainer))?.kind,
    async () => (vendor?.includes('Google') ? 'gce' : undefined),
    () => machine.once(runVirtWhat),
    () => readVmwareHost(machine),
    () => detectOpenvz(machine),
    () => machine.once(detectVserver),
    () => machine.once(detectXen),
    async () => (vendor?.includes('Amazon EC2') ? 'kvm' : undefined),
    async () => (Object.values(products).includes(product ?? '') ? product : undefined),
    () => machine.once(detectByPciDevices),
    () => detectBySystemd(machine),
  ]
  for (const sign of signs) {
    const kind = await sign()
    if (kind !== undefined) return kind
  }
  return 'physical'
}

async function detectOpenvz(machine: Machine): Promise<string | undefined> {
  const id = await machine.once(readOpenvzId)
  return id === undefined ? undefined : id === '0' ? 'openvzhn' : 'openvzve'
}

/** The product and version that `vmware -v` prints on a VMware host: `VMware ESX`. */
async function readVmwareHost(machine: Machine): Promise<string | undefined> {
  const words = (await machine.output(['vmware', '-v'])).trim().split(/\s+/)
  return words.length === 2 ? words.join('_').toLowerCase() : undefined
}

const systemdWords: Readonly<Record<string, string>> = {
  qemu: 'kvm',
  amazon: 'kvm',
  oracle: 'virtualbox',
  microsoft: 'hyperv',
}

async function detectBySystemd(machine: Machine): Promise<string | undefined> {
  const word = (await machine.output(['systemd-detect-virt', '--vm'])).trim()
  return word === '' || word === 'none' ? undefined : (getOwnValue(systemdWords, word) ?? word)
}

const physical = ['physical', 'xen0', 'vmware_server', 'vmware_workstation', 'openvzhn', 'vserver_host']

/** The facts `virtual` and `is_virtual`: the type of virtual machine or container. */
export const virtual = defineFacts(['virtual', 'is_virtual'], async (machine) => {
  const kind = await machine.once(detectPlatform)
  return { virtual: kind, is_virtual: !physical.includes(kind) }
})
