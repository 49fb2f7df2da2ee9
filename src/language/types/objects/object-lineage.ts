import { type AnyMember, type AttributeDefinition, type ObjectType, parentOf } from '../../values/type.ts'

/**
 * All attributes of an Object type, inherited ones first; an override keeps the position of the
 * inherited attribute.
 */
export function attributesOf(type: ObjectType): ReadonlyMap<string, AttributeDefinition> {
  const parent = parentOf(type)
  return parent ? new Map([...attributesOf(parent), ...type.attributes]) : type.attributes
}

/** All attributes and functions, including inherited ones. */
export function membersOf(type: ObjectType): ReadonlyMap<string, AnyMember> {
  const parent = parentOf(type)
  return new Map<string, AnyMember>([...(parent ? membersOf(parent) : []), ...type.attributes, ...type.functions])
}

/** All type parameters, including inherited ones. */
export function typeParametersOf(type: ObjectType): ReadonlyMap<string, AttributeDefinition> {
  const parent = parentOf(type)
  return parent ? new Map([...typeParametersOf(parent), ...type.typeParameters]) : type.typeParameters
}
