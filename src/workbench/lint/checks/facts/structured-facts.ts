/** Structured facts by the names of the legacy facts with the same value; the parts of a path are separated by periods. */
const paths: Readonly<Record<string, string>> = {
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
  lsbrelease: 'os.distro.release.specification',
  macaddress: 'networking.mac',
  macosx_buildversion: 'os.macosx.build',
  macosx_productname: 'os.macosx.product',
  macosx_productversion: 'os.macosx.version.full',
  macosx_productversion_major: 'os.macosx.version.major',
  macosx_productversion_minor: 'os.macosx.version.minor',
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
  selinux: 'os.selinux.enabled',
  selinux_config_mode: 'os.selinux.config_mode',
  selinux_config_policy: 'os.selinux.config_policy',
  selinux_current_mode: 'os.selinux.current_mode',
  selinux_enforced: 'os.selinux.enforced',
  selinux_policyversion: 'os.selinux.policy_version',
  serialnumber: 'dmi.product.serial_number',
  swapencrypted: 'memory.swap.encrypted',
  swapfree: 'memory.swap.available',
  swapsize: 'memory.swap.total',
  system32: 'os.windows.system32',
  uptime: 'system_uptime.uptime',
  uptime_days: 'system_uptime.days',
  uptime_hours: 'system_uptime.hours',
  uptime_seconds: 'system_uptime.seconds',
  uuid: 'dmi.product.uuid',
  xendomains: 'xen.domains',
  zonename: 'solaris_zones.current',
}

const withoutCounterpart = new Set([
  'memoryfree_mb',
  'memorysize_mb',
  'swapfree_mb',
  'swapsize_mb',
  'blockdevices',
  'interfaces',
  'zones',
  'sshfp_dsa',
  'sshfp_ecdsa',
  'sshfp_ed25519',
  'sshfp_rsa',
])

/** Legacy facts whose names contain the name of a device, an interface or another thing of the machine. */
const patterns: readonly DevicePattern[] = [
  {
    pattern: /^blockdevice_(.*)_(model|size|vendor)$/,
    format: (device, attribute) => `facts['disks']['${device}']['${attribute}']`,
  },
  {
    pattern: /^(ipaddress|ipaddress6|macaddress|mtu|netmask|netmask6|network|network6)_(.*)$/,
    format: (attribute = '', name) =>
      `facts['networking']['interfaces']['${name}']['${attribute.replace('address', '')}']`,
  },
  { pattern: /^processor([0-9]+)$/, format: (id) => `facts['processors']['models'][${id}]` },
  { pattern: /^sp_(.*)$/, format: (name) => `facts['system_profiler']['${name}']` },
  { pattern: /^ssh(dsa|ecdsa|ed25519|rsa)key$/, format: (algorithm) => `facts['ssh']['${algorithm}']['key']` },
  { pattern: /^ldom_(.*)$/, format: (name) => `facts['ldom']['${name}']` },
  {
    pattern: /^zone_(.*)_(brand|iptype|name|uuid|id|path|status)$/,
    format: (name, attribute) => `facts['solaris_zones']['zones']['${name}']['${attribute}']`,
  },
]

interface DevicePattern {
  readonly pattern: RegExp
  /** Formats the structured fact from the groups of the pattern. */
  readonly format: (...groups: string[]) => string
}

/** Names of legacy facts of one value, in the order in which top_scope_facts lists them. */
export const legacyFactNames: readonly string[] = Object.keys(paths)

/** True if the fact has a structured counterpart, or is deprecated without one. */
export function isLegacyFact(name: string): boolean {
  return withoutCounterpart.has(name) || toStructuredFact(name) !== undefined
}

/** The expression of the structured fact, such as `facts['os']['name']`; undefined if there is none. */
export function toStructuredFact(name: string): string | undefined {
  const path = Object.hasOwn(paths, name) ? paths[name] : undefined
  if (path !== undefined) return `facts['${path.split('.').join("']['")}']`
  for (const { pattern, format } of patterns) {
    const match = pattern.exec(name)
    if (match) return format(...match.slice(1))
  }
  return undefined
}
