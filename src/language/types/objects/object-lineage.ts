import { type AnyMember, type AttributeDefinition, type ObjectType, parentOf } from '../../values/type.ts'

/** Every attribute of an Object type, inherited ones first; an override keeps the place of what it overrides. */
export function attributesOf(type: ObjectType): ReadonlyMap<string, AttributeDefinition> {
  const parent = parentOf(type)
  return parent ? new Map([...attributesOf(parent), ...type.attributes]) : type.attributes
}

/** Every attribute and function. */
export function membersOf(type: ObjectType): ReadonlyMap<string, AnyMember> {
  const parent = parentOf(type)
  return new Map<string, AnyMember>([...(parent ? membersOf(parent) : []), ...type.attributes, ...type.functions])
}

/** Every type parameter. */
export function typeParametersOf(type: ObjectType): ReadonlyMap<string, AttributeDefinition> {
  const parent = parentOf(type)
  return parent ? new Map([...typeParametersOf(parent), ...type.typeParameters]) : type.typeParameters
}
