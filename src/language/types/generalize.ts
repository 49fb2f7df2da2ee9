import type { Type } from '../values/type.ts'
import * as make from './constructors.ts'
import { mapParts } from './map-parts.ts'

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
    case 'Enum': {
      const lengths = type.values.map((value) => [...value].length)
      return lengths.length === 0
        ? make.STRING
        : make.createStringType(make.createSizeBounds(Math.min(...lengths), Math.max(...lengths)))
    }
    case 'Collection':
      return make.COLLECTION
    case 'Array':
      return type.element.kind === 'Any' ? make.ARRAY : make.createArrayType(generalizeType(type.element))
    case 'Hash':
      return type.size.to === 0 ? type : make.createHashType(generalizeType(type.key), generalizeType(type.value))
    case 'Object':
      return type.parameters ? Object.freeze({ ...type, parameters: undefined }) : type
    case 'URI':
      return make.URI
    default:
      return mapParts(type, generalizeType)
  }
}
