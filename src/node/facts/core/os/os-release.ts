import type { ExactJson } from '../../../../base/json/exact-json.ts'
import { present, text } from '../../fact.ts'
import type { Machine } from '../../machine.ts'

/**
 * Variables of /etc/os-release (os-release(5)) by lower-case name. NAME, ID and VERSION_ID are
 * converted as in Facter.
 */
export async function osRelease(machine: Machine): Promise<Readonly<Record<string, string | undefined>>> {
  const rows = ((await text(machine, '/etc/os-release')) ?? '').split('\n')
  const pairs = rows
    .filter((row) => row.includes('=') && !row.startsWith('#'))
    .map((row) => {
      const plain = row.trim().replace(/["']/g, '')
      const equals = plain.indexOf('=')
      return [plain.slice(0, equals).toLowerCase(), plain.slice(equals + 1)] as const
    })
  const { name, id, version_id, ...rest } = Object.fromEntries(pairs)
  return {
    ...rest,
    name: name === undefined ? undefined : nameOf(name),
    id: id === undefined ? undefined : idOf(id),
    version_id: version_id === undefined || version_id.includes('.') ? version_id : `${version_id}.0`,
  }
}

function idOf(id: string): string {
  if (/sles_sap/i.test(id)) return 'sles'
  return /opensuse/i.test(id) ? 'opensuse' : id
}

/** The distribution name as one word: `RedHat`, `Debian`, `Archlinux`. */
function nameOf(full: string): string {
  const words = full.split(' ').filter(Boolean)
  const lower = full.toLowerCase()
  if (lower.startsWith('sles')) return 'SLES'
  if (/^(?:arch|manjaro)/.test(lower)) return capitalized(words.slice(0, 2).join(''))
  if (/^(?:red|oracle)/.test(lower)) return words.slice(0, 2).join('')
  if (lower.endsWith('mariner')) return words.at(-1) ?? ''
  if (lower.endsWith('azure linux')) return words.slice(1, 3).join('')
  return lower.startsWith('virtuozzo') ? `${words[0]}Linux` : (words[0] ?? '')
}

/** Capitalizes a word: `Debian` for `debian` and for `DEBIAN`. */
export const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()

/** Distributions with their parent, whose rules apply if a distribution has none. */
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
export async function kinds(machine: Machine): Promise<readonly string[]> {
  if (await machine.files.stat('/etc/devuan_version')) return lineage('Devuan')
  if (await machine.files.stat('/etc/arch-release')) return lineage('Archlinux')
  const { id = await idOfRelease(machine), id_like = '' } = await machine.once(osRelease)
  const known = [id ?? '', ...id_like.split(' ')].map(capitalized).find((name) => Object.hasOwn(parents, name))
  return lineage(known ?? 'Linux')
}

const lineage = (name: string): string[] => [name, ...(parents[name] === undefined ? [] : lineage(parents[name]))]

async function idOfRelease(machine: Machine): Promise<string | undefined> {
  if ((await machine.once(redhatRelease)).name !== undefined) return 'rhel'
  return (await text(machine, '/etc/SuSE-release'))?.split(/\s/)[0]?.toLowerCase()
}

/** The parts of /etc/redhat-release: `CentOS Linux release 7.9.2009 (Core)`. */
export async function redhatRelease(machine: Machine) {
  const content = (await text(machine, '/etc/redhat-release'))?.trim()
  if (content === undefined) return {}
  const at = content.indexOf('release')
  const before = (at === -1 ? content : content.slice(0, at)).split(/\s+/).filter((word) => !/^(?:linux)?$/i.test(word))
  const codename = textInBrackets(content.slice(at === -1 ? content.length : at))?.replace(/[()]/g, '')
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
export function versionParts(full: string | undefined, patch = false): Record<string, ExactJson> | undefined {
  if (full === undefined || full === '') return undefined
  const [major = full, minor, third] = full.split('.')
  return present({ full, major, minor, patch: patch ? third : undefined })
}

/** The text in the last parentheses. */
export function textInBrackets(text: string): string | undefined {
  const end = text.lastIndexOf(')')
  const start = text.lastIndexOf('(', end)
  return end < 0 || start < 0 ? undefined : text.slice(start + 1, end)
}
