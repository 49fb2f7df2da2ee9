import type { Type } from './type.ts'
import type { Value } from './value.ts'

/**
 * A lazy sequence, such as the result of `reverse_each` or `step`; each iteration starts from the
 * beginning.
 */
export class IteratorValue implements Iterable<Value> {
  readonly elementType: Type
  readonly #start: () => Iterator<Value>

  constructor(elementType: Type, start: () => Iterator<Value>) {
    this.elementType = elementType
    this.#start = start
  }

  [Symbol.iterator](): Iterator<Value> {
    return this.#start()
  }
}
