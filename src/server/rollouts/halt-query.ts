import type { HealthResult } from '../../deploy/rollout/health-checks.ts'
import type { HaltConditions } from '../../deploy/rollout/rollout-plan.ts'
import { queryCertnames } from '../../deploy/rollout/wave-queries.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import type { NodeStore } from '../../store/node-store.ts'

/**
 * Runs the PQL query of the halt conditions; no result without one. It fails if it returns the minimum number of the
 * nodes that have reported the commit. A query that could not run does not halt the rollout.
 */
export async function runHaltQuery(
  { query, minimum }: Pick<HaltConditions, 'query' | 'minimum'>,
  reported: readonly string[],
  store: Pick<NodeStore, 'ask'>,
): Promise<readonly HealthResult[]> {
  if (query === undefined) return []
  try {
    const named = await queryCertnames(query, store, 'halt.query')
    const value = reported.filter((certname) => named.has(certname)).length
    const ok = value === 0 || value < Math.min(minimum, reported.length)
    return [{ check: query, ok, value }]
  } catch (error) {
    return [{ check: query, ok: undefined, problem: formatError(error) }]
  }
}
