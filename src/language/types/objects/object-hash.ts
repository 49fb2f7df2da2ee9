import { Hash } from '../../values/hash.ts'
import { isSameKey, toTypeKey } from '../../values/hash-key.ts'
import type { ObjectValue } from '../../values/object.ts'
import type { AnyMember, AttributeDefinition, ObjectType } from '../../values/type.ts'
import type { Value } from '../../values/value.ts'
import { generalizeType } from '../generalize.ts'
import { inferType } from '../infer.ts'
import { getAttributes } from './object-inheritance.ts'

/**
 * Returns the hash that recreates an instance: attributes that differ from their defaults, without constant and derived
 * attributes.
 */
export function toInitHash({ type, attributes }: ObjectValue): Hash {
  const entries: [Value, Value][] = []
  for (const [name, definition] of getAttributes(type)) {
    if (definition.kind === 'constant' || definition.kind === 'derived') continue
    const value = attributes.get(name)
    if (!definition.hasValue || !isSameKey(value, definition.value)) entries.push([name, value])
  }
  return Hash.of(entries)
}

/** Returns the hash that recreates an Object type, in Puppet's order. Puppet: p_object_type.rb, `_pcore_init_hash`. */
export function toTypeInitHash(
  name: string | undefined,
  type: Omit<ObjectType, 'kind' | 'name' | 'parameters' | 'initHash'>,
): Hash {
  const attributes = [...type.attributes.values()]
  const constants = attributes.filter(isPlainConstant)
  const others = attributes.filter((each) => !isPlainConstant(each))
  const entries: (readonly [string, Value])[] = [
    ['annotations', type.annotations],
    ['name', name],
    ['parent', type.parent],
    ['type_parameters', toMembersHash([...type.typeParameters.values()])],
    ['attributes', toMembersHash(others)],
    ['constants', omitEmpty(Hash.of(constants.map((each) => [each.name, each.value])))],
    ['functions', toMembersHash([...type.functions.values()])],
    ['equality', type.equality],
    ['checks', type.checks],
  ]
  return Hash.of(entries.filter(([, value]) => value !== undefined))
}

/** True if the value of a constant fully describes it. */
function isPlainConstant({ kind, type, value }: AttributeDefinition): boolean {
  return kind === 'constant' && toTypeKey(type) === toTypeKey(generalizeType(inferType(value)))
}

function omitEmpty(hash: Hash): Hash | undefined {
  return hash.size === 0 ? undefined : hash
}

function toMembersHash(members: readonly AnyMember[]): Hash | undefined {
  return omitEmpty(Hash.of(members.map((member) => [member.name, toMemberHash(member)])))
}

function toMemberHash(member: AnyMember): Value {
  const isParameter = member.feature === 'type_parameter'
  const type = isParameter && member.type.kind === 'Optional' ? member.type.type : member.type
  const entries: [string, Value][] = [['type', type]]
  const isConstant = member.feature !== 'function' && member.kind === 'constant'
  if (member.final && !isConstant) entries.push(['final', true])
  if (member.override) entries.push(['override', true])
  if (member.annotations) entries.push(['annotations', member.annotations])
  if (member.feature !== 'function') {
    if (member.kind) entries.push(['kind', member.kind])
    if (member.hasValue && !(isParameter && member.value === undefined)) entries.push(['value', member.value])
  }
  return entries.length === 1 ? type : Hash.of(entries)
}
