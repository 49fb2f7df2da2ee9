import type { Type } from './type.ts'
import type { Value } from './value.ts'

/** A lazy sequence, such as `reverse_each` and `step` give; each pass begins anew. */
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
