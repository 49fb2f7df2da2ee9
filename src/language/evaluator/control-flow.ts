import type { Span } from '../../base/source.ts'
import type { Value } from '../values/value.ts'

/** `break()`: thrown, and caught by the iteration that it ends. Not an error, so without a stack. */
export class BreakSignal {
  readonly span: Span | undefined

  constructor(span: Span | undefined) {
    this.span = span
  }
}

/** `next(value)`: caught by the block or function whose value it gives. */
export class NextSignal {
  readonly value: Value
  readonly span: Span | undefined

  constructor(value: Value, span: Span | undefined) {
    this.value = value
    this.span = span
  }
}

/** `return(value)`: caught by the function or class that it leaves. */
export class ReturnSignal {
  readonly value: Value
  readonly span: Span | undefined

  constructor(value: Value, span: Span | undefined) {
    this.value = value
    this.span = span
  }
}
