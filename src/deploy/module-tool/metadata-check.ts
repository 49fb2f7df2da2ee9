import { toJsonRecord } from '../../base/json/json-checks.ts'
import { compareCodeUnits } from '../../base/text/code-unit-order.ts'
import { SemVer, SemVerRange } from '../../language/values/semver.ts'
import { acceptsVersion } from './dependency-resolution.ts'
import { isModuleSlug } from './forge-modules.ts'

/** A problem of a module, with the name of its check. */
export interface ModuleProblem {
  readonly check: string
  readonly message: string
}

type Metadata = Readonly<Record<string, unknown>>

/** Fields that each metadata.json must have. */
const requiredFields = ['name', 'version', 'author', 'license', 'summary', 'source', 'dependencies'] as const
/** Fields that Puppet no longer reads. */
const deprecatedFields = ['types', 'checksums', 'description'] as const
/** Longest summary that the Forge accepts, in characters. */
const longestSummary = 144
/** A version above all others, to find ranges without an upper bound. */
const highest = new SemVer(999_999, 0, 0)

/** Checks the object in a metadata.json by the rules of metadata-json-lint. */
export function checkMetadata(metadata: Metadata): readonly ModuleProblem[] {
  return [
    ...requiredFields
      .filter((field) => metadata[field] === undefined || metadata[field] === null)
      .map((field) => ({ check: 'required_fields', message: `Required field '${field}' not found in metadata.json` })),
    ...deprecatedFields
      .filter((field) => metadata[field] !== undefined)
      .map((field) => ({ check: 'deprecated_fields', message: `Deprecated field '${field}' found in metadata.json` })),
    ...checkTexts(metadata),
    ...checkRanges(metadata['dependencies'], 'dependency', 'dependencies'),
    ...checkRanges(metadata['requirements'], 'requirement', 'requirements'),
    ...checkRequirements(metadata['requirements']),
    ...checkSystems(metadata['operatingsystem_support']),
  ]
}

/** Compares the ranges of dependencies with the newest release of each. `newest` is undefined for an unknown module. */
export function checkNewest(
  dependencies: ReadonlyMap<string, string>,
  newest: ReadonlyMap<string, SemVer | undefined>,
): readonly ModuleProblem[] {
  return [...dependencies].flatMap(([name, range]) => {
    const version = newest.get(name)
    if (!newest.has(name)) return []
    if (!version) return [{ check: 'dependency_unknown', message: `Dependency ${name} does not exist on the Forge` }]
    if (acceptsVersion(range, version)) return []
    return [
      {
        check: 'dependency_outdated',
        message: `Dependency ${name} (${range}) does not include its newest release ${version}`,
      },
    ]
  })
}

function checkTexts({ name, version, license, summary, tags }: Metadata): readonly ModuleProblem[] {
  const problems: ModuleProblem[] = []
  const add = (check: string, message: string) => problems.push({ check, message })
  if (name !== undefined && !(typeof name === 'string' && isModuleSlug(name.replace('/', '-'))))
    add('name', "Field 'name' must be OWNER-NAME")
  if (version !== undefined && !(typeof version === 'string' && SemVer.parse(version)))
    add('version', "Field 'version' must be a semantic version")
  if (license !== undefined && !(typeof license === 'string' && isLicense(license)))
    add('license', `License identifier ${JSON.stringify(license)} is not an SPDX identifier`)
  if (summary !== undefined && !(typeof summary === 'string' && summary.length <= longestSummary))
    add('summary', `Field 'summary' exceeds ${longestSummary} characters in metadata.json`)
  if (tags !== undefined && !(Array.isArray(tags) && tags.every((tag) => typeof tag === 'string' && !/\s/.test(tag))))
    add('tags', "Field 'tags' must be an array of words")
  return problems
}

/** True for the form of SPDX identifiers, joined by AND or OR, and for `proprietary`. The list itself changes too often. */
function isLicense(text: string): boolean {
  return text.split(/ (?:AND|OR) /).every((id) => /^[A-Za-z0-9][\w.+-]{0,63}$/.test(id.replace(/^\(|\)$/g, '')))
}

function checkRanges(list: unknown, kind: 'dependency' | 'requirement', field: string): readonly ModuleProblem[] {
  if (list === undefined) return []
  if (!Array.isArray(list)) return [{ check: field, message: `Field '${field}' must be an array` }]
  const problems: ModuleProblem[] = []
  const add = (message: string) => problems.push({ check: field, message })
  const seen = new Set<string>()
  for (const each of list) {
    const { name, version_requirement: range, version_range: old } = toJsonRecord(each)
    if (typeof name !== 'string') {
      add(`Each ${kind} needs a 'name'`)
      continue
    }
    const slug = name.replace('/', '-')
    if (seen.has(slug)) add(`Duplicate ${field} on ${name}`)
    seen.add(slug)
    if (kind === 'dependency' && !isModuleSlug(slug)) add(`Dependency ${name} is not OWNER-NAME`)
    if (old !== undefined) add(`${name} has 'version_range', which is deprecated; use 'version_requirement'`)
    if (range === undefined) {
      if (kind === 'dependency') add(`Dependency ${name} has no version requirement`)
    } else if (typeof range !== 'string' || !SemVerRange.parse(range))
      add(`Invalid 'version_requirement' field in metadata.json: ${JSON.stringify(range)} of ${name}`)
    else if (kind === 'dependency' && acceptsVersion(range, highest))
      add(`Dependency ${name} has an open ended dependency version requirement ${range}`)
  }
  return problems
}

function checkRequirements(list: unknown): readonly ModuleProblem[] {
  const puppet = (Array.isArray(list) ? list : [])
    .map(toJsonRecord)
    .find(({ name }) => name === 'puppet' || name === 'openvox')
  if (!puppet) return [{ check: 'requirements', message: "The 'puppet' requirement is missing in metadata.json" }]
  const range = puppet['version_requirement']
  if (typeof range !== 'string' || !SemVerRange.parse(range)) return []
  return [
    ...(acceptsVersion(range, highest)
      ? [{ check: 'requirements', message: "The 'puppet' requirement is missing an upper bound" }]
      : []),
    ...(acceptsVersion(range, new SemVer(0, 0, 1))
      ? [{ check: 'requirements', message: "The 'puppet' requirement is missing a lower bound" }]
      : []),
  ]
}

function checkSystems(list: unknown): readonly ModuleProblem[] {
  const check = 'operatingsystem_support'
  if (list === undefined) return []
  if (!Array.isArray(list)) return [{ check, message: `Field '${check}' must be an array` }]
  const names = list.map((each) => toJsonRecord(each)['operatingsystem'])
  const duplicates = names.filter((name, at) => typeof name === 'string' && names.indexOf(name) !== at) as string[]
  return [
    ...list.flatMap((each, at) => {
      const { operatingsystem: name, operatingsystemrelease: releases } = toJsonRecord(each)
      if (typeof name !== 'string')
        return [{ check, message: `Entry ${at + 1} of '${check}' has no 'operatingsystem'` }]
      const isValid =
        releases === undefined || (Array.isArray(releases) && releases.every((one) => typeof one === 'string'))
      return isValid ? [] : [{ check, message: `Releases of ${name} must be an array of strings` }]
    }),
    ...[...new Set(duplicates)]
      .sort(compareCodeUnits)
      .map((name) => ({ check, message: `${name} occurs twice in '${check}'` })),
  ]
}
