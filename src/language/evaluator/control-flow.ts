import type { Span } from '../../base/source.ts'
import type { Value } from '../values/value.ts'

/** Thrown by `break()`, caught by the iteration that it ends. Not an Error: no stack is captured. */
export class BreakSignal {
  readonly span: Span | undefined

  constructor(span: Span | undefined) {
    this.span = span
  }
}

/** Thrown by `next(value)`, caught by the block or function that returns the value. */
export class NextSignal {
  readonly value: Value
  readonly span: Span | undefined

  constructor(value: Value, span: Span | undefined) {
    this.value = value
    this.span = span
  }
}

/** Thrown by `return(value)`, caught by the function or class that it leaves. */
export class ReturnSignal {
  readonly value: Value
  readonly span: Span | undefined

  constructor(value: Value, span: Span | undefined) {
    this.value = value
    this.span = span
  }
}
