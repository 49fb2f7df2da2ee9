import type { Type } from '../values/type.ts'

/** True for Callable, Optional[Callable] and Variant of them: the valid types of a block parameter. */
export function isBlockType(type: Type): boolean {
  switch (type.kind) {
    case 'Callable':
      return true
    case 'Optional':
      return isBlockType(type.type)
    case 'Variant':
      return type.types.length > 0 && type.types.every(isBlockType)
    case 'TypeAlias':
      return isBlockType(type.resolved)
    default:
      return false
  }
}
