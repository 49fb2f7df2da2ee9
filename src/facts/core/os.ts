import { arch, release } from 'node:os'
import type { System } from '../../system/system.ts'
import { type FactSource, line, present } from '../fact.ts'

const families: Readonly<Record<string, string>> = {
  debian: 'Debian',
  ubuntu: 'Debian',
  linuxmint: 'Debian',
  devuan: 'Debian',
  raspbian: 'Debian',
  rhel: 'RedHat',
  centos: 'RedHat',
  fedora: 'RedHat',
  rocky: 'RedHat',
  almalinux: 'RedHat',
  ol: 'RedHat',
  amzn: 'RedHat',
  sles: 'Suse',
  'opensuse-leap': 'Suse',
  arch: 'Archlinux',
  alpine: 'Linux',
  gentoo: 'Gentoo',
}

const names: Readonly<Record<string, string>> = {
  debian: 'Debian',
  ubuntu: 'Ubuntu',
  linuxmint: 'LinuxMint',
  devuan: 'Devuan',
  raspbian: 'Raspbian',
  rhel: 'RedHat',
  centos: 'CentOS',
  fedora: 'Fedora',
  rocky: 'Rocky',
  almalinux: 'AlmaLinux',
  ol: 'OracleLinux',
  amzn: 'Amazon',
  sles: 'SLES',
  'opensuse-leap': 'openSUSE',
  arch: 'Archlinux',
  alpine: 'Alpine',
  gentoo: 'Gentoo',
}

const hardwareOf: Readonly<Record<string, string>> = { x64: 'x86_64', arm64: 'aarch64', ia32: 'i686', arm: 'armv7l' }
/** As Debian and its kin call machines. */
const debianNames: Readonly<Record<string, string>> = {
  x86_64: 'amd64',
  aarch64: 'arm64',
  i686: 'i386',
  armv7l: 'armhf',
}

/** The distribution and its kernel. */
export const os: FactSource = {
  name: 'os',
  async find(system) {
    const about = await osRelease(system)
    const id = about['ID'] ?? 'linux'
    const family = families[id] ?? families[about['ID_LIKE']?.split(' ')[0] ?? ''] ?? 'Linux'
    const hardware = hardwareOf[arch()] ?? arch()
    const version =
      family === 'Debian' ? ((await debianVersion(system, id)) ?? about['VERSION_ID']) : about['VERSION_ID']
    const released = version === undefined ? undefined : releaseOf(version, id)
    const kernelrelease = release()
    const kernelversion = kernelrelease.replace(/-.*$/s, '')
    return {
      kernel: 'Linux',
      kernelrelease,
      kernelversion,
      kernelmajversion: kernelversion.split('.').slice(0, 2).join('.'),
      os: present({
        architecture: family === 'Debian' ? (debianNames[hardware] ?? hardware) : hardware,
        distro: present({
          codename: about['VERSION_CODENAME'],
          description: about['PRETTY_NAME']?.replace(/^(Debian GNU\/Linux \d+) /, '$1 '),
          id: names[id] ?? id,
          release: released,
        }),
        family,
        hardware,
        name: names[id] ?? id,
        release: released,
        selinux: { enabled: (await line(system, '/sys/fs/selinux/enforce')) !== undefined },
      }),
    }
  },
}

/** Variables of /etc/os-release (os-release(5)). */
export async function osRelease(system: System): Promise<Record<string, string>> {
  const text = (await system.files.readText('/etc/os-release')) ?? ''
  const entries = [...text.matchAll(/^([A-Z_]+)=(?:"(.*)"|'(.*)'|(.*))$/gm)]
  return Object.fromEntries(entries.map(([, name, double, single, bare]) => [name, double ?? single ?? bare ?? '']))
}

/** Debian's point release stands in a file of its own. */
async function debianVersion(system: System, id: string): Promise<string | undefined> {
  if (id !== 'debian') return undefined
  const version = await line(system, '/etc/debian_version')
  return version !== undefined && /^\d/.test(version) ? version : undefined
}

/** Ubuntu counts `22.04` as one number. */
function releaseOf(full: string, id: string) {
  const [major = full, minor] = full.split('.')
  if (id === 'ubuntu') return present({ full, major: full })
  return present({ full, major, minor })
}
