import type { ExactJson } from '../../../base/json/exact-json.ts'
import { ownValue } from '../../../base/own-value.ts'
import { defineFacts, text } from '../fact.ts'
import type { Machine } from '../machine.ts'
import { dmiOf } from './dmi.ts'

/** A container, and what is known of it. */
interface Container {
  readonly kind: string
  readonly about: Record<string, ExactJson>
}

/** The container that we run in, by the control group and the environment of the first process. */
export async function container(machine: Machine): Promise<Container | undefined> {
  const groups = (await text(machine, '/proc/1/cgroup')) ?? ''
  const docker = /docker\/(.+)/.exec(groups)?.[1]
  if (docker !== undefined || (await machine.files.stat('/.dockerenv')))
    return { kind: 'docker', about: docker === undefined ? {} : { id: docker } }
  const lxc = /^\/lxc\/([^/]+)/m.exec(groups)?.[1]
  if (lxc !== undefined) return { kind: 'lxc', about: { name: lxc } }
  const environment = (await text(machine, '/proc/1/environ')) ?? ''
  const named = /(?:^|\0)container=([^\0]+)/.exec(environment)?.[1] ?? ''
  if (['lxc', 'lxc-virtwhat', 'podman', 'crio'].includes(named)) return { kind: named, about: {} }
  if (named !== 'systemd-nspawn')
    return (await machine.files.stat('/run/.containerenv')) ? { kind: 'podman', about: {} } : undefined
  const id = (await text(machine, '/etc/machine-id'))?.trim()
  return { kind: 'systemd_nspawn', about: id === undefined ? {} : { id } }
}

/** `virt-what`: what kinds of machine this is, the surest first. Only root may ask. */
async function virtWhat(machine: Machine): Promise<string | undefined> {
  const words = (await machine.output(['virt-what'])).split('\n').filter(Boolean)
  if (words.includes('xen')) {
    const xen = ['xen-domu', 'xen-hvm', 'xen-dom0'].find((word) => words.includes(word))
    return xen && { 'xen-domu': 'xenu', 'xen-hvm': 'xenhvm', 'xen-dom0': 'xen0' }[xen]
  }
  const first = words[0]
  if (first?.includes('ibm_systemz')) return 'zlinux'
  if (first?.includes('linux_vserver')) return machine.once(vserver)
  return words.includes('redhat') ? words.find((word) => word !== 'redhat') : first
}

/** Linux-VServer gives processes a context; 0 is the host. */
async function vserver(machine: Machine): Promise<string | undefined> {
  const context = /^(?:s_context|VxID):\s+(\S+)$/m.exec((await text(machine, '/proc/self/status')) ?? '')?.[1]
  if (context === undefined) return undefined
  return context === '0' ? 'vserver_host' : 'vserver'
}

/** OpenVZ: the id of the container; 0 is the host. */
export async function openvz(machine: Machine): Promise<string | undefined> {
  const folder = (await machine.files.list('/proc/vz')) ?? []
  if (folder.length === 0 || (await machine.files.stat('/proc/lve/list'))) return undefined
  return /^envID:\s+(\S+)$/m.exec((await text(machine, '/proc/self/status')) ?? '')?.[1]
}

/** Xen by its devices: `xen0` is the machine that the others run on. */
export async function xenByFiles({ files }: Machine): Promise<'xen0' | 'xenu' | undefined> {
  if (await files.stat('/dev/xen/evtchn')) return 'xen0'
  return (await files.stat('/proc/xen')) || (await files.stat('/dev/xvda1')) ? 'xenu' : undefined
}

/** Kinds of machine by words in the name of the product. */
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

/** The kind of machine by the name of the product; the name itself where it is of no virtual one. */
export async function byProduct(machine: Machine): Promise<string | undefined> {
  const name = await dmiOf(machine, 'product_name')
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

/** The kind of machine by its cards, as `lspci` lists them. */
export async function byCards(machine: Machine): Promise<string | undefined> {
  for (const row of (await machine.output(['lspci'])).split('\n')) {
    const kind = cards.find(([pattern]) => pattern.test(row))?.[1]
    if (kind !== undefined) return kind
  }
  return undefined
}

/** The kind of machine: the first that any of Facter's signs tells, then by systemd, which asks the processor. */
export async function platform(machine: Machine): Promise<string> {
  const vendor = await dmiOf(machine, 'bios_vendor')
  const product = await machine.once(byProduct)
  const signs = [
    async () => (await machine.once(container))?.kind,
    async () => (vendor?.includes('Google') ? 'gce' : undefined),
    () => machine.once(virtWhat),
    () => vmwareHost(machine),
    () => openvzKind(machine),
    () => machine.once(vserver),
    () => machine.once(xenByFiles),
    async () => (vendor?.includes('Amazon EC2') ? 'kvm' : undefined),
    async () => (Object.values(products).includes(product ?? '') ? product : undefined),
    () => machine.once(byCards),
    () => bySystemd(machine),
  ]
  for (const sign of signs) {
    const kind = await sign()
    if (kind !== undefined) return kind
  }
  return 'physical'
}

async function openvzKind(machine: Machine): Promise<string | undefined> {
  const id = await machine.once(openvz)
  return id === undefined ? undefined : id === '0' ? 'openvzhn' : 'openvzve'
}

/** `VMware ESX`, of the program of that host. */
async function vmwareHost(machine: Machine): Promise<string | undefined> {
  const words = (await machine.output(['vmware', '-v'])).trim().split(/\s+/)
  return words.length === 2 ? words.join('_').toLowerCase() : undefined
}

const systemdWords: Readonly<Record<string, string>> = {
  qemu: 'kvm',
  amazon: 'kvm',
  oracle: 'virtualbox',
  microsoft: 'hyperv',
}

async function bySystemd(machine: Machine): Promise<string | undefined> {
  const word = (await machine.output(['systemd-detect-virt', '--vm'])).trim()
  return word === '' || word === 'none' ? undefined : (ownValue(systemdWords, word) ?? word)
}

const physical = ['physical', 'xen0', 'vmware_server', 'vmware_workstation', 'openvzhn', 'vserver_host']

/** The kind of virtual machine or container. */
export const virtual = defineFacts(['virtual', 'is_virtual'], async (machine) => {
  const kind = await machine.once(platform)
  return { virtual: kind, is_virtual: !physical.includes(kind) }
})
