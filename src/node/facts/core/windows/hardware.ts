import type { ExactJson } from '../../../../base/json/exact-json.ts'
import { getOwnValue } from '../../../../base/own-property.ts'
import { defineFacts } from '../../fact.ts'
import type { Machine } from '../../machine.ts'
import { defineCloudFacts, type Fetch } from '../cloud.ts'
import { createUsageFacts } from '../memory.ts'
import { type InventoryItem, readInventory, toList, toText } from './inventory.ts'
import { readRegistryKey } from './registry.ts'

const memoryNames = [
  ...['memory.system.available', 'memory.system.available_bytes', 'memory.system.capacity', 'memory.system.total'],
  ...['memory.system.total_bytes', 'memory.system.used', 'memory.system.used_bytes'],
] as const

/** Facts of main memory. */
export const memory = defineFacts(memoryNames, async ({ windows }) => {
  const { totalMemory = 0, freeMemory = 0 } = windows?.() ?? {}
  return totalMemory > 0 && freeMemory > 0 ? createUsageFacts('memory.system', totalMemory, freeMemory) : {}
})

/** Processor types by number: CIM, `Win32_Processor.Architecture`. */
const types: Readonly<Record<number, string>> = {
  0: 'x86',
  1: 'MIPS',
  2: 'Alpha',
  3: 'PowerPC',
  5: 'ARM',
  6: 'Itanium',
  9: 'x64',
  12: 'ARM64',
}

/** Facts of the processors. Without PowerShell, only those that the kernel reports. */
export const processors = defineFacts(
  [
    ...['processors.cores', 'processors.count', 'processors.isa', 'processors.models', 'processors.physicalcount'],
    'processors.threads',
  ] as const,
  async (machine) => {
    const found = (await readInventory(machine))?.processors ?? []
    if (found.length === 0) {
      const { models = [] } = machine.windows?.() ?? {}
      return { 'processors.count': models.length || undefined, 'processors.models': models[0] && [models[0]] }
    }
    const logical = found.reduce((sum, each) => sum + toCount(each['NumberOfLogicalProcessors']), 0) || found.length
    const cores = toCount(found.at(-1)?.['NumberOfCores'])
    return {
      'processors.cores': cores,
      'processors.count': logical,
      'processors.isa': types[Number(found[0]?.['Architecture'] ?? Number.NaN)],
      'processors.models': found.map((each) => toText(each['Name']) ?? ''),
      'processors.physicalcount': found.length,
      'processors.threads': countThreads(logical, cores, found.length),
    }
  },
)

/** Threads of a core. Facter: resolvers/windows/processors.rb */
function countThreads(logical: number, cores: number, sockets: number): number {
  return cores === 0 || logical <= cores ? 1 : Math.floor(logical / (cores * sockets))
}

const toCount = (value: ExactJson | undefined): number => (typeof value === 'number' && value > 0 ? value : 0)

/** Names of firmware and hardware; without PowerShell, those in the registry. */
interface Hardware {
  readonly biosVendor: string | undefined
  readonly manufacturer: string | undefined
  /** The model, by which a virtual machine is recognized. */
  readonly model: string | undefined
  readonly product: string | undefined
  readonly serialNumber?: string | undefined
  readonly uuid?: string | undefined
  readonly oemStrings: readonly ExactJson[]
}

async function readHardware(machine: Machine): Promise<Hardware> {
  const found = await readInventory(machine)
  if (found && hasMembers(found.system)) {
    const { bios, product, system } = found
    return {
      biosVendor: toText(bios['Manufacturer']),
      manufacturer: toText(system['Manufacturer']),
      model: toText(system['Model']),
      product: toText(product['Name']),
      serialNumber: toText(bios['SerialNumber']),
      uuid: toText(product['UUID']),
      oemStrings: toList(system['OEMStringArray']),
    }
  }
  const values = await readRegistryKey(machine, String.raw`HARDWARE\DESCRIPTION\System\BIOS`)
  const product = values['systemproductname'] || undefined
  return {
    biosVendor: values['biosvendor'] || undefined,
    manufacturer: values['systemmanufacturer'] || undefined,
    model: product,
    product,
    oemStrings: [],
  }
}

const hasMembers = (item: InventoryItem): boolean => Object.keys(item).length > 0

/** Manufacturer and product. */
export const dmi = defineFacts(
  ['dmi.manufacturer', 'dmi.product.name', 'dmi.product.serial_number', 'dmi.product.uuid'],
  async (machine) => {
    const { biosVendor, product, serialNumber, uuid } = await machine.once(readHardware)
    return {
      'dmi.manufacturer': biosVendor,
      'dmi.product.name': product,
      'dmi.product.serial_number': serialNumber,
      'dmi.product.uuid': uuid,
    }
  },
)

/** Virtual machine types by the first words of the model. */
const models: Readonly<Record<string, string>> = {
  VirtualBox: 'virtualbox',
  VMware: 'vmware',
  KVM: 'kvm',
  Bochs: 'bochs',
  Google: 'gce',
  OpenStack: 'openstack',
  AHV: 'ahv',
}

/** The virtual machine type. Facter: resolvers/windows/virtualization.rb */
async function detectPlatform(machine: Machine): Promise<string> {
  const { model = '', manufacturer = '' } = await machine.once(readHardware)
  const word = Object.keys(models).find((each) => model.startsWith(each))
  if (word !== undefined) return getOwnValue(models, word)!
  if (model.startsWith('Virtual Machine') && manufacturer.startsWith('Microsoft')) return 'hyperv'
  if (manufacturer.startsWith('Xen')) return 'xen'
  return /^(?:Amazon EC2|QEMU)/.test(manufacturer) ? 'kvm' : 'physical'
}

/** The facts `virtual` and `is_virtual`: the type of virtual machine. */
export const virtual = defineFacts(['virtual', 'is_virtual'], async (machine) => {
  const kind = await machine.once(detectPlatform)
  return { virtual: kind, is_virtual: kind !== 'physical' }
})

/** The hypervisor that runs this machine, with its properties. */
export const hypervisors = defineFacts(
  [
    ...['hypervisors.hyperv', 'hypervisors.kvm', 'hypervisors.virtualbox', 'hypervisors.vmware', 'hypervisors.xen'],
  ] as const,
  async (machine) => {
    const kind = await machine.once(detectPlatform)
    const { biosVendor = '', product = '', oemStrings } = await machine.once(readHardware)
    const hasDriver = (await readInventory(machine))?.hasKvmDriver === true
    const isKvm = (kind === 'kvm' || hasDriver) && product !== 'VirtualBox' && !product.startsWith('Parallels')
    const isVirtualbox = kind === 'virtualbox' || product === 'VirtualBox'
    return {
      'hypervisors.hyperv': kind === 'hyperv' || biosVendor.includes('Microsoft') ? {} : undefined,
      'hypervisors.kvm': isKvm ? describeKvm(biosVendor, product) : undefined,
      'hypervisors.virtualbox': isVirtualbox
        ? { version: findOemString(oemStrings, 'vboxVer_'), revision: findOemString(oemStrings, 'vboxRev_') }
        : undefined,
      'hypervisors.vmware': kind === 'vmware' || biosVendor === 'VMware, Inc.' ? {} : undefined,
      'hypervisors.xen': kind === 'xen' ? { context: product.startsWith('HVM') ? 'hvm' : 'pv' } : undefined,
    }
  },
)

function describeKvm(biosVendor: string, product: string): ExactJson {
  if (biosVendor === 'Google') return { google: true }
  if (product.startsWith('OpenStack')) return { openstack: true }
  return biosVendor.startsWith('Amazon') ? { amazon: true } : {}
}

function findOemString(strings: readonly ExactJson[], prefix: string): string {
  const found = strings.find((each) => typeof each === 'string' && each.startsWith(prefix))
  return typeof found === 'string' ? found.slice(prefix.length) : ''
}

/** Cloud facts; a metadata service is queried only if the hardware belongs to that cloud. */
export const cloud = defineWindowsCloudFacts((url, init) => fetch(url, init))

/** Cloud facts of Windows that use `services` for requests. */
export function defineWindowsCloudFacts(services: Fetch) {
  return defineCloudFacts(services, async (machine) => {
    const kind = await machine.once(detectPlatform)
    return { kind, isGoogle: kind === 'gce' }
  })
}
