import { Hash } from '../../values/hash.ts'
import type { ObjectType } from '../../values/type.ts'
import { DEFAULT, type Value } from '../../values/value.ts'
import { getTypeParameters } from './object-inheritance.ts'

/**
 * Returns the parameters in `Name[…]`: a list in which `default` fills gaps, or a hash by name if the type has more
 * than two parameters.
 */
export function getInitParameters(type: ObjectType): readonly Value[] | Hash {
  const { parameters = new Map<string, Value>() } = type
  const names = [...getTypeParameters(type).keys()]
  if (names.length > 2) return Hash.of(parameters)
  const last = names.findLastIndex((name) => parameters.has(name))
  return names.slice(0, last + 1).map((name) => (parameters.has(name) ? parameters.get(name) : DEFAULT))
}
