import type { VersionScheme } from './version-range.ts'

type Rank = number | string | readonly Rank[]

/** A Python package version (PEP 440), with a key for comparison. */
export interface PipVersion {
  /** The text to pass to `pip`. */
  readonly text: string
  readonly key: readonly Rank[]
}

const pattern =
  /^\s*v?(?:(\d+)!)?(\d+(?:\.\d+)*)(?:[-_.]?(alpha|beta|preview|pre|rc|a|b|c)[-_.]?(\d+)?)?(?:-(\d+)|[-_.]?(post|rev|r)[-_.]?(\d+)?)?(?:[-_.]?(dev)[-_.]?(\d+)?)?(?:\+([a-z0-9]+(?:[-_.][a-z0-9]+)*))?\s*$/i

const words: Readonly<Record<string, string>> = { alpha: 'a', beta: 'b', c: 'rc', pre: 'rc', preview: 'rc' }

/** Maximum length of a version in characters; longer ones are invalid. */
const maxLength = 1024

/** Parses a version; undefined if it is invalid. */
export function parsePipVersion(text: string): PipVersion | undefined {
  const found = text.length > maxLength ? null : pattern.exec(text)
  if (!found) return undefined
  const [, epoch = '0', release = '', preWord, preNumber = '0', dashed, postWord, postNumber = '0', devWord] = found
  const [devNumber = '0', local] = found.slice(9)
  const numbers = release.split('.').map(Number)
  const pre = preWord && ([words[preWord.toLowerCase()] ?? preWord.toLowerCase(), Number(preNumber)] as const)
  const post = dashed ?? (postWord && postNumber)
  const dev = devWord && Number(devNumber)
  const places = local?.split(/[._-]/).map((part) => (/^\d+$/.test(part) ? Number(part) : part.toLowerCase()))
  const parts = [
    Number(epoch) === 0 ? '' : `${Number(epoch)}!`,
    numbers.join('.'),
    pre ? pre.join('') : '',
    post === undefined ? '' : `.post${Number(post)}`,
    dev === undefined ? '' : `.dev${dev}`,
    places ? `+${places.join('.')}` : '',
  ]
  const lowest = Number.NEGATIVE_INFINITY
  const highest = Number.POSITIVE_INFINITY
  const key: Rank[] = [
    Number(epoch),
    removeTrailingZeros(numbers),
    pre ?? (post === undefined && dev !== undefined ? lowest : highest),
    post === undefined ? lowest : Number(post),
    dev ?? highest,
    (places ?? [undefined]).map((part) => (typeof part === 'number' ? [part, ''] : [lowest, part ?? ''])),
  ]
  return { text: parts.join(''), key }
}

function removeTrailingZeros(numbers: readonly number[]): readonly number[] {
  return numbers.slice(0, Math.max(1, numbers.findLastIndex((number) => number !== 0) + 1))
}

/** Negative if `a` is older, positive if it is newer. */
export function comparePipVersions(a: PipVersion, b: PipVersion): number {
  return compareRanks(a.key, b.key)
}

/**
 * Compares keys element by element; a key that is a prefix of another key is older. An infinity
 * stands for a missing element and is older or newer than any other value.
 */
function compareRanks(a: Rank, b: Rank): number {
  if (typeof a === 'object' && typeof b === 'object') {
    for (let at = 0; at < Math.max(a.length, b.length); at++) {
      const order = compareRanks(a[at] ?? Number.NEGATIVE_INFINITY, b[at] ?? Number.NEGATIVE_INFINITY)
      if (order !== 0) return order
    }
    return 0
  }
  if (typeof a === 'object') return b === Number.NEGATIVE_INFINITY ? 1 : -1
  if (typeof b === 'object') return a === Number.NEGATIVE_INFINITY ? -1 : 1
  return a === b ? 0 : a < b ? -1 : 1
}

/** Parses and compares Python package versions, for version ranges. */
export const pipScheme: VersionScheme<PipVersion> = { parse: parsePipVersion, compare: comparePipVersions }
