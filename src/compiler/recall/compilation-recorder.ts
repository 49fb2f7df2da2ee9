import { TraceRecorder } from '../../ruby/trace/trace-recorder.ts'
import type { TraceStep } from '../../ruby/trace/trace-step.ts'
import { Reads } from '../reads/compilation-reads.ts'
import type { CompileRequest } from '../request/compile-request.ts'
import { type AnswerContext, recallQuestions } from './recall-questions.ts'

/** Records the reads of a compilation as questions of a trace. */
export interface CompilationRecorder {
  readonly reads: Reads
  /** Returns all questions in order, with their answers; `undefined` if the compilation cannot be recalled. */
  steps(): readonly TraceStep[] | undefined
}

/** Creates a recorder for a compilation. */
export function createCompilationRecorder(request: CompileRequest, wanted: AnswerContext): CompilationRecorder {
  const recorder = new TraceRecorder(() => undefined)
  const reads = new Reads(request.environment, (kind, args, given) => {
    const answer = given ?? recallQuestions[kind]!.answer(wanted, args)
    recorder.asked({ kind, args }, recallQuestions[kind], answer)
  })
  const isRecallable = () => reads.spoilt === undefined && recorder.spoilt === undefined
  return { reads, steps: () => (isRecallable() ? recorder.steps : undefined) }
}
