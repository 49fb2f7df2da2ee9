import type { KeyedValue } from './hash-key.ts'

type Identifier = number | string

/** A version in the format of semver.org 2.0. */
export class SemVer implements KeyedValue {
  readonly major: number
  readonly minor: number
  readonly patch: number
  readonly prerelease: readonly Identifier[]
  readonly build: readonly string[]

  constructor(
    major: number,
    minor: number,
    patch: number,
    prerelease: readonly Identifier[] = [],
    build: readonly string[] = [],
  ) {
    this.major = major
    this.minor = minor
    this.patch = patch
    this.prerelease = prerelease
    this.build = build
  }

  /** Parses a version; `undefined` if the text is not a version. */
  static parse(text: string): SemVer | undefined {
    const found = versionPattern.exec(text)
    if (!found) return undefined
    const [, major, minor, patch, prerelease, build] = found
    const identifiers = parseIdentifiers(prerelease)
    return identifiers && new SemVer(Number(major), Number(minor), Number(patch), identifiers, build?.split('.'))
  }

  /** Compares two versions: negative, zero or positive. Build metadata is ignored. */
  static compare(a: SemVer, b: SemVer): number {
    return a.major - b.major || a.minor - b.minor || a.patch - b.patch || comparePrereleases(a.prerelease, b.prerelease)
  }

  /** True for a version without a pre-release. */
  get isStable(): boolean {
    return this.prerelease.length === 0
  }

  keyText(): string {
    return `SemVer:${this}`
  }

  toString(): string {
    const prerelease = this.prerelease.length === 0 ? '' : `-${this.prerelease.join('.')}`
    const build = this.build.length === 0 ? '' : `+${this.build.join('.')}`
    return `${this.major}.${this.minor}.${this.patch}${prerelease}${build}`
  }
}

const number = '(0|[1-9]\\d*)'
const identifiers = '([0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)'
const qualifier = `(?:-${identifiers})?(?:\\+${identifiers})?`
const versionPattern = new RegExp(`^${number}\\.${number}\\.${number}${qualifier}\\n?$`)

/**
 * Parses the dot-separated identifiers of a version; `undefined` for numbers with leading zeros, which the standard
 * forbids.
 */
function parseIdentifiers(text: string | undefined): readonly Identifier[] | undefined {
  if (text === undefined) return []
  const parts = text.split('.')
  if (parts.some((part) => /^0\d+$/.test(part))) return undefined
  return parts.map((part) => (/^\d+$/.test(part) ? Number(part) : part))
}

function comparePrereleases(a: readonly Identifier[], b: readonly Identifier[]): number {
  if (a.length === 0 || b.length === 0) return b.length - a.length
  for (let index = 0; index < a.length && index < b.length; index++) {
    const x = a[index]!
    const y = b[index]!
    if (x === y) continue
    if (typeof x !== typeof y) return typeof x === 'number' ? -1 : 1
    return x < y ? -1 : 1
  }
  return a.length - b.length
}

type Operator = '<' | '<=' | '>' | '>=' | '='
interface Comparator {
  readonly operator: Operator
  readonly version: SemVer
}
/** Comparators of a range, all of which must match. */
type Alternative = readonly Comparator[]

/** A version range in the syntax of Puppet's semantic_puppet. */
export class SemVerRange implements KeyedValue {
  /** The range as written. */
  readonly range: string
  readonly #alternatives: readonly Alternative[]

  private constructor(range: string, alternatives: readonly Alternative[]) {
    this.range = range
    this.#alternatives = alternatives
  }

  /** Parses a version range; `undefined` if the text is not a range. */
  static parse(text: string): SemVerRange | undefined {
    const parts = text.replace(/([><=~^])(?:\s+|\s*v)/g, '$1').split('||')
    const alternatives: Alternative[] = []
    for (const [at, part] of parts.entries()) {
      const left = at > 0 ? part.trimStart() : part
      const alternative = parseAlternative(at < parts.length - 1 ? left.trimEnd() : left)
      if (!alternative) return undefined
      alternatives.push(alternative)
    }
    return new SemVerRange(text, alternatives)
  }

  /** The range between two versions; includes the last unless `excludeMax`. */
  static between(from: SemVer, to: SemVer, excludeMax = false): SemVerRange {
    const text = excludeMax ? `>=${from} <${to}` : `${from} - ${to}`
    return new SemVerRange(text, [[createComparator('>=', from), createComparator(excludeMax ? '<' : '<=', to)]])
  }

  /**
   * True if the range includes the version. A pre-release matches only a range that names a pre-release of the same
   * version.
   */
  includes(version: SemVer): boolean {
    return this.#alternatives.some(
      (alternative) =>
        alternative.every((each) => satisfiesComparator(each, version)) &&
        (version.isStable || alternative.length === 0 || alternative.some((each) => allowsPrerelease(each, version))),
    )
  }

  /**
   * True if this range certainly includes every version of `other`. Compares only the bounds of the ranges'
   * alternatives.
   */
  covers(other: SemVerRange): boolean {
    return other.#alternatives.every((theirs) => this.#alternatives.some((ours) => impliesAll(ours, theirs)))
  }

  /** The simplest equivalent range: `>=1.0.0 <2.0.0` for `1.x`. */
  get normalized(): string {
    return this.#alternatives.map(formatAlternative).join(' || ')
  }

  keyText(): string {
    const parts = this.#alternatives.map((each) => each.map(({ operator, version }) => operator + version).join(' '))
    return `SemVerRange:${parts.sort().join('||')}`
  }

  toString(): string {
    return this.range
  }
}

const part = '(x|X|\\*|0|[1-9]\\d*)'
const partialPattern = new RegExp(`^${part}(?:\\.${part}(?:\\.${part}${qualifier})?)?$`)
const simplePattern = /^(<=|>=|~>|~=|[<>=~^])?([^<>=~^].*)$/

interface Partial {
  readonly major: number | undefined
  readonly minor: number | undefined
  readonly patch: number | undefined
  readonly prerelease: readonly Identifier[]
  readonly build: readonly string[]
}

function formatAlternative(alternative: Alternative): string {
  if (alternative.length === 0) return '*'
  return alternative.map(({ operator, version }) => (operator === '=' ? String(version) : operator + version)).join(' ')
}

function createComparator(operator: Operator, version: SemVer): Comparator {
  return { operator, version }
}

function parseAlternative(text: string): Alternative | undefined {
  const hyphen = /^(\S+)\s+-\s+(\S+)$/.exec(text)
  if (hyphen) {
    const from = parsePartial(hyphen[1]!)
    const to = parsePartial(hyphen[2]!)
    return from && to && [createComparator('>=', toLowestVersion(from)), createComparator('<=', toLowestVersion(to))]
  }
  const all: Comparator[] = []
  for (const word of text === '' ? ['*'] : text.trim().split(/\s+/)) {
    const [, operator = '', operand = ''] = simplePattern.exec(word) ?? []
    const partial = parsePartial(operand)
    const comparators = partial && parseComparators(operator, partial)
    if (!comparators) return undefined
    all.push(...comparators)
  }
  return all
}

function parsePartial(text: string): Partial | undefined {
  const found = partialPattern.exec(text)
  if (!found) return undefined
  const [major, minor, patch] = found
    .slice(1, 4)
    .map((digits) => (/^\d+$/.test(digits ?? '') ? Number(digits) : undefined))
  const prerelease = parseIdentifiers(found[4])
  return prerelease && { major, minor, patch, prerelease, build: found[5]?.split('.') ?? [] }
}

function toLowestVersion({ major = 0, minor = 0, patch = 0, prerelease, build }: Partial): SemVer {
  return new SemVer(major, minor, patch, prerelease, build)
}

function parseComparators(operator: string, partial: Partial): Alternative {
  switch (operator) {
    case '>=':
      return [createComparator('>=', toLowestVersion(partial))]
    case '<':
      return [createComparator('<', toLowestVersion(partial))]
    case '>':
      return createAbove(partial)
    case '<=':
      return createUpTo(partial)
    case '^':
      return partial.major === 0 ? createPatchRange(partial, true) : createMinorRange(partial)
    case '~':
    case '~>':
    case '~=':
      return createPatchRange(partial, true)
    default:
      return createPatchRange(partial, false)
  }
}

function createAbove(partial: Partial): Alternative {
  const { major, minor, patch } = partial
  if (major === undefined) return [createComparator('<', new SemVer(0, 0, 0))]
  if (minor === undefined) return [createComparator('>=', new SemVer(major + 1, 0, 0))]
  if (patch === undefined) return [createComparator('>=', new SemVer(major, minor + 1, 0))]
  return [createComparator('>', toLowestVersion(partial))]
}

function createUpTo(partial: Partial): Alternative {
  const { major, minor, patch } = partial
  if (major === undefined) return []
  if (minor === undefined) return [createComparator('<', new SemVer(major + 1, 0, 0))]
  if (patch === undefined) return [createComparator('<', new SemVer(major, minor + 1, 0))]
  return [createComparator('<=', toLowestVersion(partial))]
}

function createPatchRange(partial: Partial, open: boolean): Alternative {
  const { major, minor, patch } = partial
  if (major === undefined) return []
  if (minor === undefined)
    return [createComparator('>=', new SemVer(major, 0, 0)), createComparator('<', new SemVer(major + 1, 0, 0))]
  const next = createComparator('<', new SemVer(major, minor + 1, 0))
  if (patch === undefined) return [createComparator('>=', new SemVer(major, minor, 0)), next]
  return open
    ? [createComparator('>=', toLowestVersion(partial)), next]
    : [createComparator('=', toLowestVersion(partial))]
}

function createMinorRange(partial: Partial): Alternative {
  if (partial.major === undefined) return []
  return [createComparator('>=', toLowestVersion(partial)), createComparator('<', new SemVer(partial.major + 1, 0, 0))]
}

const satisfiesComparator = ({ operator, version }: Comparator, candidate: SemVer): boolean =>
  matchesOrder(operator, SemVer.compare(candidate, version))

/** Returns true if an operator holds for two values with this order: negative, zero or positive. */
export function matchesOrder(operator: Operator, order: number): boolean {
  switch (operator) {
    case '<':
      return order < 0
    case '<=':
      return order <= 0
    case '>':
      return order > 0
    case '>=':
      return order >= 0
    case '=':
      return order === 0
  }
}

function allowsPrerelease({ version }: Comparator, candidate: SemVer): boolean {
  const { major, minor, patch } = version
  return !version.isStable && major === candidate.major && minor === candidate.minor && patch === candidate.patch
}

function impliesAll(outer: Alternative, inner: Alternative): boolean {
  return outer.every((limit) => inner.some((each) => impliesComparator(each, limit)))
}

/** True if every version that satisfies the first comparator satisfies the second. */
function impliesComparator(each: Comparator, limit: Comparator): boolean {
  const order = SemVer.compare(each.version, limit.version)
  const up = limit.operator.startsWith('>')
  if (limit.operator === '=') return each.operator === '=' && order === 0
  if (each.operator !== '=' && each.operator.startsWith('>') !== up) return false
  if (order !== 0) return up ? order > 0 : order < 0
  return limit.operator.endsWith('=') || each.operator === limit.operator
}
