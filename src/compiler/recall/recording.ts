import { Recorder } from '../../ruby/trace/recorder.ts'
import type { Step } from '../../ruby/trace/step.ts'
import { Reads } from '../reads/reads.ts'
import type { CompileRequest } from '../request/compile-request.ts'
import { questions, type Wanted } from './questions.ts'

/** The notes of a compilation, and the questions that they come to. */
export interface Notes {
  readonly reads: Reads
  /** All that was asked, in order; `undefined` where the compilation cannot stand for another one. */
  steps(): readonly Step[] | undefined
}

/** Notes for a compilation that is to be made. */
export function notesFor(request: CompileRequest, wanted: Wanted): Notes {
  const recorder = new Recorder(() => undefined)
  const reads = new Reads(request.environment, (kind, args, given) => {
    const answer = given ?? questions[kind]!.answer(wanted, args)
    recorder.asked({ kind, args }, questions[kind], answer)
  })
  const isSound = () => reads.spoilt === undefined && recorder.spoilt === undefined
  return { reads, steps: () => (isSound() ? recorder.steps : undefined) }
}
