import type { WorkKind, WorkMeter } from '../../language/host.ts'
import type { ObservedCall } from '../../ruby/session/session.ts'

/** Work of one kind with one name, such as the class `apache`; all its executions together. */
export interface MeasuredWork {
  readonly kind: WorkKind
  readonly name: string
}

/** The begin of work, or the end of the work that began last. */
export interface WorkEvent {
  /** `undefined` for the end. */
  readonly begins: MeasuredWork | undefined
  /** Milliseconds since an arbitrary time. */
  readonly at: number
}

/** Records the work of one compilation, in the order of time. `now` returns milliseconds. */
export class CompileProfile implements WorkMeter {
  readonly events: WorkEvent[] = []
  /** The calls of Ruby functions and templates. */
  readonly rubyCalls: ObservedCall[] = []
  readonly #now: () => number
  readonly #works = new Map<string, MeasuredWork>()

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  measure<Result>(kind: WorkKind, name: string, work: () => Result): Result {
    this.events.push({ begins: this.#identify(kind, name), at: this.#now() })
    try {
      return work()
    } finally {
      this.events.push({ begins: undefined, at: this.#now() })
    }
  }

  /** Returns the same object for the same kind and name. */
  #identify(kind: WorkKind, name: string): MeasuredWork {
    const key = `${kind}\0${name}`
    const known = this.#works.get(key) ?? { kind, name }
    this.#works.set(key, known)
    return known
  }
}
