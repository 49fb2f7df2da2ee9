import type { BatchProgress } from '../../model/orders/order-state.ts'

/** A request to run the agents of nodes now. */
export interface RunRequest {
  /** Certnames. */
  readonly nodes: readonly string[]
  /** Environment of the runs; undefined for the own environment of each node. */
  readonly environment?: string | undefined
  /** The person or part of the server that requests the runs, for the audit log and the nodes' logs. */
  readonly person: string
  readonly noop?: boolean | undefined
  readonly tags?: readonly string[] | undefined
  /** The commit that the person expects; not enforced. */
  readonly commit?: string | undefined
  /** Largest number of runs at the same time; unlimited if undefined. */
  readonly maxAtOnce?: number | undefined
}

/** Orders nodes to run their agents. */
export interface RunOrders {
  /**
   * Stores an order for each node, and returns the ID of the batch. The orders survive a crash of the server. Throws
   * NO_NODES, TOO_MANY_NODES, TOO_MANY_ORDERS, ORDER_MALFORMED.
   */
  run(request: RunRequest): Promise<{ readonly id: string }>
  /**
   * Returns a batch, with those of its orders that changed at or after a time in milliseconds since 1970; undefined if
   * there is none.
   */
  progress(id: string, since?: number): Promise<BatchProgress | undefined>
  /** Stops the orders of a batch that were not sent. Returns their number; undefined if there is no such batch. */
  stop(id: string, person: string): Promise<number | undefined>
  /**
   * True if the node is connected to this server. If several servers share the store, the node may be connected to
   * another server; orders reach it there.
   */
  isConnected(certname: string): boolean
}
