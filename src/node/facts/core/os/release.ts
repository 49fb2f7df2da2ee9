import type { ExactJson } from '../../../../base/json/exact-json.ts'
import { omitUndefined, readTextFile, readTrimmedText } from '../../fact.ts'
import type { Machine } from '../../machine.ts'
import { readDistributionLineage, readOsRelease, readRedhatRelease, splitVersion } from './os-release.ts'

type Release = Record<string, ExactJson> | undefined
type Rule = (machine: Machine) => Promise<Release>

const readVersionId = async (machine: Machine): Promise<string | undefined> =>
  (await machine.once(readOsRelease))['version_id']

/** Reads the version from a file, as the first group of a pattern; by default from /etc/os-release. */
const createFileRule =
  (path: string, pattern: RegExp): Rule =>
  async (machine) =>
    splitVersion(pattern.exec((await readTextFile(machine, path))?.trim() ?? '')?.[1] ?? (await readVersionId(machine)))

const createFirstLineRule =
  (path: string): Rule =>
  async (machine) => {
    const content = (await readTextFile(machine, path)) ?? ''
    const version = /Rawhide$/m.test(content) ? 'Rawhide' : /release (\d[\d.]*)/.exec(content)?.[1]
    return splitVersion(version ?? (await readVersionId(machine)))
  }

/** Debian's point release, which has a file of its own; `12.05` has the minor release 5. */
async function readDebianRelease(machine: Machine): Promise<Release> {
  const full = await readTrimmedText(machine, '/etc/debian_version')
  if (full === undefined) return undefined
  const [major = full, minor] = full.split('.')
  return omitUndefined({ full, major, minor: minor?.replace(/^0([1-9])/, '$1') })
}

/** The complete version is the major release, as in Ubuntu's `22.04`. */
async function readWholeRelease(machine: Machine): Promise<Release> {
  const version = await readVersionId(machine)
  return { full: version ?? null, major: version ?? null }
}

async function readRedhatVersion(machine: Machine): Promise<Release> {
  return splitVersion((await machine.once(readRedhatRelease)).version ?? (await readVersionId(machine)))
}

/** Amazon Linux 2023 contains its exact release only in the version of the package that owns /etc/os-release. */
async function readAmazonRelease(machine: Machine): Promise<Release> {
  return splitVersion(await machine.once(readAmazonVersion))
}

async function readAmazonVersion(machine: Machine): Promise<string | undefined> {
  const content = (await readTextFile(machine, '/etc/system-release'))?.trim() ?? ''
  const version = /release (\d[\d.]*)/.exec(content)?.[1] ?? /Amazon Linux (\d+)/.exec(content)?.[1]
  if (version === undefined || version === '2') return version ?? (await readVersionId(machine))
  const installed = await machine.output(['rpm', '-q', '--qf', '%{VERSION}', '-f', '/etc/os-release'])
  return installed.trim() || (await readVersionId(machine))
}

async function readSuseRelease(machine: Machine): Promise<Release> {
  const full = await readVersionId(machine)
  if (full === undefined) return undefined
  const parts = full.split('.')
  return omitUndefined({ full, major: parts[0], minor: parts.at(-1) })
}

/** Arch Linux has no releases; Facter returns the kernel release. */
async function readArchRelease({ kernelRelease: full }: Machine): Promise<Release> {
  if (full === '') return undefined
  const [major = full, minor] = full.split('.')
  return omitUndefined({ full, major, minor })
}

async function readPhotonRelease(machine: Machine): Promise<Release> {
  const found = /DISTRIB_RELEASE="(\d+)\.(\d+)/.exec((await readTextFile(machine, '/etc/lsb-release')) ?? '')
  return splitVersion(found ? `${found[1]}.${found[2]}` : await readVersionId(machine))
}

/**
 * Functions that read the release. A distribution without a function uses that of its nearest
 * parent.
 */
const rules: Readonly<Record<string, Rule>> = {
  Linux: readWholeRelease,
  Debian: readDebianRelease,
  Ubuntu: readWholeRelease,
  Linuxmint: createFileRule('/etc/linuxmint/info', /^RELEASE=(\d+)/m),
  Devuan: createFileRule('/etc/devuan_version', /^(.*)$/),
  Rhel: readRedhatVersion,
  Amzn: readAmazonRelease,
  Ol: createFirstLineRule('/etc/oracle-release'),
  Oel: createFirstLineRule('/etc/enterprise-release'),
  Ovs: createFirstLineRule('/etc/ovs-release'),
  Meego: createFirstLineRule('/etc/meego-release'),
  Mariner: createFileRule('/etc/mariner-release', /CBL-Mariner ([0-9.]+)/),
  Azurelinux: createFileRule('/etc/azurelinux-release', /AZURELINUX_BUILD_NUMBER=([0-9.]+)/),
  Sles: readSuseRelease,
  Archlinux: readArchRelease,
  Gentoo: createFirstLineRule('/etc/gentoo-release'),
  Alpine: createFileRule('/etc/alpine-release', /^(.*)$/),
  Photon: readPhotonRelease,
  Slackware: createFileRule('/etc/slackware-version', /Slackware ([0-9.]+)/),
  Mageia: createFileRule('/etc/mageia-release', /Mageia release ([0-9.]+)/),
  Openwrt: createFileRule('/etc/openwrt_version', /^(\d+.\d+.*)/),
}

/** The fact `os.release`. */
export async function readRelease(machine: Machine): Promise<Release> {
  const kind = (await machine.once(readDistributionLineage)).find((each) => each in rules) ?? 'Linux'
  return rules[kind]!(machine)
}

/**
 * Functions that read the fact `os.distro.release` where it differs from the output of
 * `lsb_release`.
 */
export const distroRelease: Readonly<Record<string, Rule>> = {
  Debian: readDebianRelease,
  Ubuntu: readWholeRelease,
  Rhel: readRedhatVersion,
  Amzn: async (machine) => splitVersion(await machine.once(readAmazonVersion), true),
  Sles: readSuseRelease,
}
