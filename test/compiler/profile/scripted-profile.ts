import { CompileProfile } from '../../../src/compiler/profile/compile-profile.ts'
import type { WorkKind } from '../../../src/language/host.ts'

/** Work for a profile: its kind and name, then milliseconds of its own and work inside it, in the order of time. */
export type ScriptedWork = readonly [kind: WorkKind, name: string, ...steps: (number | ScriptedWork)[]]

/** A profile of work whose clock advances by the milliseconds in the script only. */
export function scriptedProfile(...works: readonly ScriptedWork[]): CompileProfile {
  let now = 1000
  const profile = new CompileProfile(() => now)
  const run = ([kind, name, ...steps]: ScriptedWork): void =>
    profile.measure(kind, name, () => {
      for (const step of steps) {
        if (typeof step === 'number') now += step
        else run(step)
      }
    })
  for (const work of works) run(work)
  return profile
}
