/** Parses and compares the versions of one package format. */
export interface VersionScheme<Version> {
  /** Parses a version; undefined if the text is not a version. */
  parse(text: string): Version | undefined
  /** Compares two versions: negative if `a` is older, positive if it is newer. */
  compare(a: Version, b: Version): number
}

/** A version range, such as `>=1.0 <2.0` or `<=1.19-1`, or a single version, `1.0`. */
export interface VersionRange<Version> {
  readonly text: string
  /** True for a single version. */
  readonly isExact: boolean
  /** The bounds in their original notation: `>=1.0`. */
  readonly bounds: readonly string[]
  includes(version: Version): boolean
}

const operators: Readonly<Record<string, (order: number) => boolean>> = {
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
  '': (order) => order === 0,
}

/** Parses a range; undefined if it is invalid. Puppet: util/package/version/range.rb */
export function parseVersionRange<Version>(
  text: string,
  { parse, compare }: VersionScheme<Version>,
): VersionRange<Version> | undefined {
  const parts = text.split(/\s+/).map((part) => {
    const [, operator = '', version = ''] = /^([<>=]*)([^<>=].*)$/.exec(part) ?? []
    const holds = operators[operator]
    const bound = parse(version)
    if (version === '' || !holds || bound === undefined) return undefined
    return { part, operator, includes: (each: Version) => holds(compare(each, bound)) }
  })
  if (parts.some((part) => part === undefined)) return undefined
  // As in Puppet, bounds after the first two are ignored.
  const bounds = parts.slice(0, 2).map((part) => part!)
  return {
    text,
    isExact: bounds.length === 1 && bounds[0]!.operator === '',
    bounds: bounds.map(({ part }) => part),
    includes: (version) => bounds.every(({ includes }) => includes(version)),
  }
}

/** The newest version within a range. */
export function findNewestVersion<Version>(
  range: VersionRange<Version>,
  versions: readonly string[],
  { parse, compare }: VersionScheme<Version>,
): Version | undefined {
  return versions
    .flatMap((text) => parse(text) ?? [])
    .filter((version) => range.includes(version))
    .sort(compare)
    .at(-1)
}
