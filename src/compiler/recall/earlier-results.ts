import { ownRuby } from '../../ruby/ruby-share.ts'
import type { Step } from '../../ruby/trace/step.ts'
import { compile } from '../compile.ts'
import type { CompileRequest, CompileResult } from '../request/compile-request.ts'
import { areAnswered } from './known-answers.ts'
import { wantedOf } from './questions.ts'
import { notesFor } from './recording.ts'
import { traceKey } from './trace-key.ts'

/** The result of a compilation with the questions it asked. */
interface Earlier<Result> {
  readonly key: string
  readonly steps: readonly Step[]
  readonly result: Result
}

/** In-memory results of compilations; each is valid as long as everything that it read is unchanged. */
export class EarlierResults<Result> {
  readonly #earlier: Earlier<Result>[] = []
  /** Number of catalogs compiled and recalled. */
  readonly counts = { compiled: 0, recalled: 0 }

  /** Returns the result of an equivalent earlier compilation, or compiles. Throws CatalogError. */
  of(request: CompileRequest, resultOf: (compiled: CompileResult) => Result): Result {
    const wanted = wantedOf(request)
    const key = traceKey(request, '')
    const known = this.#earlier.findLast((each) => each.key === key && areAnswered(each.steps, [wanted]))
    if (known) {
      this.counts.recalled++
      return known.result
    }
    this.counts.compiled++
    const notes = notesFor(request, wanted)
    const result = resultOf(compile(request, ownRuby, notes.reads))
    const steps = notes.steps()
    if (steps) this.#earlier.push({ key, steps, result })
    return result
  }
}
