import type { CompileProfile } from './compile-profile.ts'
import { measurePhase } from './measure-phase.ts'

/** The phases of a compilation, one after the other. */
export const phases = ['begin', 'evaluate', 'finish', 'write'] as const
/** A phase of a compilation. */
export type Phase = (typeof phases)[number]

/** Duration of each phase in milliseconds. */
export type PhaseDurations = Readonly<Record<Phase, number>>

/** Times the phases of one compilation, with or without a profile. */
export class PhaseClock {
  readonly durations: Record<Phase, number> = { begin: 0, evaluate: 0, finish: 0, write: 0 }
  readonly #timed: { readonly profile?: CompileProfile | undefined }

  constructor(timed: { readonly profile?: CompileProfile | undefined }) {
    this.#timed = timed
  }

  run<Result>(phase: Phase, work: () => Result): Result {
    const start = performance.now()
    const result = measurePhase(this.#timed, phase, work)
    this.durations[phase] += performance.now() - start
    return result
  }
}
