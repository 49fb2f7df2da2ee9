import { setTimeout as sleep } from 'node:timers/promises'
import { budgets } from '../../base/budgets/budgets.ts'
import type { RolloutMembers } from '../../deploy/rollout/rollout-document.ts'
import type { Rollout, RolloutStep } from '../../deploy/rollout/rollout-state.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import type { RunOrders } from '../orders/run-orders.ts'
import type { RolloutTable } from './rollout-table.ts'
import type { TakenStep } from './rollouts.ts'

/** Dependencies of the runs. */
export interface StepRunParts {
  readonly table: Pick<RolloutTable, 'members'>
  readonly orders: Pick<RunOrders, 'run' | 'stop'>
  /** The last batches of each environment. */
  readonly batches: Map<string, string[]>
  /** True if nodes may be connected to other servers, which read the rows once a second. */
  readonly isShared: boolean
  warn(message: string): void
}

/** Milliseconds until all servers have read a changed row. */
const readMs = 2500

/**
 * Orders runs from the nodes whose commit changes with a step, if the plan contains `run_now`. Nodes without a connection
 * run at their own time.
 */
export async function orderStepRuns({ environment, step, state }: TakenStep, parts: StepRunParts): Promise<void> {
  try {
    const { rollout } = state
    const index = rollout && (await parts.table.members(environment))
    if (!index?.members.plan.order.runNow) return
    const nodes = listChangedNodes(step, rollout!, index.members)
    if (nodes.length === 0) return
    if (parts.isShared) await sleep(readMs, undefined, { ref: false })
    const { maxAtOnce } = index.members.plan.order
    const commit = step.action === 'halt' || step.action === 'abort' ? state.stable : rollout!.to
    const person = formatPerson(environment, step)
    const earlier = parts.batches.get(environment) ?? []
    // A later wave leaves the runs of the earlier ones; a first wave and an end replace runs that have not started.
    const isLaterWave = step.action === 'start' && rollout!.started.length > 1
    if (!isLaterWave) for (const id of earlier) await parts.orders.stop(id, person)
    const started: string[] = isLaterWave ? [...earlier] : []
    parts.batches.set(environment, started)
    const most = budgets.order.nodes.bound
    for (let at = 0; at < nodes.length; at += most) {
      const { id } = await parts.orders.run({
        nodes: nodes.slice(at, at + most),
        person,
        commit,
        maxAtOnce,
      })
      started.push(id)
    }
  } catch (error) {
    parts.warn(`Could not order the runs of a rollout of ${environment}: ${formatError(error)}`)
  }
}

/** The nodes that receive another commit since a step. */
function listChangedNodes(
  { action }: RolloutStep,
  { phase, started, steps }: Rollout,
  { waves }: Pick<RolloutMembers, 'waves'>,
): readonly string[] {
  if (action === 'start') return waves[started.length - 1] ?? []
  const before = steps.at(-2)?.action
  if (action === 'promote')
    return (before === 'halt' || before === 'abort' ? waves : waves.slice(started.length)).flat()
  const isTakenBack = phase === 'halted' || phase === 'aborted'
  return isTakenBack && (action === 'halt' || action === 'abort') ? waves.slice(0, started.length).flat() : []
}

/** The origin of an order, for the logs of nodes and the audit log. */
function formatPerson(environment: string, { by }: RolloutStep): string {
  return by === undefined ? `rollout of ${environment}` : `${by} (rollout of ${environment})`
}
