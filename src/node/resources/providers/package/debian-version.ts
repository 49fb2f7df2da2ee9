import type { VersionScheme } from './version-range.ts'

/** A package version in Debian's format: `[epoch:]upstream[-revision]`. */
export interface DebianVersion {
  /** The original text. */
  readonly text: string
  readonly epoch: bigint
  readonly upstream: string
  readonly revision: string
}

/** Parses a version; undefined if it is invalid. */
export function parseDebianVersion(text: string): DebianVersion | undefined {
  const [, epoch = '0', version] = /^(?:(\d+):)?([.+~0-9a-zA-Z-]+)$/.exec(text) ?? []
  if (version === undefined) return undefined
  const dash = version.lastIndexOf('-')
  const [upstream, revision] = dash <= 0 ? [version, ''] : [version.slice(0, dash), version.slice(dash + 1)]
  return { text, epoch: BigInt(epoch), upstream, revision }
}

/**
 * Negative if `a` is older, positive if it is newer, 0 for versions that are equal by Debian policy
 * (`1.0`, `1.00`).
 */
export function compareDebianVersions(a: DebianVersion, b: DebianVersion): number {
  if (a.epoch !== b.epoch) return a.epoch < b.epoch ? -1 : 1
  return compareParts(a.upstream, b.upstream) || compareParts(a.revision, b.revision)
}

/**
 * Compares alternating runs of nondigits and digits, the former by character rank, the latter as
 * numbers. deb-version(7)
 */
function compareParts(a: string, b: string): number {
  const mine: string[] = a.match(/\d+|\D+/g) ?? []
  const yours: string[] = b.match(/\d+|\D+/g) ?? []
  if (/^\d/.test(a)) mine.unshift('')
  if (/^\d/.test(b)) yours.unshift('')
  for (let index = 0; index < Math.max(mine.length, yours.length); index++) {
    const [left, right] = [mine[index] ?? '', yours[index] ?? '']
    const order = index % 2 === 0 ? compareWords(left, right) : compareNumbers(left, right)
    if (order !== 0) return order
  }
  return 0
}

function compareNumbers(a: string, b: string): number {
  const [left, right] = [BigInt(a || '0'), BigInt(b || '0')]
  return left < right ? -1 : Number(left > right)
}

function compareWords(a: string, b: string): number {
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const order = getCharacterRank(a[index]) - getCharacterRank(b[index])
    if (order !== 0) return order
  }
  return 0
}

/** Rank of a character: a tilde before the end, the end before letters, letters before all others. */
function getCharacterRank(sign: string | undefined): number {
  if (sign === undefined) return 0
  if (sign === '~') return -1
  return /[A-Za-z]/.test(sign) ? sign.charCodeAt(0) : sign.charCodeAt(0) + 256
}

/** Parses and compares Debian versions, for version ranges. */
export const debianScheme: VersionScheme<DebianVersion> = { parse: parseDebianVersion, compare: compareDebianVersions }
