import type { Impact } from './impact-result.ts'

/** Returns the number of nodes whose catalogs have new faults with severity error. */
export function countFaultyNodes({ faults }: Pick<Impact, 'faults'>): number {
  const errors = faults.filter(({ severity }) => severity === 'error')
  return new Set(errors.flatMap(({ nodes }) => nodes)).size
}

/** Returns true if catalogs no longer compile, or have new faults with severity error. */
export function isHarmfulImpact(impact: Pick<Impact, 'counts' | 'faults'>): boolean {
  return impact.counts.broken > 0 || countFaultyNodes(impact) > 0
}
