import { type AnyMember, type AttributeDefinition, type ObjectType, resolveParent } from '../../values/type.ts'

/**
 * Returns all attributes of an Object type, inherited attributes first. An override keeps the position of the inherited
 * attribute.
 */
export function getAttributes(type: ObjectType): ReadonlyMap<string, AttributeDefinition> {
  const parent = resolveParent(type)
  return parent ? new Map([...getAttributes(parent), ...type.attributes]) : type.attributes
}

/** All attributes and functions, including inherited ones. */
export function getMembers(type: ObjectType): ReadonlyMap<string, AnyMember> {
  const parent = resolveParent(type)
  return new Map<string, AnyMember>([...(parent ? getMembers(parent) : []), ...type.attributes, ...type.functions])
}

/** All type parameters, including inherited ones. */
export function getTypeParameters(type: ObjectType): ReadonlyMap<string, AttributeDefinition> {
  const parent = resolveParent(type)
  return parent ? new Map([...getTypeParameters(parent), ...type.typeParameters]) : type.typeParameters
}
