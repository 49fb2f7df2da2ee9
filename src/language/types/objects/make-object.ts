import { throwArgumentError } from '../../ruby-semantics/argument-error.ts'
import { Hash } from '../../values/hash.ts'
import type { AnyMember, ObjectType, Type } from '../../values/type.ts'
import { resolveParent } from '../../values/type.ts'
import type { Value } from '../../values/value.ts'
import { inferType } from '../infer.ts'
import { completeLazily } from '../memoize.ts'
import { OBJECT } from '../standard-types.ts'
import { toTypeInitHash } from './object-hash.ts'
import { getMembers, getTypeParameters } from './object-inheritance.ts'
import { assertValueType, OBJECT_INITIALIZER } from './object-initializer.ts'
import { formatMemberLabel, parseAttributes, parseFunctions, parseTypeParameters } from './object-members.ts'

/** Parts of an Object type other than its name. */
type Parts = Omit<ObjectType, 'kind' | 'name' | 'parameters'>

/** Builds `Object[{ attributes => … }]`. Throws RUNTIME_ERROR. Puppet: types/p_object_type.rb. */
export function createObjectType(given: Value): ObjectType {
  if (!(given instanceof Hash))
    return throwArgumentError(`Object-Type[] argument must be a Hash. Got ${inferType(given).kind}`)
  if (given.size === 0) return OBJECT
  const fields = given
  assertValueType('object initializer', OBJECT_INITIALIZER, fields)
  const name = fields.get('name') as string | undefined
  return Object.freeze({ kind: 'Object', name, parameters: undefined, ...parseParts(name, fields) })
}

/** Placeholder for the parts while the hash is evaluated, because types in the hash can read them. */
const nothing: Parts = { ...OBJECT, initHash: Hash.empty }

/**
 * Creates a named Object type. `init` returns the type's hash. It is called once, on first use, because the hash can
 * refer to the type itself.
 */
export function createNamedObjectType(name: string, init: () => Value): ObjectType {
  const parts = (): Parts => {
    const fields = init()
    assertValueType('object initializer', OBJECT_INITIALIZER, fields)
    checkLineage(name, (fields as Hash).get('parent') as Type | undefined)
    return parseParts(name, fields as Hash)
  }
  return completeLazily({ kind: 'Object', name, parameters: undefined }, parts, nothing)
}

/** Throws RUNTIME_ERROR if a type is its own ancestor. */
function checkLineage(name: string, parent: Type | undefined): void {
  for (let at = parent; at; at = at.kind === 'TypeAlias' ? at.resolved : at.kind === 'Object' ? at.parent : undefined)
    if (at.kind === 'Object' && at.name === name) throwArgumentError(`The Object type '${name}' inherits from itself`)
}

function parseParts(name: string | undefined, given: Hash): Parts {
  const label = name ?? 'Object'
  const parent = given.get('parent') as Type | undefined
  if (parent?.kind === 'TypeReference') throwArgumentError(`reference to unresolved type '${parent.typeString}'`)
  const ancestor = parent && resolveParent({ parent })
  const inherited = ancestor ? getMembers(ancestor) : new Map<string, AnyMember>()
  const typeParameters = parseTypeParameters(given, label, ancestor ? getTypeParameters(ancestor) : new Map())
  const attributes = parseAttributes(given, label, inherited)
  const functions = parseFunctions(given, label, attributes, inherited)
  const equalityIncludeType = given.get('equality_include_type') !== false
  const equality = parseNames(given.get('equality'))
  if (equality && equality.length > 0 && !equalityIncludeType)
    throwArgumentError('equality_include_type = false cannot be combined with non empty equality specification')
  for (const each of equality ?? [])
    checkEquality(label, each, inherited.get(each), attributes.get(each) ?? functions.get(each), ancestor)
  const parts = { parent, attributes, functions, equality, equalityIncludeType, checks: given.get('checks') }
  const more = { typeParameters, annotations: given.get('annotations') as Hash | undefined }
  return { ...parts, ...more, initHash: toTypeInitHash(name, { ...parts, ...more }) }
}

function parseNames(given: Value): readonly string[] | undefined {
  if (given === undefined) return undefined
  return Array.isArray(given) ? (given as string[]) : [String(given)]
}

/** Throws RUNTIME_ERROR for an invalid `equality` attribute. */
function checkEquality(
  label: string,
  name: string,
  inherited: AnyMember | undefined,
  own: AnyMember | undefined,
  ancestor: ObjectType | undefined,
): void {
  const about = `${label} equality is referencing`
  const member = inherited ?? own ?? throwArgumentError(`${about} non existent attribute '${name}'`)
  const shown = formatMemberLabel(member)
  const definer = inherited && ancestor && findEqualityDefiner(ancestor, name)
  if (member.feature === 'function') throwArgumentError(`${about} ${shown}. Only attribute references are allowed`)
  if (definer) throwArgumentError(`${about} ${shown} which is included in equality of ${definer.name ?? 'Object'}`)
  if (member.feature === 'attribute' && member.kind === 'constant')
    throwArgumentError(`${about} constant ${shown}. Reference to constant is not allowed in equality`)
}

/** Returns the topmost ancestor whose `equality` includes the attribute. */
function findEqualityDefiner(type: ObjectType, name: string): ObjectType | undefined {
  const parent = resolveParent(type)
  const above = parent && findEqualityDefiner(parent, name)
  if (above) return above
  const own = type.attributes.get(name)
  const takesPart = type.equality ? type.equality.includes(name) : own !== undefined && own.kind !== 'constant'
  return takesPart ? type : undefined
}
