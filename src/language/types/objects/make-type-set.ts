import { throwArgumentError } from '../../ruby-semantics/argument-error.ts'
import { Hash } from '../../values/hash.ts'
import { SemVer, SemVerRange } from '../../values/semver.ts'
import type { Type, TypeSetReference, TypeSetType } from '../../values/type.ts'
import type { Value } from '../../values/value.ts'
import { completeLazily } from '../memoize.ts'
import { RUNTIME_NAME_AUTHORITY, TYPE_SET } from '../standard-types.ts'
import { assertValueType } from './object-initializer.ts'
import { TYPE_SET_INITIALIZER } from './type-set-initializer.ts'

/** Parts of a type set other than its kind. */
type Parts = Omit<TypeSetType, 'kind'>

type Find = (name: string) => Type | undefined

/**
 * Builds `TypeSet[{ pcore_version => …, types => … }]` used as a value. Its types cannot be found by name. Throws
 * RUNTIME_ERROR.
 */
export function makeTypeSet(given: Value): TypeSetType {
  if (given === undefined || (given instanceof Hash && given.size === 0)) return TYPE_SET
  return Object.freeze({ kind: 'TypeSet', ...parseParts({}, given, () => undefined) })
}

/**
 * Creates a named type set. `init` returns the set's hash. It is called once, on first use, because the hash can refer
 * to the set's own types. `find` finds other type sets.
 */
export function createNamedTypeSet(name: string, init: () => Value, find: Find): TypeSetType {
  const names = { name, nameAuthority: RUNTIME_NAME_AUTHORITY }
  return completeLazily({ kind: 'TypeSet', ...names }, (): Parts => parseParts(names, init(), find), TYPE_SET)
}

/** Finds a type of the set itself by name, case-insensitive. */
export function findOwnType({ types }: TypeSetType, name: string): Type | undefined {
  const own = findByName(types, name)
  return own instanceof Hash ? undefined : own
}

/** Finds a type of the set, a referenced type set, or a type in a referenced set (`Other::Name`). */
export function findTypeInSet(set: TypeSetType, name: string): Type | undefined {
  const own = findOwnType(set, name)
  if (own) return own
  const [first, ...rest] = name.split('::')
  const reference = findByName(set.references, first!)
  if (!reference) return undefined
  return rest.length === 0 ? reference.typeSet : findTypeInSet(reference.typeSet, rest.join('::'))
}

function findByName<Item>(items: ReadonlyMap<string, Item>, name: string): Item | undefined {
  const exact = items.get(name)
  if (exact !== undefined) return exact
  const key = name.toLowerCase()
  for (const [each, item] of items) if (each.toLowerCase() === key) return item
  return undefined
}

/** Parses the parts that a hash describes. Names in `own` take precedence over those in the hash. */
function parseParts(own: { name?: string; nameAuthority?: string }, given: Value, find: Find): Parts {
  assertValueType('TypeSet initializer', TYPE_SET_INITIALIZER, given)
  const fields = given as Hash
  const name = own.name ?? (fields.get('name') as string | undefined)
  const nameAuthority = own.nameAuthority ?? (fields.get('name_authority') as string | undefined)
  const pcoreVersion = parseVersion(fields.get('pcore_version'))!
  if (pcoreVersion.major !== 1) {
    const what = `The pcore version for TypeSet '${name ?? ''}' is not understood by this runtime`
    throwArgumentError(`${what}. Expected range 1.x, got ${pcoreVersion}`)
  }
  const version = parseVersion(fields.get('version'))
  const types = new Map(parseMembers(fields, 'types')) as Map<string, Type | Hash>
  const references = parseReferences({ name, nameAuthority, types }, parseMembers(fields, 'references'), find)
  const entries: (readonly [string, Value])[] = [
    ['annotations', fields.get('annotations')],
    ['pcore_uri', fields.get('pcore_uri')],
    ['pcore_version', String(pcoreVersion)],
    ['name_authority', nameAuthority],
    ['name', name],
    ['version', version && String(version)],
    ['types', types.size === 0 ? undefined : Hash.of(types)],
    ['references', references.size === 0 ? undefined : toReferencesHash(references, nameAuthority)],
  ]
  const initHash = Hash.of(entries.filter(([key, value]) => value !== undefined || key === 'name'))
  return { name, nameAuthority, version, types, references, initHash }
}

function parseMembers(fields: Hash, key: string): [string, Value][] {
  const members = fields.get(key)
  return members instanceof Hash ? Array.from(members, ([name, value]) => [String(name), value]) : []
}

function parseVersion(given: Value): SemVer | undefined {
  if (given === undefined || given instanceof SemVer) return given
  return (
    SemVer.parse(String(given)) ?? throwArgumentError(`Unable to parse '${given}' as a semantic version identifier`)
  )
}

function parseRange(given: Value): SemVerRange {
  if (given instanceof SemVerRange) return given
  return SemVerRange.parse(String(given)) ?? throwArgumentError(`Unparsable version range: "${given}"`)
}

function parseReferences(
  { name: owner, nameAuthority: inherited, types }: Pick<Parts, 'name' | 'nameAuthority' | 'types'>,
  given: readonly [string, Value][],
  find: Find,
): Map<string, TypeSetReference> {
  const references = new Map<string, TypeSetReference>()
  for (const [alias, spec] of given) {
    const fields = spec as Hash
    const name = fields.get('name') as string
    const nameAuthority = (fields.get('name_authority') as string | undefined) ?? inherited
    const versionRange = parseRange(fields.get('version_range'))
    // As in Puppet, any two ranges count as overlapping, because their intersection is never nil.
    const isAgain = [...references.values()].some((each) => each.name === name && each.nameAuthority === nameAuthority)
    const label = `TypeSet '${owner ?? ''}' references`
    if (isAgain)
      throwArgumentError(
        `${label} TypeSet '${nameAuthority ?? ''}/${name}' more than once using overlapping version ranges`,
      )
    if (types.has(alias))
      throwArgumentError(
        `${label} a TypeSet using alias '${alias}'. The alias collides with the name of a declared type`,
      )
    const annotations = fields.get('annotations') as Hash | undefined
    references.set(alias, findReferencedSet({ name, nameAuthority, versionRange, annotations }, owner, find))
  }
  return references
}

function findReferencedSet(
  parts: Omit<TypeSetReference, 'typeSet'>,
  owner: string | undefined,
  find: Find,
): TypeSetReference {
  const { name, nameAuthority, versionRange } = parts
  const label = `TypeSet '${owner ?? ''}' reference to TypeSet named '${name}'`
  return Object.freeze({
    ...parts,
    get typeSet(): TypeSetType {
      const found = nameAuthority === RUNTIME_NAME_AUTHORITY ? find(name) : undefined
      if (!found) return throwArgumentError(`${label} cannot be resolved`)
      if (found.kind !== 'TypeSet')
        return throwArgumentError(`${label} resolves to a ${'name' in found && found.name ? found.name : found.kind}`)
      if (!found.version || !versionRange.includes(found.version)) {
        const versions = `Expected ${versionRange}, got ${found.version ?? ''}`
        return throwArgumentError(`${label} resolves to an incompatible version. ${versions}`)
      }
      return found
    },
  })
}

function toReferencesHash(references: ReadonlyMap<string, TypeSetReference>, inherited: string | undefined): Hash {
  return Hash.of(
    Array.from(references, ([alias, { name, nameAuthority, versionRange, annotations }]) => {
      const entries: (readonly [string, Value])[] = [
        ['annotations', annotations],
        ['name_authority', nameAuthority === inherited ? undefined : nameAuthority],
        ['name', name],
        ['version_range', String(versionRange)],
      ]
      return [alias, Hash.of(entries.filter(([, value]) => value !== undefined))]
    }),
  )
}
