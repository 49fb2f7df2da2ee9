/** The versions of one kind of package: from text, and in their order. */
export interface VersionScheme<Version> {
  /** `undefined` of what is no version. */
  parse(text: string): Version | undefined
  /** Negative when the first is older, positive when it is newer. */
  compare(a: Version, b: Version): number
}

/** A range of versions: `>=1.0 <2.0`, `<=1.19-1`; of one version, `1.0`. */
export interface VersionRange<Version> {
  readonly text: string
  /** True of a plain version, which is no range of several. */
  readonly isExact: boolean
  /** The bounds as they were written: `>=1.0`. */
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

/** The range of a text; `undefined` of what is none. Puppet: util/package/version/range.rb */
export function versionRange<Version>(
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
  // Puppet takes the first two of several.
  const bounds = parts.slice(0, 2).map((part) => part!)
  return {
    text,
    isExact: bounds.length === 1 && bounds[0]!.operator === '',
    bounds: bounds.map(({ part }) => part),
    includes: (version) => bounds.every(({ includes }) => includes(version)),
  }
}

/** The newest of some versions that a range has. */
export function newestWithin<Version>(
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
