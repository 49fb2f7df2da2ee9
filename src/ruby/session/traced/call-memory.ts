import { budgets } from '../../../base/budgets/budgets.ts'
import type { Json } from '../../../base/json/json-checks.ts'
import { TraceMemory, type TraceOutcome } from '../../trace/trace-memory.ts'

/** Cached results of calls as Ruby's JSON, shared by all catalogs that this thread compiles. */
export const callMemory = new TraceMemory<Json>(budgets.environment.rememberedCalls.bound)

/** Returns the number of recalled calls in this thread, for tests and tools. */
export function countRecalledCalls(): number {
  return callMemory.recalls
}

/** Returns the approximate size of an outcome in bytes. */
export function estimateOutcomeSize({ result, effects }: TraceOutcome<Json>): number {
  return 2 * (JSON.stringify(result).length + (effects.length === 0 ? 0 : JSON.stringify(effects).length))
}
