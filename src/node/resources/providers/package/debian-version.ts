import type { VersionScheme } from './version-range.ts'

/** A version of a package by Debian's policy: `[epoch:]upstream[-revision]`. */
export interface DebianVersion {
  /** As it was written. */
  readonly text: string
  readonly epoch: bigint
  readonly upstream: string
  readonly revision: string
}

/** The version of a text; `undefined` of what is none. */
export function debianVersion(text: string): DebianVersion | undefined {
  const [, epoch = '0', version] = /^(?:(\d+):)?([.+~0-9a-zA-Z-]+)$/.exec(text) ?? []
  if (version === undefined) return undefined
  const dash = version.lastIndexOf('-')
  const [upstream, revision] = dash <= 0 ? [version, ''] : [version.slice(0, dash), version.slice(dash + 1)]
  return { text, epoch: BigInt(epoch), upstream, revision }
}

/** Negative when the first is older, positive when it is newer, 0 for versions that are equal by the policy (`1.0`, `1.00`). */
export function compareDebianVersions(a: DebianVersion, b: DebianVersion): number {
  if (a.epoch !== b.epoch) return a.epoch < b.epoch ? -1 : 1
  return compareParts(a.upstream, b.upstream) || compareParts(a.revision, b.revision)
}

/** Words that are no digits and numbers take turns; words by their signs, numbers by their values. deb-version(7) */
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
    const order = rank(a[index]) - rank(b[index])
    if (order !== 0) return order
  }
  return 0
}

/** A tilde before the end, the end before letters, letters before all else. */
function rank(sign: string | undefined): number {
  if (sign === undefined) return 0
  if (sign === '~') return -1
  return /[A-Za-z]/.test(sign) ? sign.charCodeAt(0) : sign.charCodeAt(0) + 256
}

/** Debian's versions, for ranges of them. */
export const debianScheme: VersionScheme<DebianVersion> = { parse: debianVersion, compare: compareDebianVersions }
