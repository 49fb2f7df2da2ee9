import { compareTexts } from '../../language/ruby-semantics/text/compare.ts'

/** A version of a Ruby gem. */
export interface GemVersion {
  readonly text: string
  /** Numbers and words of the version. */
  readonly segments: readonly (number | string)[]
}

const versionSource = '[0-9]+(?:\\.[0-9a-zA-Z]+)*(?:-[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?'
const wholeVersion = new RegExp(`^(?:${versionSource})?$`)
const requirementPattern = new RegExp(`^(=|!=|>=|<=|~>|>|<)?\\s*(${versionSource})$`)

/** Parses a version; undefined if it is invalid. */
export function parseGemVersion(text: string): GemVersion | undefined {
  if (!wholeVersion.test(text.trim())) return undefined
  const parts: string[] = (text.trim() || '0').replaceAll('-', '.pre.').match(/[0-9]+|[a-z]+/gi) ?? []
  return { text: text.trim(), segments: parts.map((part) => (/^\d/.test(part) ? Number(part) : part)) }
}

/** True for a version with a word, such as `2.0.0.rc1`. */
export function isPrerelease({ segments }: GemVersion): boolean {
  return segments.some((segment) => typeof segment === 'string')
}

/** Segments without trailing zeros, both of the numeric part and of the whole. */
function getSignificantSegments({ segments }: GemVersion): readonly (number | string)[] {
  const firstWord = segments.findIndex((segment) => typeof segment === 'string')
  const end = firstWord < 0 ? segments.length : firstWord
  const removeTrailingZeros = (part: readonly (number | string)[]) =>
    part.slice(0, part.findLastIndex((each) => each !== 0) + 1)
  return [...removeTrailingZeros(segments.slice(0, end)), ...removeTrailingZeros(segments.slice(end))]
}

/** Negative if `a` is older, positive if it is newer; a word is older than any number. */
export function compareGemVersions(a: GemVersion, b: GemVersion): number {
  const [mine, yours] = [getSignificantSegments(a), getSignificantSegments(b)]
  for (let at = 0; at < Math.max(mine.length, yours.length); at++) {
    const [left, right] = [mine[at] ?? 0, yours[at] ?? 0]
    if (left === right) continue
    if (typeof left === 'number' && typeof right === 'number') return left < right ? -1 : 1
    if (typeof left === 'string' && typeof right === 'string') return compareTexts(left, right)
    return typeof left === 'string' ? -1 : 1
  }
  return 0
}

/** True for requirement syntax: `~> 1.2, != 1.2.5`, or a plain version. */
export function isRequirement(text: string): boolean {
  return text.includes(',') || requirementPattern.test(text.trim())
}

/** True if the requirements allow the version. A prerelease is allowed only if a requirement contains one. */
export function meetsRequirements(text: string, version: GemVersion): boolean {
  const requirements = text.split(',').map((part) => {
    const [, operator = '=', wanted = ''] = requirementPattern.exec(part.trim()) ?? []
    return { operator, wanted: wanted === '' ? undefined : parseGemVersion(wanted) }
  })
  const isSound = requirements.every(({ wanted }) => wanted !== undefined)
  const namesPrerelease = requirements.some(({ wanted }) => wanted && isPrerelease(wanted))
  if (!isSound || (isPrerelease(version) && !namesPrerelease)) return false
  return requirements.every(({ operator, wanted }) => tests[operator]?.(version, wanted!))
}

const tests: Readonly<Record<string, (version: GemVersion, wanted: GemVersion) => boolean>> = {
  '=': (version, wanted) => compareGemVersions(version, wanted) === 0,
  '!=': (version, wanted) => compareGemVersions(version, wanted) !== 0,
  '>': (version, wanted) => compareGemVersions(version, wanted) > 0,
  '<': (version, wanted) => compareGemVersions(version, wanted) < 0,
  '>=': (version, wanted) => compareGemVersions(version, wanted) >= 0,
  '<=': (version, wanted) => compareGemVersions(version, wanted) <= 0,
  '~>': (version, wanted) =>
    compareGemVersions(version, wanted) >= 0 &&
    compareGemVersions(toReleaseVersion(version), getUpperBound(wanted)) < 0,
}

/** The version without its words, that is, without a prerelease. */
function toReleaseVersion({ text, segments }: GemVersion): GemVersion {
  const firstWord = segments.findIndex((segment) => typeof segment === 'string')
  return { text, segments: firstWord < 0 ? segments : segments.slice(0, firstWord) }
}

/** The first version that `~>` excludes: 1.3 for 1.2.5. */
function getUpperBound(version: GemVersion): GemVersion {
  const { text, segments } = toReleaseVersion(version)
  const kept = segments.length > 1 ? segments.slice(0, -1) : segments
  return { text, segments: [...kept.slice(0, -1), Number(kept.at(-1)) + 1] }
}
