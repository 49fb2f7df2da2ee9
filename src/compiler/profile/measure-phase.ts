import type { EvaluationHost } from '../../language/host.ts'

/** Runs a part of a compilation; its time is measured if the compilation has a profile. */
export function measurePhase<Result>(
  { profile }: Pick<EvaluationHost, 'profile'>,
  name: string,
  work: () => Result,
): Result {
  return profile ? profile.measure('phase', name, work) : work()
}
