import type { Type } from '../values/type.ts'
import * as make from './constructors.ts'

/**
 * Returns the type with `map` applied to the types in its parameters. Arrays, Hashes and types without such
 * parameters are returned unchanged.
 */
export function mapParts(type: Type, map: (part: Type) => Type): Type {
  switch (type.kind) {
    case 'Tuple':
      return make.createTupleType(type.types.map(map), type.size)
    case 'Struct':
      return make.createStructType(type.elements.map((element) => ({ ...element, value: map(element.value) })))
    case 'Variant':
      return make.createVariantType(type.types.map(map))
    case 'Callable': {
      const parameters = type.parameters && make.createTupleType(type.parameters.types.map(map), type.parameters.size)
      return make.createCallableType(parameters, type.block && map(type.block), type.returns && map(type.returns))
    }
    case 'Optional':
    case 'NotUndef':
    case 'Type':
    case 'Sensitive':
    case 'Iterable':
    case 'Iterator': {
      // A bare type stays bare.
      const inner = map(type.type)
      return inner === type.type ? type : Object.freeze({ ...type, type: inner })
    }
    default:
      return type
  }
}
