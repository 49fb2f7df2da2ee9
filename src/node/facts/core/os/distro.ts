import type { ExactJson } from '../../../../base/json/exact-json.ts'
import { omitUndefined, readTextFile } from '../../fact.ts'
import type { Machine } from '../../machine.ts'
import {
  capitalizeWord,
  getParenthesizedText,
  readDistributionLineage,
  readOsRelease,
  readRedhatRelease,
} from './os-release.ts'
import { distroRelease } from './release.ts'

/** Rows of `lsb_release -a` by lower-case name; empty if the program is not installed. */
export async function readLsbRelease(machine: Machine): Promise<Readonly<Record<string, string | undefined>>> {
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

async function readLsbDistro(machine: Machine): Promise<Distro> {
  const { distributor_id: id, description, codename } = await machine.once(readLsbRelease)
  return { id, description, codename }
}

async function readDebianDistro(machine: Machine): Promise<Distro> {
  const about = await machine.once(readOsRelease)
  const { id, pretty_name: description, version = '' } = about
  const inBrackets = getParenthesizedText(version)
  const codename =
    about['version_codename'] ?? inBrackets ?? /\b([A-Za-z]{1,100})\s[A-Za-z]/.exec(version)?.[1]?.toLowerCase()
  return { id: id && capitalizeWord(id), description, codename }
}

async function readRedhatDistro(machine: Machine): Promise<Distro> {
  const { distributor: id, description, codename } = await machine.once(readRedhatRelease)
  return { id, description, codename }
}

async function readOracleDistro(machine: Machine): Promise<Distro> {
  const { id, pretty_name: description } = await machine.once(readOsRelease)
  return { ...(await readRedhatDistro(machine)), id: id && capitalizeWord(id), description }
}

async function readAmazonDistro(machine: Machine): Promise<Distro> {
  const description = (await readTextFile(machine, '/etc/system-release'))?.trim()
  if (description === undefined) return { id: undefined, description, codename: undefined }
  const [name = '', ...rest] = description.split('release')
  const words = name.split(/\s+/).filter((word) => !/^(?:linux)?$/i.test(word))
  return { id: words.join(''), description, codename: getParenthesizedText(rest.join()) ?? 'n/a' }
}

async function readSuseDistro(machine: Machine): Promise<Distro> {
  const { version_id = '', version_codename, pretty_name: description } = await machine.once(readOsRelease)
  const id = version_id.startsWith('12') ? 'SUSE LINUX' : 'SUSE'
  return { id, description, codename: version_codename || 'n/a' }
}

/**
 * Functions that read the distribution's facts. A distribution without a function uses that of its
 * nearest parent.
 */
const rules: Readonly<Record<string, Rule>> = {
  Linux: readLsbDistro,
  Debian: readDebianDistro,
  Rhel: readRedhatDistro,
  Amzn: readAmazonDistro,
  Ol: readOracleDistro,
  Sles: readSuseDistro,
}

/** The facts of `os.distro`. */
export async function readDistro(machine: Machine) {
  const lineage = await machine.once(readDistributionLineage)
  const distro = await rules[lineage.find((kind) => kind in rules) ?? 'Linux']!(machine)
  const release = lineage.includes('Devuan') ? undefined : lineage.find((kind) => kind in distroRelease)
  return {
    ...distro,
    release: release === undefined ? await readReleaseByLsb(machine) : await distroRelease[release]!(machine),
    specification: (await machine.once(readLsbRelease))['lsb_version'],
  }
}

async function readReleaseByLsb(machine: Machine): Promise<Record<string, ExactJson> | undefined> {
  const { release: full } = await machine.once(readLsbRelease)
  if (full === undefined) return undefined
  const [major = full, minor] = full.split('.')
  return omitUndefined({ full, major, minor })
}
