import { refuse } from '../values/argument-error.ts'
import { Hash } from '../values/hash.ts'
import type { Value } from '../values/value.ts'
import { generalize } from './generalize.ts'
import { infer } from './infer.ts'
import { isInstance } from './is-instance.ts'
import { attributesOf } from './object-hash.ts'
import { type AttributeDefinition, isType, type ObjectType, type Type } from './type.ts'
import { OBJECT } from './well-known.ts'

const keys = [
  'name',
  'parent',
  'type_parameters',
  'attributes',
  'constants',
  'functions',
  'equality',
  'equality_include_type',
  'checks',
  'annotations',
  'serialization',
]
const attributeKeys = ['annotations', 'final', 'override', 'type', 'kind', 'value', 'go_name']
const kinds: ReadonlySet<Value> = new Set(['constant', 'derived', 'given_or_derived', 'reference', 'normal'])

/** `Object[{ attributes => … }]`, or a named one (Puppet: types/p_object_type.rb). Throws RUNTIME_ERROR. */
export function objectType(given: Value, name?: string): ObjectType {
  if (!(given instanceof Hash)) return refuse(`Object-Type[] argument must be a Hash. Got ${infer(given).kind}`)
  if (given.size === 0) return OBJECT
  for (const key of given.keys())
    if (!keys.includes(key as string)) refuse(`object initializer has wrong type, unrecognized key '${key}'`)
  const own = name ?? (given.get('name') as string | undefined)
  const parent = given.get('parent')
  if (parent !== undefined && !isType(parent))
    refuse("object initializer has wrong type, entry 'parent' expects a type")
  const constants = constantsOf(given)
  const attributes = new Map([...membersOf(given, 'attributes', own), ...constants])
  const type: ObjectType = {
    kind: 'Object',
    name: own,
    parent: parent as Type | undefined,
    attributes,
    functions: functionsOf(given),
    constants: new Map(Array.from(constants, ([key, { value }]) => [key, value])),
    equality: namesOf(given.get('equality')),
    equalityIncludeType: given.get('equality_include_type') !== false,
    serialization: namesOf(given.get('serialization')),
    annotations: given.get('annotations') as Hash | undefined,
    typeParameters: membersOf(given, 'type_parameters', own),
    parameters: undefined,
    initHash: given,
  }
  checkInheritance(type)
  return Object.freeze(type)
}

function membersOf(given: Hash, key: string, owner: string | undefined): Map<string, AttributeDefinition> {
  const members = given.get(key)
  if (!(members instanceof Hash)) return new Map()
  return new Map(
    Array.from(members, ([name, spec]) => [String(name), attributeOf(String(name), spec, owner ?? 'Object')]),
  )
}

function attributeOf(name: string, spec: Value, owner: string): AttributeDefinition {
  const label = `attribute ${owner}[${name}]`
  if (isType(spec)) return attribute(name, spec, new Map())
  if (!(spec instanceof Hash))
    return refuse(`initializer for ${label} has wrong type, expects a value of type Type or Struct`)
  const fields = new Map(Array.from(spec, ([key, value]) => [String(key), value]))
  for (const key of fields.keys())
    if (!attributeKeys.includes(key)) refuse(`initializer for ${label} has wrong type, unrecognized key '${key}'`)
  const type = fields.get('type')
  if (!isType(type)) return refuse(`initializer for ${label} has wrong type, expects a value for key 'type'`)
  if (fields.has('kind') && !kinds.has(fields.get('kind'))) {
    return refuse(
      `initializer for ${label} has wrong type, entry 'kind' expects a match for Enum['constant', 'derived', 'given_or_derived', 'reference']`,
    )
  }
  const made = attribute(name, type, fields)
  if (made.kind === 'constant' && !made.hasValue) refuse(`${label} of kind 'constant' requires a value`)
  if (made.hasValue && (made.kind === 'derived' || made.kind === 'given_or_derived'))
    refuse(`${label} of kind '${made.kind}' cannot be combined with an attribute value`)
  if (made.hasValue && !isInstance(type, made.value)) refuse(`${label} value has wrong type`)
  return made
}

function attribute(name: string, type: Type, fields: ReadonlyMap<string, Value>): AttributeDefinition {
  const kind = fields.get('kind')
  return Object.freeze({
    name,
    type,
    kind: kind === 'normal' ? undefined : (kind as AttributeDefinition['kind']),
    override: fields.get('override') === true,
    final: fields.get('final') === true || kind === 'constant',
    hasValue: fields.has('value'),
    value: fields.get('value'),
  })
}

function constantsOf(given: Hash): Map<string, AttributeDefinition> {
  const constants = given.get('constants')
  if (!(constants instanceof Hash)) return new Map()
  return new Map(
    Array.from(constants, ([name, value]) => {
      const fields = new Map<string, Value>([
        ['kind', 'constant'],
        ['value', value],
      ])
      return [String(name), attribute(String(name), generalize(infer(value)), fields)]
    }),
  )
}

function functionsOf(given: Hash): ObjectType['functions'] {
  const functions = given.get('functions')
  if (!(functions instanceof Hash)) return new Map()
  return new Map(
    Array.from(functions, ([name, spec]) => {
      const get = (key: string) => (spec instanceof Hash ? spec.get(key) : undefined)
      const type = spec instanceof Hash ? spec.get('type') : spec
      if (!isType(type)) return refuse(`initializer for function [${name}] has wrong type`)
      return [String(name), { type, final: get('final') === true, override: get('override') === true }]
    }),
  )
}

function namesOf(given: Value): readonly string[] | undefined {
  if (given === undefined) return undefined
  return Array.isArray(given) ? (given as string[]) : [String(given)]
}

function checkInheritance(type: ObjectType): void {
  const parent = type.parent?.kind === 'TypeAlias' ? type.parent.resolved : type.parent
  const inherited = parent?.kind === 'Object' ? attributesOf(parent) : new Map<string, AttributeDefinition>()
  for (const [name, { override }] of type.attributes) {
    const label = `attribute ${type.name ?? 'Object'}[${name}]`
    const over = inherited.get(name)
    if (over && !override)
      refuse(`${label} attempts to override attribute ${parentName(parent)}[${name}] without having override => true`)
    if (over?.final) refuse(`${label} attempts to override final attribute ${parentName(parent)}[${name}]`)
    if (override && !over)
      refuse(`expected ${label} to override an inherited attribute, but no such attribute was found`)
  }
}

function parentName(parent: Type | undefined): string {
  return parent?.kind === 'Object' ? (parent.name ?? 'Object') : 'Object'
}
