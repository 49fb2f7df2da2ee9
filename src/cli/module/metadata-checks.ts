import { parseModuleDescription } from '../../code/environments/module-dependencies.ts'
import { SemVerRange } from '../../language/values/semver.ts'
import { readSupportedSystems } from '../../workbench/systems/supported-systems.ts'

/** A problem of a metadata.json. */
export interface MetadataProblem {
  readonly severity: 'error' | 'warning'
  readonly check: string
  readonly message: string
}

type Metadata = Readonly<Record<string, unknown>>

/** Keys that the Forge requires. */
const requiredKeys = ['name', 'version', 'author', 'license', 'summary', 'source', 'dependencies']
/** Keys of old metadata, which nothing reads. */
const oldKeys = ['types', 'checksums', 'description']
const longestSummary = 144

/** Checks the content of a metadata.json. metadata-json-lint: lib/metadata_json_lint.rb. */
export function checkMetadata(metadata: Metadata): readonly MetadataProblem[] {
  return [
    ...checkKeys(metadata),
    ...checkDependencies(metadata),
    ...checkRequirements(metadata),
    ...checkSystems(metadata),
  ]
}

function fail(check: string, message: string): MetadataProblem {
  return { severity: 'error', check, message }
}

function warn(check: string, message: string): MetadataProblem {
  return { severity: 'warning', check, message }
}

function checkKeys(metadata: Metadata): readonly MetadataProblem[] {
  const { summary, license, tags } = metadata
  return [
    ...requiredKeys
      .filter((key) => metadata[key] === undefined)
      .map((key) => fail('required_fields', `Required field '${key}' not found`)),
    ...oldKeys
      .filter((key) => metadata[key] !== undefined)
      .map((key) => warn('deprecated_fields', `Deprecated field '${key}' found`)),
    ...(typeof summary === 'string' && summary.length > longestSummary
      ? [fail('summary', `Field 'summary' exceeds ${longestSummary} characters`)]
      : []),
    ...(typeof summary === 'string' && summary.includes('\n')
      ? [fail('summary', "Field 'summary' has several lines")]
      : []),
    ...(typeof license === 'string' && !isLicense(license)
      ? [warn('license', `License identifier ${license} is not in the SPDX list: http://spdx.org/licenses/`)]
      : []),
    ...(tags === undefined || (Array.isArray(tags) && tags.every((tag) => typeof tag === 'string' && !/\s/.test(tag)))
      ? []
      : [fail('tags', 'Tags must be an array of words')]),
  ]
}

/** True for the form of an SPDX identifier, or `proprietary`. The list itself is not contained. */
function isLicense(text: string): boolean {
  return text === 'proprietary' || /^(?:[A-Z][A-Za-z]*|0BSD)(?:[-.][A-Za-z0-9]+)*(?:\+)?$/.test(text)
}

function checkDependencies(metadata: Metadata): readonly MetadataProblem[] {
  const { dependencies } = parseModuleDescription(metadata)
  const listed = Array.isArray(metadata['dependencies']) ? metadata['dependencies'] : []
  const names = dependencies.map(({ name }) => name)
  const twice = new Set(names.filter((name, at) => names.indexOf(name) !== at))
  return [
    ...[...twice].map((name) => fail('dependencies', `Duplicate dependencies on ${name}`)),
    ...(listed.length > dependencies.length ? [fail('dependencies', 'A dependency has no name')] : []),
    ...dependencies.flatMap(({ name, range }) => checkRange('dependencies', `dependency on ${name}`, range)),
    ...listed.flatMap((each: unknown) => {
      const { name, version_range: range } = (each ?? {}) as Metadata
      return range === undefined
        ? []
        : [warn('dependencies', `Dependency ${String(name)} has a 'version_range', which is deprecated`)]
    }),
  ]
}

function checkRange(check: string, what: string, range: string): readonly MetadataProblem[] {
  if (range === '>= 0.0.0' || range === '') return [warn(check, `The ${what} has no bounds`)]
  if (!SemVerRange.parse(range)) return [fail(check, `Invalid 'version_requirement' of the ${what}: '${range}'`)]
  const isOpen = range.includes('>') && !range.includes('<') && !range.includes(' - ')
  return isOpen ? [warn(check, `The ${what} has no upper bound: '${range}'`)] : []
}

function checkRequirements({ requirements }: Metadata): readonly MetadataProblem[] {
  if (requirements === undefined) return [warn('requirements', "No requirement of 'puppet' or 'openvox'")]
  if (!Array.isArray(requirements)) return [fail('requirements', "The 'requirements' field must be an array")]
  const known = requirements.flatMap((each: unknown) => {
    const { name, version_requirement: range } = (each ?? {}) as Metadata
    return typeof name === 'string' ? [{ name, range: typeof range === 'string' ? range : '' }] : []
  })
  const own = known.filter(({ name }) => name === 'puppet' || name === 'openvox')
  return [
    ...(own.length === 0 ? [warn('requirements', "No requirement of 'puppet' or 'openvox'")] : []),
    ...known.flatMap(({ name, range }) => checkRange('requirements', `requirement of ${name}`, range)),
  ]
}

function checkSystems(metadata: Metadata): readonly MetadataProblem[] {
  const { operatingsystem_support: support } = metadata
  if (support === undefined) return [warn('operatingsystem_support', 'No supported systems are named')]
  if (!Array.isArray(support))
    return [fail('operatingsystem_support', "The 'operatingsystem_support' field must be an array")]
  const systems = readSupportedSystems(metadata)
  const names = systems.map(({ name }) => name)
  return [
    ...(systems.length < support.length ? [fail('operatingsystem_support', "A system has no 'operatingsystem'")] : []),
    ...[...new Set(names.filter((name, at) => names.indexOf(name) !== at))].map((name) =>
      fail('operatingsystem_support', `Duplicate system ${name}`),
    ),
    ...systems.flatMap(({ name, releases }) =>
      releases
        .filter((release, at) => releases.indexOf(release) !== at)
        .map((release) => fail('operatingsystem_support', `Duplicate release ${release} of ${name}`)),
    ),
  ]
}
