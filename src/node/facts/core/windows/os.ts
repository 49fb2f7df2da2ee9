import { defineFacts } from '../../fact.ts'
import type { Machine } from '../../machine.ts'
import { getVariable } from './environment.ts'
import { readRegistryKey } from './registry.ts'

const name = 'windows'

/** Facts of the kernel: version and build number. */
export const kernel = defineFacts(
  ['kernel', 'kernelrelease', 'kernelversion', 'kernelmajversion'],
  async ({ kernelRelease }) => ({
    kernel: name,
    kernelrelease: kernelRelease,
    kernelversion: kernelRelease,
    kernelmajversion: kernelRelease.split('.').slice(0, 2).join('.'),
  }),
)

/** Facts of the edition and release of Windows. */
export const os = defineFacts(
  [
    ...['os.architecture', 'os.family', 'os.hardware', 'os.name', 'os.release', 'os.windows.display_version'],
    ...['os.windows.edition_id', 'os.windows.installation_type', 'os.windows.product_name', 'os.windows.release_id'],
    'os.windows.system32',
  ] as const,
  async (machine) => {
    const [edition, product] = await Promise.all([
      readRegistryKey(machine, String.raw`SOFTWARE\Microsoft\Windows NT\CurrentVersion`),
      readRegistryKey(machine, String.raw`SYSTEM\CurrentControlSet\Control\ProductOptions`),
    ])
    const isClient = (product['producttype'] ?? 'WinNT') === 'WinNT'
    const release = findRelease(machine.kernelRelease, isClient)
    const hardware = getHardware(machine)
    return {
      'os.architecture': architectures[hardware] ?? (/^i[3456]86$/.test(hardware) ? 'x86' : hardware),
      'os.family': name,
      'os.hardware': hardware,
      'os.name': name,
      'os.release': { full: release, major: release },
      'os.windows.display_version': edition['displayversion'],
      'os.windows.edition_id': edition['editionid'],
      'os.windows.installation_type': edition['installationtype'],
      'os.windows.product_name': edition['productname'],
      'os.windows.release_id': edition['displayversion'] ?? edition['releaseid'],
      'os.windows.system32': findSystem32(machine),
    }
  },
)

const architectures: Readonly<Record<string, string>> = { x86_64: 'x64' }

/** Names of hardware by the variable PROCESSOR_ARCHITECTURE. */
const hardwareNames: Readonly<Record<string, string>> = { AMD64: 'x86_64', ARM64: 'arm64', IA64: 'ia64', x86: 'i686' }

/** The hardware of the system, also for a process of another architecture. */
function getHardware(machine: Machine): string {
  const native = getVariable(machine, 'PROCESSOR_ARCHITEW6432') ?? getVariable(machine, 'PROCESSOR_ARCHITECTURE') ?? ''
  return hardwareNames[native] ?? machine.hardware
}

/** The folder of the programs of Windows; a 32-bit process reaches it by another name. */
function findSystem32(machine: Machine): string | undefined {
  const root = getVariable(machine, 'SystemRoot')
  return root && `${root}\\${getVariable(machine, 'PROCESSOR_ARCHITEW6432') === undefined ? 'system32' : 'sysnative'}`
}

/** First build numbers of releases with the kernel version 10.0, newest first. */
const builds = {
  client: [[22_000, '11']],
  server: [
    [26_100, '2025'],
    [20_348, '2022'],
    [17_623, '2019'],
  ],
} as const

/** Releases of clients and servers by kernel version. */
const releases: Readonly<Record<string, readonly [client: string, server: string]>> = {
  '10.0': ['10', '2016'],
  '6.3': ['8.1', '2012 R2'],
  '6.2': ['8', '2012'],
  '6.1': ['7', '2008 R2'],
  '6.0': ['Vista', '2008'],
}

/** The release of a client or server: `11`, `2012 R2`; the version of the kernel if it is unknown. */
export function findRelease(kernelRelease: string, isClient: boolean): string {
  const [major = '', minor = '', build = ''] = kernelRelease.split('.')
  const version = `${major}.${minor}`
  const known = builds[isClient ? 'client' : 'server'].find(([first]) => Number(build) >= first)
  if (version === '10.0' && known) return known[1]
  return releases[version]?.[isClient ? 0 : 1] ?? version
}
