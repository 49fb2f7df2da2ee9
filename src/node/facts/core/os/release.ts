import type { ExactJson } from '../../../../base/json/exact-json.ts'
import { line, present, text } from '../../fact.ts'
import type { Machine } from '../../machine.ts'
import { kinds, osRelease, redhatRelease, versionParts } from './os-release.ts'

type Release = Record<string, ExactJson> | undefined
type Rule = (machine: Machine) => Promise<Release>

const versionId = async (machine: Machine): Promise<string | undefined> => (await machine.once(osRelease))['version_id']

/** Reads the version from a file, as the first group of a pattern; by default from /etc/os-release. */
const inFile =
  (path: string, pattern: RegExp): Rule =>
  async (machine) =>
    versionParts(pattern.exec((await text(machine, path))?.trim() ?? '')?.[1] ?? (await versionId(machine)))

const firstLine =
  (path: string): Rule =>
  async (machine) => {
    const content = (await text(machine, path)) ?? ''
    const version = /Rawhide$/m.test(content) ? 'Rawhide' : /release (\d[\d.]*)/.exec(content)?.[1]
    return versionParts(version ?? (await versionId(machine)))
  }

/** Debian's point release, which has a file of its own; `12.05` has the minor release 5. */
async function debian(machine: Machine): Promise<Release> {
  const full = await line(machine, '/etc/debian_version')
  if (full === undefined) return undefined
  const [major = full, minor] = full.split('.')
  return present({ full, major, minor: minor?.replace(/^0([1-9])/, '$1') })
}

/** The complete version is the major release, as in Ubuntu's `22.04`. */
async function whole(machine: Machine): Promise<Release> {
  const version = await versionId(machine)
  return { full: version ?? null, major: version ?? null }
}

async function redhat(machine: Machine): Promise<Release> {
  return versionParts((await machine.once(redhatRelease)).version ?? (await versionId(machine)))
}

/** Amazon Linux 2023 contains its exact release only in the version of the package that owns /etc/os-release. */
async function amazon(machine: Machine): Promise<Release> {
  return versionParts(await machine.once(amazonVersion))
}

async function amazonVersion(machine: Machine): Promise<string | undefined> {
  const content = (await text(machine, '/etc/system-release'))?.trim() ?? ''
  const version = /release (\d[\d.]*)/.exec(content)?.[1] ?? /Amazon Linux (\d+)/.exec(content)?.[1]
  if (version === undefined || version === '2') return version ?? (await versionId(machine))
  const installed = await machine.output(['rpm', '-q', '--qf', '%{VERSION}', '-f', '/etc/os-release'])
  return installed.trim() || (await versionId(machine))
}

async function suse(machine: Machine): Promise<Release> {
  const full = await versionId(machine)
  if (full === undefined) return undefined
  const parts = full.split('.')
  return present({ full, major: parts[0], minor: parts.at(-1) })
}

/** Arch Linux has no releases; Facter returns the kernel release. */
async function arch({ kernelRelease: full }: Machine): Promise<Release> {
  const [major = full, minor] = full.split('.')
  return present({ full, major, minor })
}

async function photon(machine: Machine): Promise<Release> {
  const found = /DISTRIB_RELEASE="(\d+)\.(\d+)/.exec((await text(machine, '/etc/lsb-release')) ?? '')
  return versionParts(found ? `${found[1]}.${found[2]}` : await versionId(machine))
}

/** Rules by distribution; the first rule in the lineage applies. */
const rules: Readonly<Record<string, Rule>> = {
  Linux: whole,
  Debian: debian,
  Ubuntu: whole,
  Linuxmint: inFile('/etc/linuxmint/info', /^RELEASE=(\d+)/m),
  Devuan: inFile('/etc/devuan_version', /^(.*)$/),
  Rhel: redhat,
  Amzn: amazon,
  Ol: firstLine('/etc/oracle-release'),
  Oel: firstLine('/etc/enterprise-release'),
  Ovs: firstLine('/etc/ovs-release'),
  Meego: firstLine('/etc/meego-release'),
  Mariner: inFile('/etc/mariner-release', /CBL-Mariner ([0-9.]+)/),
  Azurelinux: inFile('/etc/azurelinux-release', /AZURELINUX_BUILD_NUMBER=([0-9.]+)/),
  Sles: suse,
  Archlinux: arch,
  Gentoo: firstLine('/etc/gentoo-release'),
  Alpine: inFile('/etc/alpine-release', /^(.*)$/),
  Photon: photon,
  Slackware: inFile('/etc/slackware-version', /Slackware ([0-9.]+)/),
  Mageia: inFile('/etc/mageia-release', /Mageia release ([0-9.]+)/),
  Openwrt: inFile('/etc/openwrt_version', /^(\d+.\d+.*)/),
}

/** The fact `os.release`. */
export async function releaseOf(machine: Machine): Promise<Release> {
  const kind = (await machine.once(kinds)).find((each) => each in rules) ?? 'Linux'
  return rules[kind]!(machine)
}

/** Rules for the fact `os.distro.release`, where it differs from the output of `lsb_release`. */
export const distroRelease: Readonly<Record<string, Rule>> = {
  Debian: debian,
  Ubuntu: whole,
  Rhel: redhat,
  Amzn: async (machine) => versionParts(await machine.once(amazonVersion), true),
  Sles: suse,
}
