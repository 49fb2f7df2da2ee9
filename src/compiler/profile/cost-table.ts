import type { WorkKind } from '../../language/host.ts'
import type { MeasuredWork } from './compile-profile.ts'
import type { CostNode } from './cost-tree.ts'

/** The cost of work in all places together. */
export interface Cost {
  readonly name: string
  readonly calls: number
  /** Milliseconds without measured work inside. */
  readonly own_ms: number
  /** Milliseconds including measured work inside; time in recursive calls counts once. */
  readonly total_ms: number
}

/** Returns the costs of each kind of work, in the order of first execution. */
export function listCosts(root: CostNode): ReadonlyMap<WorkKind, readonly Cost[]> {
  const sums = new Map<MeasuredWork, { calls: number; own: number; total: number }>()
  const running = new Set<MeasuredWork>()
  const add = ({ work, calls, own, total, children }: CostNode): void => {
    const isOutermost = work !== undefined && !running.has(work)
    if (work) {
      const sum = sums.get(work) ?? { calls: 0, own: 0, total: 0 }
      sums.set(work, sum)
      sum.calls += calls
      sum.own += own
      if (isOutermost) sum.total += total
      running.add(work)
    }
    for (const child of children) add(child)
    if (isOutermost) running.delete(work)
  }
  add(root)
  const costs = new Map<WorkKind, Cost[]>()
  for (const [{ kind, name }, { calls, own, total }] of sums) {
    const list = costs.get(kind) ?? []
    costs.set(kind, list)
    list.push({ name, calls, own_ms: own, total_ms: total })
  }
  return costs
}
