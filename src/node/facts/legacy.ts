import { createExactFloat, type ExactJson, getMember } from '../../base/json/exact-json.ts'
import { readLsbRelease } from './core/os/distro.ts'
import { readDistributionLineage } from './core/os/os-release.ts'
import type { FactValues } from './fact.ts'
import type { Machine } from './machine.ts'

/** Legacy facts, with the paths of the structured facts that replaced them. */
const aliases: Readonly<Record<string, string>> = {
  architecture: 'os.architecture',
  augeasversion: 'augeas.version',
  bios_release_date: 'dmi.bios.release_date',
  bios_vendor: 'dmi.bios.vendor',
  bios_version: 'dmi.bios.version',
  boardassettag: 'dmi.board.asset_tag',
  boardmanufacturer: 'dmi.board.manufacturer',
  boardproductname: 'dmi.board.product',
  boardserialnumber: 'dmi.board.serial_number',
  chassisassettag: 'dmi.chassis.asset_tag',
  chassistype: 'dmi.chassis.type',
  domain: 'networking.domain',
  fqdn: 'networking.fqdn',
  gid: 'identity.group',
  hardwareisa: 'processors.isa',
  hardwaremodel: 'os.hardware',
  hostname: 'networking.hostname',
  id: 'identity.user',
  ipaddress: 'networking.ip',
  ipaddress6: 'networking.ip6',
  lsbdistcodename: 'os.distro.codename',
  lsbdistdescription: 'os.distro.description',
  lsbdistid: 'os.distro.id',
  lsbdistrelease: 'os.distro.release.full',
  lsbmajdistrelease: 'os.distro.release.major',
  lsbminordistrelease: 'os.distro.release.minor',
  lsbrelease: 'os.distro.specification',
  macaddress: 'networking.mac',
  macosx_buildversion: 'os.macosx.build',
  macosx_productname: 'os.macosx.product',
  macosx_productversion: 'os.macosx.version.full',
  macosx_productversion_major: 'os.macosx.version.major',
  macosx_productversion_minor: 'os.macosx.version.minor',
  macosx_productversion_patch: 'os.macosx.version.patch',
  manufacturer: 'dmi.manufacturer',
  memoryfree: 'memory.system.available',
  memorysize: 'memory.system.total',
  netmask: 'networking.netmask',
  netmask6: 'networking.netmask6',
  network: 'networking.network',
  network6: 'networking.network6',
  operatingsystem: 'os.name',
  operatingsystemmajrelease: 'os.release.major',
  operatingsystemrelease: 'os.release.full',
  osfamily: 'os.family',
  physicalprocessorcount: 'processors.physicalcount',
  processorcount: 'processors.count',
  productname: 'dmi.product.name',
  rubyplatform: 'ruby.platform',
  rubysitedir: 'ruby.sitedir',
  rubyversion: 'ruby.version',
  scope6: 'networking.scope6',
  selinux: 'os.selinux.enabled',
  selinux_config_mode: 'os.selinux.config_mode',
  selinux_config_policy: 'os.selinux.config_policy',
  selinux_current_mode: 'os.selinux.current_mode',
  selinux_enforced: 'os.selinux.enforced',
  selinux_policyversion: 'os.selinux.policy_version',
  serialnumber: 'dmi.product.serial_number',
  sp_boot_mode: 'system_profiler.boot_mode',
  sp_boot_rom_version: 'system_profiler.boot_rom_version',
  sp_boot_volume: 'system_profiler.boot_volume',
  sp_cpu_type: 'system_profiler.processor_name',
  sp_current_processor_speed: 'system_profiler.processor_speed',
  sp_kernel_version: 'system_profiler.kernel_version',
  sp_l2_cache_core: 'system_profiler.l2_cache_per_core',
  sp_l3_cache: 'system_profiler.l3_cache',
  sp_local_host_name: 'system_profiler.computer_name',
  sp_machine_model: 'system_profiler.model_identifier',
  sp_machine_name: 'system_profiler.model_name',
  sp_number_processors: 'system_profiler.cores',
  sp_os_version: 'system_profiler.system_version',
  sp_packages: 'system_profiler.processors',
  sp_physical_memory: 'system_profiler.memory',
  sp_platform_uuid: 'system_profiler.hardware_uuid',
  sp_secure_vm: 'system_profiler.secure_virtual_memory',
  sp_serial_number: 'system_profiler.serial_number',
  sp_smc_version_system: 'system_profiler.smc_version',
  sp_uptime: 'system_profiler.uptime',
  sp_user_name: 'system_profiler.username',
  swapencrypted: 'memory.swap.encrypted',
  swapfree: 'memory.swap.available',
  swapsize: 'memory.swap.total',
  system32: 'os.windows.system32',
  uptime: 'system_uptime.uptime',
  uptime_days: 'system_uptime.days',
  uptime_hours: 'system_uptime.hours',
  uptime_seconds: 'system_uptime.seconds',
  uuid: 'dmi.product.uuid',
  windows_display_version: 'os.windows.display_version',
  windows_edition_id: 'os.windows.edition_id',
  windows_installation_type: 'os.windows.installation_type',
  windows_product_name: 'os.windows.product_name',
  windows_release_id: 'os.windows.release_id',
}

/** Legacy facts in MiB, with the path of the fact in bytes. */
const megabytes: Readonly<Record<string, string>> = {
  memoryfree_mb: 'memory.system.available_bytes',
  memorysize_mb: 'memory.system.total_bytes',
  swapfree_mb: 'memory.swap.available_bytes',
  swapsize_mb: 'memory.swap.total_bytes',
}

const perInterface = {
  ipaddress: 'ip',
  ipaddress6: 'ip6',
  macaddress: 'mac',
  mtu: 'mtu',
  netmask: 'netmask',
  netmask6: 'netmask6',
  network: 'network',
  network6: 'network6',
  scope6: 'scope6',
} as const

/** Pattern of legacy facts whose names depend on the machine. */
const families = /^(?:ipaddress6?|macaddress|mtu|netmask6?|network6?|scope6|sshfp|blockdevice)_|^processor|^ssh.*key$/
const others = ['blockdevices', 'dhcp_servers', 'interfaces', 'xendomains']

/** True for the name of a legacy fact on any machine. */
export const isLegacyName = (name: string): boolean =>
  !name.includes('.') && (getStructuredPath(name) !== undefined || others.includes(name) || families.test(name))

/** The path of the structured fact with the value of a legacy fact. */
export const getStructuredPath = (name: string): string | undefined =>
  Object.hasOwn(aliases, name) ? aliases[name] : Object.hasOwn(megabytes, name) ? megabytes[name] : undefined

/** Legacy facts about an item of a structured fact, with the path of the item. */
const itemPaths: readonly (readonly [RegExp, (item: string, detail: string) => readonly string[]])[] = [
  [
    /^(ipaddress6?|macaddress|mtu|netmask6?|network6?|scope6)_(\w+)$/,
    (fact, name) => ['networking', 'interfaces', name, perInterface[fact as keyof typeof perInterface]],
  ],
  [/^blockdevice_(\w+)_(model|vendor)$/, (disk, value) => ['disks', disk, value]],
  [/^blockdevice_(\w+)_size$/, (disk) => ['disks', disk, 'size_bytes']],
  [/^processor(\d+)$/, (index) => ['processors', 'models', index]],
  [/^ssh(\w+)key$/, (kind) => ['ssh', kind, 'key']],
  [/^sshfp_(\w+)$/, (kind) => ['ssh', kind, 'fingerprints']],
]

const listPaths: Readonly<Record<string, readonly string[]>> = {
  blockdevices: ['disks'],
  dhcp_servers: ['networking', 'interfaces'],
  interfaces: ['networking', 'interfaces'],
  xendomains: ['xen', 'domains'],
  ...Object.fromEntries(Object.entries(megabytes).map(([name, path]) => [name, path.split('.')])),
}

/** The path of the structured fact that replaces a legacy fact; undefined for other names. */
export function findReplacementPath(name: string): readonly string[] | undefined {
  if (Object.hasOwn(aliases, name)) return aliases[name]?.split('.')
  if (Object.hasOwn(listPaths, name)) return listPaths[name]
  for (const [pattern, path] of itemPaths) {
    const [matched, item = '', detail = ''] = pattern.exec(name) ?? []
    if (matched !== undefined) return path(item, detail)
  }
  return undefined
}

/** The value at a dotted path, with indexes for array elements; undefined if missing. */
export function getFact(facts: FactValues, path: string): ExactJson | undefined {
  return Object.hasOwn(facts, path) ? facts[path] : path.split('.').reduce<ExactJson | undefined>(getMember, facts)
}

type Members = Readonly<Record<string, ExactJson>>

/** The legacy facts. Puppet 8 sends them only with `include_legacy_facts`. */
export async function collectLegacyFacts(machine: Machine, facts: FactValues): Promise<FactValues> {
  return omitEmptyValues({ ...flattenFacts(facts), ...(await readLsbFacts(machine)) })
}

/** The legacy facts that follow from structured facts alone, for code that reads legacy names. */
export function flattenFacts(facts: FactValues): FactValues {
  const flat: Record<string, ExactJson | undefined> = {}
  for (const [name, path] of Object.entries(aliases)) flat[name] = getFact(facts, path)
  for (const [name, path] of Object.entries(megabytes)) {
    const bytes = getFact(facts, path)
    flat[name] = typeof bytes === 'number' ? createExactFloat(bytes / 1024 ** 2) : undefined
  }
  Object.assign(flat, flattenInterfaces(facts), flattenDisks(facts), flattenSshKeys(facts))
  const models = (getFact(facts, 'processors.models') ?? []) as readonly string[]
  for (const [index, model] of models.entries()) flat[`processor${index}`] = model
  const domains = getFact(facts, 'xen.domains') as readonly string[] | undefined
  flat['xendomains'] = domains?.join(',')
  return omitEmptyValues(flat)
}

function omitEmptyValues(flat: Readonly<Record<string, ExactJson | undefined>>): FactValues {
  return Object.fromEntries(
    Object.entries(flat).filter((entry): entry is [string, ExactJson] => entry[1] !== undefined && entry[1] !== null),
  )
}

function flattenInterfaces(facts: FactValues) {
  const flat: Record<string, ExactJson | undefined> = {}
  const interfaces = getFact(facts, 'networking.interfaces') as Readonly<Record<string, Members>> | undefined
  if (interfaces === undefined || Object.keys(interfaces).length === 0) return flat
  const servers: Record<string, ExactJson> = { system: getFact(facts, 'networking.dhcp') ?? null }
  for (const [name, values] of Object.entries(interfaces)) {
    for (const [fact, key] of Object.entries(perInterface)) flat[`${fact}_${name}`] = values[key]
    if (values['dhcp'] !== undefined) servers[name] = values['dhcp']
  }
  return { ...flat, dhcp_servers: servers, interfaces: Object.keys(interfaces).sort().join(',') }
}

function flattenDisks(facts: FactValues) {
  const flat: Record<string, ExactJson | undefined> = {}
  const disks = facts['disks'] as Readonly<Record<string, Members>> | undefined
  if (disks === undefined) return flat
  for (const [name, { model, size_bytes, vendor }] of Object.entries(disks)) {
    flat[`blockdevice_${name}_model`] = model
    flat[`blockdevice_${name}_size`] = size_bytes
    flat[`blockdevice_${name}_vendor`] = vendor
  }
  return { ...flat, blockdevices: Object.keys(disks).join(',') }
}

function flattenSshKeys(facts: FactValues) {
  const flat: Record<string, ExactJson | undefined> = {}
  for (const [name, about] of Object.entries((facts['ssh'] ?? {}) as Readonly<Record<string, Members>>)) {
    const { sha1, sha256 } = about['fingerprints'] as { readonly sha1: string; readonly sha256: string }
    flat[`ssh${name}key`] = about['key']
    flat[`sshfp_${name}`] = `${sha1}\n${sha256}`
  }
  return flat
}

/** Legacy facts from `lsb_release`, which reports Ubuntu's major release as `22.04`. */
async function readLsbFacts(machine: Machine): Promise<Record<string, string | undefined>> {
  if (machine.kernel !== 'Linux') return {}
  const { distributor_id, description, codename, release } = await machine.once(readLsbRelease)
  const own = { lsbdistid: distributor_id, lsbdistdescription: description, lsbdistcodename: codename }
  if (!(await machine.once(readDistributionLineage)).includes('Ubuntu')) return own
  const [year, month, point] = release?.split('.') ?? []
  const major = year === undefined ? undefined : `${year}.${month ?? ''}`
  return { ...own, lsbdistrelease: release, lsbmajdistrelease: major, lsbminordistrelease: point }
}
