import type { ExactJson } from '../../../../base/json/exact-json.ts'
import { present, text } from '../../fact.ts'
import type { Machine } from '../../machine.ts'
import { capitalized, kinds, osRelease, redhatRelease, textInBrackets } from './os-release.ts'
import { distroRelease } from './release.ts'

/** Rows of `lsb_release -a` by lower-case name; empty if the program is not installed. */
export async function lsbRelease(machine: Machine): Promise<Readonly<Record<string, string | undefined>>> {
  const printed = await machine.output(['lsb_release', '-a'])
  const pairs = printed.split('\n').flatMap((row) => {
    const colon = row.indexOf(':')
    if (colon === -1) return []
    return [[row.slice(0, colon).toLowerCase().replace(/\s/g, '_'), row.slice(colon + 1).replace(/\t/g, '')] as const]
  })
  return Object.fromEntries(pairs)
}

interface Distro {
  readonly id: string | undefined
  readonly description: string | undefined
  readonly codename: string | undefined
}

type Rule = (machine: Machine) => Promise<Distro>

async function byLsb(machine: Machine): Promise<Distro> {
  const { distributor_id: id, description, codename } = await machine.once(lsbRelease)
  return { id, description, codename }
}

async function debian(machine: Machine): Promise<Distro> {
  const about = await machine.once(osRelease)
  const { id, pretty_name: description, version = '' } = about
  const inBrackets = textInBrackets(version)
  const codename =
    about['version_codename'] ?? inBrackets ?? /\b([A-Za-z]{1,100})\s[A-Za-z]/.exec(version)?.[1]?.toLowerCase()
  return { id: id && capitalized(id), description, codename }
}

async function redhat(machine: Machine): Promise<Distro> {
  const { distributor: id, description, codename } = await machine.once(redhatRelease)
  return { id, description, codename }
}

async function oracle(machine: Machine): Promise<Distro> {
  const { id, pretty_name: description } = await machine.once(osRelease)
  return { ...(await redhat(machine)), id: id && capitalized(id), description }
}

async function amazon(machine: Machine): Promise<Distro> {
  const description = (await text(machine, '/etc/system-release'))?.trim()
  if (description === undefined) return { id: undefined, description, codename: undefined }
  const [name = '', ...rest] = description.split('release')
  const words = name.split(/\s+/).filter((word) => !/^(?:linux)?$/i.test(word))
  return { id: words.join(''), description, codename: textInBrackets(rest.join()) ?? 'n/a' }
}

async function suse(machine: Machine): Promise<Distro> {
  const { version_id = '', version_codename, pretty_name: description } = await machine.once(osRelease)
  const id = version_id.startsWith('12') ? 'SUSE LINUX' : 'SUSE'
  return { id, description, codename: version_codename || 'n/a' }
}

/** Rules by distribution; the first rule in the lineage applies. */
const rules: Readonly<Record<string, Rule>> = {
  Linux: byLsb,
  Debian: debian,
  Rhel: redhat,
  Amzn: amazon,
  Ol: oracle,
  Sles: suse,
}

/** The facts of `os.distro`. */
export async function distroOf(machine: Machine) {
  const lineage = await machine.once(kinds)
  const distro = await rules[lineage.find((kind) => kind in rules) ?? 'Linux']!(machine)
  const release = lineage.includes('Devuan') ? undefined : lineage.find((kind) => kind in distroRelease)
  return {
    ...distro,
    release: release === undefined ? await releaseByLsb(machine) : await distroRelease[release]!(machine),
    specification: (await machine.once(lsbRelease))['lsb_version'],
  }
}

async function releaseByLsb(machine: Machine): Promise<Record<string, ExactJson> | undefined> {
  const { release: full } = await machine.once(lsbRelease)
  if (full === undefined) return undefined
  const [major = full, minor] = full.split('.')
  return present({ full, major, minor })
}
