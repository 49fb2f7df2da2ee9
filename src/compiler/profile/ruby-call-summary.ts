import type { ObservedCall } from '../../ruby/session/session.ts'

/** Ruby calls of a compilation: recalled, recorded for later compilations, and others by reason. */
export interface RubyCallSummary {
  readonly calls: number
  readonly recalled: number
  /** Calls that ran, and that a later compilation may recall. */
  readonly recorded: number
  /** Reasons why the other calls cannot be recalled, by descending number of calls. */
  readonly not_recalled: readonly UnrecalledCalls[]
}

/** Calls that cannot be recalled for the same reason. */
export interface UnrecalledCalls {
  readonly reason: string
  readonly calls: number
  /** Functions and templates, by descending number of calls. */
  readonly labels: readonly { readonly label: string; readonly calls: number }[]
}

/** Counts observed calls by reason and label. */
export function summarizeRubyCalls(calls: readonly ObservedCall[]): RubyCallSummary {
  const byReason = new Map<string, Map<string, number>>()
  for (const { label, reason } of calls) {
    if (reason === undefined) continue
    const labels = byReason.get(reason) ?? new Map<string, number>()
    byReason.set(reason, labels.set(label, (labels.get(label) ?? 0) + 1))
  }
  const reasons = Array.from(byReason, ([reason, labels]) => {
    const counted = sortByCalls(Array.from(labels, ([label, number]) => ({ label, calls: number })))
    return { reason, calls: counted.reduce((sum, each) => sum + each.calls, 0), labels: counted }
  })
  const recalled = calls.filter(({ isRecalled }) => isRecalled).length
  const failed = reasons.reduce((sum, each) => sum + each.calls, 0)
  return {
    calls: calls.length,
    recalled,
    recorded: calls.length - recalled - failed,
    not_recalled: sortByCalls(reasons),
  }
}

function sortByCalls<Counted extends { readonly calls: number }>(counted: Counted[]): Counted[] {
  return counted.sort((one, other) => other.calls - one.calls)
}
