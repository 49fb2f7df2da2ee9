import { type ExactJson, memberOf } from '../base/exact-json.ts'
import type { FactValues } from './fact.ts'

/** Flat facts of old, by the path of the fact that took their place. */
const aliases: Readonly<Record<string, string>> = {
  architecture: 'os.architecture',
  hardwaremodel: 'os.hardware',
  operatingsystem: 'os.name',
  operatingsystemrelease: 'os.release.full',
  operatingsystemmajrelease: 'os.release.major',
  osfamily: 'os.family',
  lsbdistid: 'os.distro.id',
  lsbdistcodename: 'os.distro.codename',
  lsbdistdescription: 'os.distro.description',
  lsbdistrelease: 'os.distro.release.full',
  lsbmajdistrelease: 'os.distro.release.major',
  lsbminordistrelease: 'os.distro.release.minor',
  selinux: 'os.selinux.enabled',
  domain: 'networking.domain',
  fqdn: 'networking.fqdn',
  hostname: 'networking.hostname',
  ipaddress: 'networking.ip',
  ipaddress6: 'networking.ip6',
  macaddress: 'networking.mac',
  netmask: 'networking.netmask',
  netmask6: 'networking.netmask6',
  network: 'networking.network',
  network6: 'networking.network6',
  processorcount: 'processors.count',
  physicalprocessorcount: 'processors.physicalcount',
  hardwareisa: 'processors.isa',
  memorysize: 'memory.system.total',
  memoryfree: 'memory.system.available',
  swapsize: 'memory.swap.total',
  swapfree: 'memory.swap.available',
  uptime: 'system_uptime.uptime',
  uptime_days: 'system_uptime.days',
  uptime_hours: 'system_uptime.hours',
  uptime_seconds: 'system_uptime.seconds',
  id: 'identity.user',
  gid: 'identity.group',
  manufacturer: 'dmi.manufacturer',
  productname: 'dmi.product.name',
  serialnumber: 'dmi.product.serial_number',
  uuid: 'dmi.product.uuid',
  bios_vendor: 'dmi.bios.vendor',
  bios_version: 'dmi.bios.version',
  bios_release_date: 'dmi.bios.release_date',
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
} as const

/** The value at a dotted path; `undefined` when there is none. */
export function factAt(facts: FactValues, path: string): ExactJson | undefined {
  return path.split('.').reduce<ExactJson | undefined>(memberOf, facts)
}

/** The flat facts that follow from the structured ones. Puppet 8 sends them only with `include_legacy_facts`. */
export function legacyFacts(facts: FactValues): FactValues {
  const flat: Record<string, ExactJson> = {}
  for (const [name, path] of Object.entries(aliases)) {
    const value = factAt(facts, path)
    if (value !== undefined) flat[name] = value
  }
  const interfaces = (factAt(facts, 'networking.interfaces') ?? {}) as Record<string, Record<string, ExactJson>>
  for (const [name, values] of Object.entries(interfaces))
    for (const [fact, key] of Object.entries(perInterface))
      if (values[key] !== undefined) flat[`${fact}_${name.replace(/[^\w]/g, '_')}`] = values[key]
  flat['interfaces'] = Object.keys(interfaces)
    .map((name) => name.replace(/[^\w]/g, '_'))
    .sort()
    .join(',')
  const models = (factAt(facts, 'processors.models') ?? []) as readonly string[]
  for (const [index, model] of models.entries()) flat[`processor${index}`] = model
  return flat
}
