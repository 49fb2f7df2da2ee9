import type { Impact } from './result.ts'

/** The number of nodes whose catalogs have a new fault that is an error. */
export function faultyNodes({ faults }: Pick<Impact, 'faults'>): number {
  const errors = faults.filter(({ severity }) => severity === 'error')
  return new Set(errors.flatMap(({ nodes }) => nodes)).size
}

/** True where nodes lose their catalogs, or have new faults that are errors. */
export function isHarmful(impact: Pick<Impact, 'counts' | 'faults'>): boolean {
  return impact.counts.broken > 0 || faultyNodes(impact) > 0
}
