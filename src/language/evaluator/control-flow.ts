import type { SourceSpan } from '../../base/source.ts'
import type { Value } from '../values/value.ts'

/** Thrown by `break()` and caught by the enclosing iteration. Not an Error, so that no stack is captured. */
export class BreakSignal {
  readonly span: SourceSpan | undefined

  constructor(span: SourceSpan | undefined) {
    this.span = span
  }
}

/** Thrown by `next(value)` and caught by the innermost block or function, which returns the value. */
export class NextSignal {
  readonly value: Value
  readonly span: SourceSpan | undefined

  constructor(value: Value, span: SourceSpan | undefined) {
    this.value = value
    this.span = span
  }
}

/** Thrown by `return(value)` and caught by the enclosing function or class, which ends. */
export class ReturnSignal {
  readonly value: Value
  readonly span: SourceSpan | undefined

  constructor(value: Value, span: SourceSpan | undefined) {
    this.value = value
    this.span = span
  }
}
