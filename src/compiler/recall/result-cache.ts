import type { TraceStep } from '../../ruby/trace/trace-step.ts'
import { ownRuby } from '../../ruby/worker-share.ts'
import { compile } from '../compile.ts'
import type { CompileRequest, CompileResult } from '../request/compile-request.ts'
import { areAnswersUnchanged } from './answer-cache.ts'
import { createCompilationRecorder } from './compilation-recorder.ts'
import { createAnswerContext } from './recall-questions.ts'
import { computeTraceKey } from './trace-key.ts'

/** The result of a compilation, with the reads of the compilation. */
interface Earlier<Result> {
  readonly key: string
  readonly steps: readonly TraceStep[]
  readonly result: Result
}

/**
 * Results of compilations in memory. A result is valid as long as all inputs that its compilation read are unchanged.
 */
export class EarlierResults<Result> {
  readonly #earlier: Earlier<Result>[] = []
  /** Numbers of catalogs that were compiled and recalled. */
  readonly counts = { compiled: 0, recalled: 0 }

  /**
   * Returns the result of an equivalent earlier compilation; without such a compilation, compiles the catalog. Throws
   * CatalogError.
   */
  of(request: CompileRequest, resultOf: (compiled: CompileResult) => Result): Result {
    const wanted = createAnswerContext(request)
    const key = computeTraceKey(request, '')
    const known = this.#earlier.findLast((each) => each.key === key && areAnswersUnchanged(each.steps, [wanted]))
    if (known) {
      this.counts.recalled++
      return known.result
    }
    this.counts.compiled++
    const notes = createCompilationRecorder(request, wanted)
    const result = resultOf(compile(request, ownRuby, notes.reads))
    const steps = notes.steps()
    if (steps) this.#earlier.push({ key, steps, result })
    return result
  }
}
