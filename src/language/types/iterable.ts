import type { Type } from '../values/type.ts'
import * as make from './constructors.ts'

const character = make.createStringType(make.createSizeBounds(1, 1))

/** True if values of the type can be iterated. */
export function isIterable(type: Type): boolean {
  return getIterableElement(type) !== undefined
}

/** Element type for iterating over a value of the type; `undefined` if values of the type cannot be iterated. */
export function getIterableElement(type: Type): Type | undefined {
  switch (type.kind) {
    case 'Integer':
      return make.INTEGER
    case 'String':
    case 'Enum':
      return character
    case 'Array':
      return type.element
    case 'Hash':
      return make.createTupleType([type.key, type.value], make.createSizeBounds(2, 2))
    case 'Tuple':
      return make.createVariantType(type.types)
    case 'Struct':
      return make.createTupleType(
        [
          make.createVariantType(type.elements.map(({ name }) => make.createLiteralStringType(name))),
          make.createVariantType(type.elements.map(({ value }) => value)),
        ],
        make.createSizeBounds(2, 2),
      )
    case 'Collection':
      return make.ANY
    case 'Iterable':
    case 'Iterator':
      return type.type
    case 'Type':
      return getIteratedElement(type.type)
    case 'TypeAlias':
      return getIterableElement(type.resolved)
    default:
      return undefined
  }
}

/** Element type for iterating over the type itself, which must be an Enum or a finite Integer range. */
function getIteratedElement(type: Type): Type | undefined {
  if (type.kind === 'Enum') return type
  return type.kind === 'Integer' && type.from !== undefined && type.to !== undefined ? type : undefined
}
