import type { Type } from '../values/type.ts'
import * as make from './make.ts'

const character = make.stringType(make.sizeBounds(1, 1))

/** True if values of the type can be iterated. */
export function isIterable(type: Type): boolean {
  return iterableElement(type) !== undefined
}

/** Element type for iterating over a value of the type; `undefined` if values of the type cannot be iterated. */
export function iterableElement(type: Type): Type | undefined {
  switch (type.kind) {
    case 'Integer':
      return make.INTEGER
    case 'String':
    case 'Enum':
      return character
    case 'Array':
      return type.element
    case 'Hash':
      return make.tupleType([type.key, type.value], make.sizeBounds(2, 2))
    case 'Tuple':
      return make.variantType(type.types)
    case 'Struct':
      return make.tupleType(
        [
          make.variantType(type.elements.map(({ name }) => make.literalStringType(name))),
          make.variantType(type.elements.map(({ value }) => value)),
        ],
        make.sizeBounds(2, 2),
      )
    case 'Collection':
      return make.ANY
    case 'Iterable':
    case 'Iterator':
      return type.type
    case 'Type':
      return elementOfType(type.type)
    case 'TypeAlias':
      return iterableElement(type.resolved)
    default:
      return undefined
  }
}

/** Element type for iterating over the type itself, which must be an Enum or a finite Integer range. */
function elementOfType(type: Type): Type | undefined {
  if (type.kind === 'Enum') return type
  return type.kind === 'Integer' && type.from !== undefined && type.to !== undefined ? type : undefined
}
