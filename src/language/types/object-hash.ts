import { Hash } from '../values/hash.ts'
import { isSame } from '../values/hash-key.ts'
import type { ObjectValue } from '../values/object.ts'
import type { Value } from '../values/value.ts'
import type { AttributeDefinition, ObjectType, Type } from './type.ts'

/** Every attribute of an Object type, inherited ones first; an override keeps the place of what it overrides. */
export function attributesOf(type: ObjectType): ReadonlyMap<string, AttributeDefinition> {
  const parent = parentOf(type)
  if (!parent) return type.attributes
  return new Map([...attributesOf(parent), ...type.attributes])
}

/** The Object type that a type inherits from, aliases resolved. */
export function parentOf({ parent }: ObjectType): ObjectType | undefined {
  const resolved: Type | undefined = parent?.kind === 'TypeAlias' ? parent.resolved : parent
  return resolved?.kind === 'Object' && resolved.initHash !== undefined ? resolved : undefined
}

/** What an instance can be made of again: attributes that differ from their defaults, constants and derived ones left out. */
export function initHashOf({ type, attributes }: ObjectValue): Hash {
  const entries: [Value, Value][] = []
  for (const [name, definition] of attributesOf(type)) {
    if (definition.kind === 'constant' || definition.kind === 'derived') continue
    const value = attributes.get(name)
    if (!definition.hasValue || !isSame(value, definition.value)) entries.push([name, value])
  }
  return Hash.of(entries)
}
