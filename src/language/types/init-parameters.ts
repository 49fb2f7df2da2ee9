import { Hash } from '../values/hash.ts'
import { DEFAULT, type Value } from '../values/value.ts'
import { typeParametersOf } from './object-lineage.ts'
import type { ObjectType } from './type.ts'

/** What stands between the brackets: in order, with `default` for those left out between; by name, of more than two. */
export function initParametersOf(type: ObjectType): readonly Value[] | Hash {
  const { parameters = new Map<string, Value>() } = type
  const names = [...typeParametersOf(type).keys()]
  if (names.length > 2) return Hash.of(parameters)
  const last = names.findLastIndex((name) => parameters.has(name))
  return names.slice(0, last + 1).map((name) => (parameters.has(name) ? parameters.get(name) : DEFAULT))
}
