import type { Type } from '../values/type.ts'
import * as make from './make.ts'

/** Removes sizes, ranges and literal values from a type. */
export function generalize(type: Type): Type {
  switch (type.kind) {
    case 'Integer':
      return make.INTEGER
    case 'Float':
      return make.FLOAT
    case 'Timestamp':
      return make.TIMESTAMP
    case 'Timespan':
      return make.TIMESPAN
    case 'Boolean':
      return make.BOOLEAN
    case 'String':
      return make.STRING
    case 'Enum': {
      const lengths = type.values.map((value) => [...value].length)
      return lengths.length === 0
        ? make.STRING
        : make.stringType(make.sizeBounds(Math.min(...lengths), Math.max(...lengths)))
    }
    case 'Collection':
      return make.COLLECTION
    case 'Array':
      return type.element.kind === 'Any' ? make.ARRAY : make.arrayType(generalize(type.element))
    case 'Hash':
      return type.size.to === 0 ? type : make.hashType(generalize(type.key), generalize(type.value))
    case 'Tuple':
      return make.tupleType(type.types.map(generalize), type.size)
    case 'Struct':
      return make.structType(type.elements.map((element) => ({ ...element, value: generalize(element.value) })))
    case 'Variant':
      return make.variantType(type.types.map(generalize))
    case 'Callable': {
      const parameters = type.parameters && make.tupleType(type.parameters.types.map(generalize), type.parameters.size)
      return make.callableType(
        parameters,
        type.block && generalize(type.block),
        type.returns && generalize(type.returns),
      )
    }
    case 'Object':
      return type.parameters ? Object.freeze({ ...type, parameters: undefined }) : type
    case 'URI':
      return make.URI
    case 'Optional':
    case 'NotUndef':
    case 'Type':
    case 'Sensitive':
    case 'Iterable':
    case 'Iterator': {
      // A bare type stays bare.
      const inner = generalize(type.type)
      return inner === type.type ? type : Object.freeze({ ...type, type: inner })
    }
    default:
      return type
  }
}
