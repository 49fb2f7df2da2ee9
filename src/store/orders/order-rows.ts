import type { BatchProgress, OrderBatch, OrderResult, OrderState } from '../../model/orders/order-state.ts'

/** A new batch, with an ID for the order of each node. */
export interface NewBatch extends OrderBatch {
  readonly orders: readonly { readonly id: string; readonly node: string }[]
}

/** An order to be sent, with the instructions of its batch. */
export interface DueOrder extends Pick<OrderBatch, 'person' | 'environment' | 'noop' | 'tags' | 'commit'> {
  readonly id: string
  readonly node: string
  readonly batch: string
  /** Time at which the order was first sent, in milliseconds since 1970. */
  readonly issued: number
}

/** The orders that are not finished. */
export interface OpenOrders {
  /** Waiting orders that no server has claimed. */
  readonly unheld: readonly { readonly id: string; readonly node: string }[]
  /** Number of waiting orders. */
  readonly waiting: number
  /** Number of orders that were sent and have no result. */
  readonly sent: number
}

/** A server's knowledge about the waiting orders. */
export interface ClaimRequest {
  /** Name of the server. */
  readonly server: string
  /** Time in milliseconds since 1970. */
  readonly now: number
  /** IDs of waiting orders whose nodes are connected to this server. */
  readonly held: readonly string[]
  /** Waiting orders that no server has claimed since this time end as unconnected. */
  readonly unheldSince: number
}

/** A change in the state of a sent order. */
export interface OrderChange extends OrderResult {
  readonly id: string
  readonly state: Extract<OrderState, 'started' | 'finished' | 'refused'>
}

/** The orders in a store. Several servers may share them. */
export interface OrderRows {
  /** Adds a batch. Throws TOO_MANY_ORDERS. */
  add(batch: NewBatch): Promise<void>
  open(): Promise<OpenOrders>
  /**
   * Claims waiting orders for a server, ends the orders that nobody holds or that took too long, and returns the orders
   * whose turn it is: they count as sent from now on.
   */
  claim(request: ClaimRequest): Promise<readonly DueOrder[]>
  /** Returns orders that could not be sent to their place in the batch. */
  release(ids: readonly string[], now: number): Promise<void>
  /**
   * Claims the waiting orders of newly connected nodes from other servers. Returns the orders of these nodes that were
   * sent and have no result, or whose result came too late; the nodes then repeat their messages.
   */
  attach(server: string, nodes: readonly string[], now: number): Promise<readonly DueOrder[]>
  /** Stores messages of nodes. Changes of orders that have ended are ignored, except late results. */
  record(changes: readonly OrderChange[], now: number): Promise<void>
  /** Returns a batch with the orders that changed at or after a time; undefined if there is none. */
  read(batch: string, since: number): Promise<BatchProgress | undefined>
  /** Stops the orders of a batch that were not sent. Returns their number; undefined if there is no such batch. */
  stop(batch: string, now: number): Promise<number | undefined>
}
