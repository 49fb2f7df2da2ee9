import { compareTexts } from '../../../../language/ruby-semantics/text/compare.ts'
import type { VersionScheme } from './version-range.ts'

/** A package version in rpm's format: `[epoch:]version[-release]`. */
export interface RpmVersion {
  readonly epoch: string | undefined
  readonly version: string
  readonly release: string | undefined
}

const architectures = `noarch i386 i686 ppc ppc64 armv3l armv4b armv4l armv4tl armv5tel armv5tejl armv6l armv7l m68kmint
  s390 s390x ia64 x86_64 sh3 sh4`.split(/\s+/)

/**
 * Matches an architecture in a name or version. As in Puppet, every architecture except the first
 * of the list needs a preceding dot (Puppet: util/rpm_compare.rb).
 */
export const architecture = new RegExp(architectures.join('|\\.'), 'g')

/** Parses a version; every text is valid. */
export function parseRpmVersion(text: string): RpmVersion {
  const colon = text.indexOf(':')
  const number = text.slice(0, Math.max(colon, 0))
  const epoch = /^\d+$/.test(number) ? String(BigInt(number)) : undefined
  const rest = text.slice(colon + 1)
  const dash = rest.indexOf('-')
  if (dash < 0) return { epoch, version: rest, release: undefined }
  return { epoch, version: rest.slice(0, dash), release: rest.slice(dash + 1).replace(architecture, '') }
}

/** The text `version[-release]`, with the epoch if there is one. */
export function formatRpmVersion({ epoch, version, release }: RpmVersion): string {
  return `${epoch === undefined ? '' : `${epoch}:`}${version}${release === undefined ? '' : `-${release}`}`
}

/** Compares version parts as alternating runs of digits, letters and tildes; other characters only separate runs. */
export function compareRpmParts(a: string, b: string): number {
  if (a === b) return 0
  const [mine, yours] = [splitVersionParts(a), splitVersionParts(b)]
  for (let index = 0; ; index++) {
    const [left, right] = [mine[index], yours[index]]
    if (left === '~' || right === '~') {
      if (left === right) continue
      return left === '~' ? -1 : 1
    }
    if (left === undefined || right === undefined) return Number(left !== undefined) - Number(right !== undefined)
    const order = compareSegments(left, right)
    if (order !== 0) return order
  }
}

function splitVersionParts(text: string): readonly string[] {
  return text.match(/~|\d+|[A-Za-z]+/g) ?? []
}

/** Compares two runs; a number is newer than a word. */
function compareSegments(a: string, b: string): number {
  const isNumber = /^\d/.test(a)
  if (isNumber !== /^\d/.test(b)) return isNumber ? 1 : -1
  if (!isNumber) return compareTexts(a, b)
  const [left, right] = [a.replace(/^0+/, ''), b.replace(/^0+/, '')]
  return left.length - right.length || compareTexts(left, right)
}

/** Compares a desired version with an installed one; parts missing from the desired version are ignored. */
export function compareWithDesired(wanted: string, is: string): number {
  const [should, there] = [parseRpmVersion(wanted), parseRpmVersion(is)]
  const byEpoch = should.epoch === undefined ? 0 : compareOptional(should.epoch, there.epoch)
  return byEpoch || compareRest(should, there)
}

function compareRest(should: RpmVersion, there: RpmVersion): number {
  const byVersion = compareRpmParts(should.version, there.version)
  if (byVersion !== 0 || should.release === undefined) return byVersion
  return compareOptional(should.release, there.release)
}

function compareOptional(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return Number(a !== undefined) - Number(b !== undefined)
  return compareRpmParts(a, b)
}

/** Parses and compares RPM versions, for version ranges; a missing epoch is 0. */
export const rpmScheme: VersionScheme<RpmVersion> = {
  parse: parseRpmVersion,
  compare: (a, b) => compareRpmParts(a.epoch ?? '0', b.epoch ?? '0') || compareRest(a, b),
}
