import type { CallableType, EnumType, Type } from '../values/type.ts'
import * as make from './constructors.ts'

/** Removes sizes, ranges and literal values from a type. */
export function generalizeType(type: Type): Type {
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
    case 'Enum':
      return generalizeEnum(type)
    case 'Collection':
      return make.COLLECTION
    case 'Array':
      return type.element.kind === 'Any' ? make.ARRAY : make.createArrayType(generalizeType(type.element))
    case 'Hash':
      return type.size.to === 0 ? type : make.createHashType(generalizeType(type.key), generalizeType(type.value))
    case 'Tuple':
      return make.createTupleType(type.types.map(generalizeType), type.size)
    case 'Struct':
      return make.createStructType(
        type.elements.map((element) => ({ ...element, value: generalizeType(element.value) })),
      )
    case 'Variant':
      return make.createVariantType(type.types.map(generalizeType))
    case 'Callable':
      return generalizeCallable(type)
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
      const inner = generalizeType(type.type)
      return inner === type.type ? type : Object.freeze({ ...type, type: inner })
    }
    default:
      return type
  }
}

/** Returns a String type with the range of lengths of the values. */
function generalizeEnum({ values }: EnumType): Type {
  const lengths = values.map((value) => [...value].length)
  return lengths.length === 0
    ? make.STRING
    : make.createStringType(make.createSizeBounds(Math.min(...lengths), Math.max(...lengths)))
}

function generalizeCallable({ parameters, block, returns }: CallableType): Type {
  return make.createCallableType(
    parameters && make.createTupleType(parameters.types.map(generalizeType), parameters.size),
    block && generalizeType(block),
    returns && generalizeType(returns),
  )
}
