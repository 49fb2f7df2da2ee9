import { Recorder } from '../../ruby/trace/recorder.ts'
import type { Step } from '../../ruby/trace/step.ts'
import { Reads } from '../reads/reads.ts'
import type { CompileRequest } from '../request/compile-request.ts'
import { questions, type Wanted } from './questions.ts'

/** A recorder for the reads of a compilation, and the resulting questions. */
export interface Notes {
  readonly reads: Reads
  /** Returns all questions in order, with their answers; `undefined` if the compilation cannot be recalled. */
  steps(): readonly Step[] | undefined
}

/** Creates a recorder for a compilation. */
export function notesFor(request: CompileRequest, wanted: Wanted): Notes {
  const recorder = new Recorder(() => undefined)
  const reads = new Reads(request.environment, (kind, args, given) => {
    const answer = given ?? questions[kind]!.answer(wanted, args)
    recorder.asked({ kind, args }, questions[kind], answer)
  })
  const isSound = () => reads.spoilt === undefined && recorder.spoilt === undefined
  return { reads, steps: () => (isSound() ? recorder.steps : undefined) }
}
