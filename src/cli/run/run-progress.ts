import { toPrintable } from '../../base/text/printable.ts'
import { isOpenState, type OrderProgress, type OrderState, orderStates } from '../../model/orders/order-state.ts'
import type { RunProgress } from './run-client.ts'

/** Follows a batch: returns the orders whose state changed since the last look, and counts the results. */
export class RunWatch {
  readonly #states = new Map<string, OrderState>()
  readonly #results = new Map<string, OrderProgress>()
  #since = 0

  /** Orders that changed at or after this time, in milliseconds since 1970, were not all seen. */
  get since(): number {
    return this.#since
  }

  /** Results by node, in the order in which they arrived. */
  get results(): readonly OrderProgress[] {
    return [...this.#results.values()]
  }

  /** Takes the server's answer. Returns the orders with a new state. */
  update({ orders }: RunProgress): readonly OrderProgress[] {
    const changed = orders.filter(({ id, state }) => this.#states.get(id) !== state && state !== 'waiting')
    for (const order of orders) {
      this.#states.set(order.id, order.state)
      if (!isOpenState(order.state)) this.#results.set(order.id, order)
      // The clocks of servers that share the store differ.
      this.#since = Math.max(this.#since, order.changed - clockToleranceMs)
    }
    return changed
  }
}

const clockToleranceMs = 10_000

/** True if the batch has orders without a result. */
export function hasOpenOrders({ states }: RunProgress): boolean {
  return [...states].some(([state, count]) => isOpenState(state) && count > 0)
}

const changes = 2
const failures = 4

/** One line about an order. */
export function formatOrderLine(order: OrderProgress): string {
  const { node, report, code_id: codeId } = order
  const details = [codeId && `commit ${codeId.slice(0, 10)}`, report && `report ${report}`].filter(Boolean)
  return toPrintable(`${node}: ${describeState(order)}${details.length > 0 ? ` (${details.join(', ')})` : ''}`)
}

function describeState({ state, status = 0, reason, message }: OrderProgress): string {
  switch (state) {
    case 'finished':
      return describeStatus(status)
    case 'refused':
      return `refused: ${message ?? reason ?? ''}`
    case 'unconnected':
      return 'not connected'
    case 'expired':
      return 'expired: the node did not start the run in time'
    case 'lost':
      return 'lost: the node sent no result'
    case 'stopped':
      return 'stopped before the start'
    default:
      return state
  }
}

function describeStatus(status: number): string {
  if (status === 1) return 'failed: no catalog was applied'
  if ((status & failures) > 0)
    return (status & changes) > 0 ? 'finished with changes and failures' : 'finished with failures'
  return (status & changes) > 0 ? 'finished with changes' : 'finished without changes'
}

/**
 * Exit status of a batch: 1 if a run did not take place, else 4 if a run had failures, else 0. With `detailed`, 2 is
 * added if a run had changes, and no run is missing.
 */
export function computeRunExitStatus(results: readonly OrderProgress[], detailed: boolean): number {
  const statuses = results.map(({ state, status = 1 }) => (state === 'finished' ? status : 1))
  if (statuses.includes(1)) return 1
  const all = statuses.reduce((sum, status) => sum | status, 0)
  return all & (detailed ? changes | failures : failures)
}

/** The numbers of results, in one line. */
export function formatRunSummary(results: readonly OrderProgress[]): string {
  const counts = new Map<string, number>()
  const sorted = [...results].sort((a, b) => orderStates.indexOf(a.state) - orderStates.indexOf(b.state))
  for (const result of sorted) {
    const kind = result.state === 'finished' || result.state === 'refused' ? summarize(result) : describeState(result)
    const [word = ''] = kind.split(':')
    counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  const nodes = results.length === 1 ? '1 node' : `${results.length} nodes`
  return `${nodes}: ${[...counts].map(([word, count]) => `${count} ${word}`).join(', ')}`
}

function summarize(result: OrderProgress): string {
  return result.state === 'refused' ? 'refused' : describeStatus(result.status ?? 1)
}
