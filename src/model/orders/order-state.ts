import type { RunInstructions } from './order.ts'
import type { RefusalReason } from './order-messages.ts'

/** States of an order, in the order in which they may follow each other. */
export const orderStates = [
  /** Not sent yet: it waits for its turn, or for a server that holds the connection of the node. */
  'waiting',
  'sent',
  'started',
  'finished',
  'refused',
  /** No server has a connection of the node. */
  'unconnected',
  /** The node did not start the run in time, or the order waited for too long. */
  'expired',
  /** The run started, and the node sent no result in time. */
  'lost',
  /** The batch was stopped before the order was sent. */
  'stopped',
] as const

/** State of an order. */
export type OrderState = (typeof orderStates)[number]

const openStates: ReadonlySet<OrderState> = new Set(['waiting', 'sent', 'started'])

/** True if the state may still change. */
export function isOpenState(state: OrderState): boolean {
  return openStates.has(state)
}

/** The result of an order; its members depend on the state. */
export interface OrderResult {
  /** Exit status of the run, as with `--detailed-exitcodes`. */
  readonly status?: number | undefined
  /** Transaction UUID of the report. */
  readonly report?: string | undefined
  /** Commit of the applied catalog. */
  readonly code_id?: string | undefined
  readonly reason?: RefusalReason | undefined
  /** Text of a refusal. */
  readonly message?: string | undefined
}

/** The progress of one node's order. */
export interface OrderProgress extends OrderResult {
  readonly id: string
  readonly node: string
  readonly state: OrderState
  /** Time of the last change, in milliseconds since 1970. */
  readonly changed: number
}

/** Orders that one person gave at the same time. */
export interface OrderBatch extends RunInstructions {
  readonly id: string
  readonly person: string
  /** Time in milliseconds since 1970. */
  readonly created: number
  /** Largest number of runs at the same time; unlimited if undefined. */
  readonly atOnce?: number | undefined
}

/** A batch, with those of its orders that changed since a time. */
export interface BatchProgress extends OrderBatch {
  /** True if the batch was stopped. */
  readonly stopped: boolean
  /** Number of orders by state. */
  readonly states: Readonly<Partial<Record<OrderState, number>>>
  readonly orders: readonly OrderProgress[]
}
