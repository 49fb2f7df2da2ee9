import type { ExactJson } from '../../../../base/json/exact-json.ts'
import { omitUndefined, readTextFile } from '../../fact.ts'
import type { Machine } from '../../machine.ts'

/**
 * Variables of /etc/os-release (os-release(5)) by lower-case name. NAME, ID and VERSION_ID are
 * converted as in Facter.
 */
export async function readOsRelease(machine: Machine): Promise<Readonly<Record<string, string | undefined>>> {
  const { name, id, version_id, ...rest } = parseAssignments((await readTextFile(machine, '/etc/os-release')) ?? '')
  return {
    ...rest,
    name: name === undefined ? undefined : normalizeName(name),
    id: id === undefined ? undefined : normalizeId(id),
    version_id: version_id === undefined || version_id.includes('.') ? version_id : `${version_id}.0`,
  }
}

/** Parses lines `NAME=value` to values by lower-case name, without quotes. */
export function parseAssignments(text: string): Readonly<Record<string, string | undefined>> {
  const pairs = text
    .split('\n')
    .filter((row) => row.includes('=') && !row.startsWith('#'))
    .map((row) => {
      const plain = row.trim().replace(/["']/g, '')
      const equals = plain.indexOf('=')
      return [plain.slice(0, equals).toLowerCase(), plain.slice(equals + 1)] as const
    })
  return Object.fromEntries(pairs)
}

function normalizeId(id: string): string {
  if (/sles_sap/i.test(id)) return 'sles'
  return /opensuse/i.test(id) ? 'opensuse' : id
}

/** The distribution name as one word: `RedHat`, `Debian`, `Archlinux`. */
function normalizeName(full: string): string {
  const words = full.split(' ').filter(Boolean)
  const lower = full.toLowerCase()
  if (lower.startsWith('sles')) return 'SLES'
  if (/^(?:arch|manjaro)/.test(lower)) return capitalizeWord(words.slice(0, 2).join(''))
  if (/^(?:red|oracle)/.test(lower)) return words.slice(0, 2).join('')
  if (lower.endsWith('mariner')) return words.at(-1) ?? ''
  if (lower.endsWith('azure linux')) return words.slice(1, 3).join('')
  return lower.startsWith('virtuozzo') ? `${words[0]}Linux` : (words[0] ?? '')
}

/** Capitalizes a word: `Debian` for `debian` and for `DEBIAN`. */
export const capitalizeWord = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()

/**
 * Distributions with their parents. A distribution without a function of its own uses that of its
 * parent.
 */
const parents: Readonly<Record<string, string>> = {
  Debian: 'Linux',
  Elementary: 'Debian',
  Ubuntu: 'Debian',
  Linuxmint: 'Ubuntu',
  Raspbian: 'Debian',
  Devuan: 'Debian',
  Rhel: 'Linux',
  ...Object.fromEntries(
    ['Fedora', 'Amzn', 'Centos', 'Ol', 'Scientific', 'Meego', 'Oel', 'Ovs', 'Mariner', 'Azurelinux'].map(
      (name) => [name, 'Rhel'] as const,
    ),
  ),
  Sles: 'Linux',
  Opensuse: 'Sles',
  Sled: 'Sles',
  ...Object.fromEntries(
    ['Archlinux', 'Gentoo', 'Alpine', 'Photon', 'Slackware', 'Mageia', 'Openwrt'].map(
      (name) => [name, 'Linux'] as const,
    ),
  ),
}

/** The distribution of this system, followed by its parents: `Ubuntu Debian Linux`. */
export async function readDistributionLineage(machine: Machine): Promise<readonly string[]> {
  if (await machine.files.stat('/etc/devuan_version')) return getLineage('Devuan')
  if (await machine.files.stat('/etc/arch-release')) return getLineage('Archlinux')
  const { id = await readReleaseId(machine), id_like = '' } = await machine.once(readOsRelease)
  const known = [id ?? '', ...id_like.split(' ')].map(capitalizeWord).find((name) => Object.hasOwn(parents, name))
  return getLineage(known ?? 'Linux')
}

const getLineage = (name: string): string[] => [name, ...(parents[name] === undefined ? [] : getLineage(parents[name]))]

async function readReleaseId(machine: Machine): Promise<string | undefined> {
  if ((await machine.once(readRedhatRelease)).name !== undefined) return 'rhel'
  return (await readTextFile(machine, '/etc/SuSE-release'))?.split(/\s/)[0]?.toLowerCase()
}

/** The parts of /etc/redhat-release; empty if the file is unreadable. */
export async function readRedhatRelease(machine: Machine): Promise<Partial<ReturnType<typeof parseRedhatRelease>>> {
  const text = await readTextFile(machine, '/etc/redhat-release')
  return text === undefined ? {} : parseRedhatRelease(text.trim())
}

/** Parses a line such as `CentOS Linux release 7.9.2009 (Core)`. */
export function parseRedhatRelease(content: string) {
  const at = content.indexOf('release')
  const before = (at === -1 ? content : content.slice(0, at)).split(/\s+/).filter((word) => !/^(?:linux)?$/i.test(word))
  const codename = getParenthesizedText(content.slice(at === -1 ? content.length : at))?.replace(/[()]/g, '')
  return {
    description: content,
    codename: codename || undefined,
    distributor: before.join(''),
    name: before.slice(0, 2).join(''),
    version:
      at === -1
        ? undefined
        : content
            .slice(at + 'release'.length)
            .trim()
            .split(/\s+/)[0],
  }
}

/** Splits a version into `{ full, major, minor }`, with `patch` on request. */
export function splitVersion(full: string | undefined, patch = false): Record<string, ExactJson> | undefined {
  if (full === undefined || full === '') return undefined
  const [major = full, minor, third] = full.split('.')
  return omitUndefined({ full, major, minor, patch: patch ? third : undefined })
}

/** The text in the last parentheses. */
export function getParenthesizedText(text: string): string | undefined {
  const end = text.lastIndexOf(')')
  const start = text.lastIndexOf('(', end)
  return end < 0 || start < 0 ? undefined : text.slice(start + 1, end)
}
