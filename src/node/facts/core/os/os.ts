import { defineFacts, readTextFile, readTrimmedText } from '../../fact.ts'
import type { Machine } from '../../machine.ts'
import { readDistro, readLsbRelease } from './distro.ts'
import { capitalizeWord, readDistributionLineage, readOsRelease, readRedhatRelease } from './os-release.ts'
import { readRelease } from './release.ts'

/** Facts of the kernel. */
export const kernel = defineFacts(
  ['kernel', 'kernelrelease', 'kernelversion', 'kernelmajversion'],
  async ({ kernel, kernelRelease }) => ({
    kernel,
    kernelrelease: kernelRelease,
    kernelversion: kernelRelease.match(/\d+/g)?.slice(0, 3).join('.'),
    kernelmajversion: kernelRelease.split('.').slice(0, 2).join('.'),
  }),
)

/** The kernel of a system that is not running. */
export const installedKernel = defineFacts(['kernel'], async ({ kernel }) => ({ kernel }))

/**
 * Operating system families by words in ID_LIKE or ID of /etc/os-release; the first family with a
 * matching word applies.
 */
const families: readonly (readonly [string, readonly string[]])[] = [
  [
    'RedHat',
    [
      ...['redhat', 'rhel', 'fedora', 'centos', 'scientific', 'ascendos', 'cloudlinux', 'psbm', 'oraclelinux', 'ovs'],
      ...['oel', 'amazon', 'xenserver', 'xcp-ng', 'virtuozzo', 'photon', 'mariner', 'azurelinux'],
    ],
  ],
  ['Debian', ['debian', 'ubuntu', 'huaweios', 'linuxmint', 'devuan', 'kde']],
  ['Suse', ['sles', 'sled', 'suse']],
  ['Gentoo', ['gentoo']],
  ['Archlinux', ['arch', 'manjaro']],
  ['Mandrake', ['mandrake', 'mandriva', 'mageia']],
]

function findFamily(id: string): string {
  const found = families.find(([, words]) => words.some((word) => id.toLowerCase().includes(word)))?.[0]
  return capitalizeWord(found ?? id)
}

/** Facts of the distribution. */
export const os = defineFacts(
  [
    ...['os.architecture', 'os.family', 'os.hardware', 'os.name', 'os.release', 'os.support.end', 'os.distro.codename'],
    ...['os.distro.description', 'os.distro.id', 'os.distro.release', 'os.distro.specification'],
  ] as const,
  async (machine) => {
    // `lsb_release` is the slowest program of all facts, so it starts first and runs in parallel.
    void machine.once(readLsbRelease)
    const lineage = await machine.once(readDistributionLineage)
    const about = await machine.once(readOsRelease)
    const distro = await readDistro(machine)
    const name = about['name'] ?? (await machine.once(readRedhatRelease)).name
    return {
      'os.architecture': getArchitecture(machine.hardware, lineage),
      'os.family': getFamily(lineage, about['id_like'] ?? about['id'] ?? 'linux'),
      'os.hardware': machine.hardware || undefined,
      'os.name': lineage[0] === 'Linuxmint' && about['id'] ? capitalizeWord(about['id']) : name,
      'os.release': await readRelease(machine),
      // OpenFact 5.2: os-release(5), SUPPORT_END.
      'os.support.end': about['support_end'],
      'os.distro.codename': distro.codename,
      'os.distro.description': distro.description,
      'os.distro.id': distro.id,
      'os.distro.release': distro.release,
      'os.distro.specification': distro.specification,
    }
  },
)

function getFamily(lineage: readonly string[], id: string): string {
  if (lineage.includes('Rhel')) return 'RedHat'
  return lineage.includes('Sles') ? 'Suse' : findFamily(id)
}

function getArchitecture(hardware: string, lineage: readonly string[]): string | undefined {
  if (/i[3456]86|pentium/.test(hardware)) return 'i386'
  return lineage.includes('Debian') && hardware === 'x86_64' ? 'amd64' : hardware || undefined
}

/** SELinux facts; enabled if selinuxfs is mounted and SELinux is configured. */
export const selinux = defineFacts(
  [
    ...['os.selinux.enabled', 'os.selinux.enforced', 'os.selinux.current_mode', 'os.selinux.policy_version'],
    ...['os.selinux.config_mode', 'os.selinux.config_policy'],
  ] as const,
  async (machine) => {
    const mounts = ((await readTextFile(machine, '/proc/self/mounts')) ?? '').split('\n')
    const mounted = mounts.find((row) => row.includes('selinuxfs'))?.split(/\s/)[1]
    const config = mounted === undefined ? undefined : await readSelinuxConfig(machine)
    if (mounted === undefined || !config) return { 'os.selinux.enabled': false }
    const enforced = (await readTrimmedText(machine, `${mounted}/enforce`)) === '1'
    return {
      ...config,
      'os.selinux.enabled': true,
      'os.selinux.enforced': enforced,
      'os.selinux.current_mode': enforced ? 'enforcing' : 'permissive',
      'os.selinux.policy_version': await readTrimmedText(machine, `${mounted}/policyvers`),
    }
  },
)

/** SELinux facts of a system that is not running: those after its start, unless a kernel parameter disables SELinux. */
export const configuredSelinux = defineFacts(
  ['os.selinux.enabled', 'os.selinux.config_mode', 'os.selinux.config_policy'],
  async (machine) => {
    const config = await readSelinuxConfig(machine)
    if (!config || config['os.selinux.config_mode'] === 'disabled') return { 'os.selinux.enabled': false }
    return { ...config, 'os.selinux.enabled': true }
  },
)

async function readSelinuxConfig(machine: Machine) {
  const config = await readTextFile(machine, '/etc/selinux/config')
  if (!config) return undefined
  return {
    'os.selinux.config_mode': findLastValue(config, /^SELINUX=(.*)$/gm),
    'os.selinux.config_policy': findLastValue(config, /^SELINUXTYPE=(.*)$/gm),
  }
}

function findLastValue(config: string, pattern: RegExp): string | undefined {
  return Array.from(config.matchAll(pattern), ([, value = '']) => value.split('=').at(-1)?.trim()).at(-1)
}
