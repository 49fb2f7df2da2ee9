import { throwArgumentError } from '../../ruby-semantics/argument-error.ts'
import { Hash } from '../../values/hash.ts'
import type { AttributeDefinition, ObjectType } from '../../values/type.ts'
import { DEFAULT, type Value } from '../../values/value.ts'
import { isInstance } from '../is-instance.ts'
import { getTypeParameters } from './object-inheritance.ts'
import { assertValueType } from './object-initializer.ts'
import { formatMemberLabel } from './object-members.ts'

/** Builds `Error['kind']`, an Object type with values for its type parameters. Puppet: p_object_type_extension.rb. */
export function parameterizeObject(type: ObjectType, args: readonly Value[]): ObjectType {
  const definitions = [...getTypeParameters(type).values()]
  const [first] = definitions
  if (!first) return throwArgumentError(`The ${type.name}-Type cannot be parameterized using []`)
  const [only] = args
  const named = args.length === 1 && only instanceof Hash && !isInstance(first.type, only)
  const given = named
    ? pairByName(type, only)
    : definitions.map((each, index) => [each, args[index], index < args.length] as const)
  const parameters = new Map<string, Value>()
  for (const [definition, value, isGiven] of given)
    if (isGiven && value !== DEFAULT) parameters.set(definition.name, checkParameter(definition, value))
  if (parameters.size === 0)
    return throwArgumentError(`The ${type.name}-Type cannot be parameterized using an empty parameter list`)
  return Object.freeze({ ...type, parameters })
}

function pairByName(type: ObjectType, given: Hash): (readonly [AttributeDefinition, Value, boolean])[] {
  return Array.from(given, ([name, value]) => {
    const definition = getTypeParameters(type).get(String(name))
    if (!definition) return throwArgumentError(`'${name}' is not a known type parameter for ${type.name}-Type`)
    return [definition, value, true] as const
  })
}

function checkParameter(definition: AttributeDefinition, value: Value): Value {
  assertValueType(formatMemberLabel(definition), definition.type, value)
  return value
}
