import { TraceRecorder } from '../../ruby/trace/trace-recorder.ts'
import type { TraceStep } from '../../ruby/trace/trace-step.ts'
import { type NewRead, Reads } from '../reads/compilation-reads.ts'
import type { CompileRequest } from '../request/compile-request.ts'
import { type AnswerContext, recallQuestions } from './recall-questions.ts'

/** Records the reads of a compilation as questions of a trace. */
export interface CompilationRecorder {
  readonly reads: Reads
  /** Returns all questions in order, with their answers; `undefined` if the compilation cannot be recalled. */
  steps(): readonly TraceStep[] | undefined
}

/** Creates a recorder for a compilation; `beforeRead` is called before every read. */
export function createCompilationRecorder(
  request: CompileRequest,
  wanted: AnswerContext,
  beforeRead?: () => void,
): CompilationRecorder {
  const recorder = new TraceRecorder(() => undefined)
  const ask: NewRead = (kind, args, given) => {
    const answer = given ?? recallQuestions[kind]!.answer(wanted, args)
    recorder.asked({ kind, args }, recallQuestions[kind], answer)
  }
  const reads = new Reads(request.environment, ask, beforeRead)
  const isRecallable = () => reads.spoilt === undefined && recorder.spoilt === undefined
  return { reads, steps: () => (isRecallable() ? recorder.steps : undefined) }
}
