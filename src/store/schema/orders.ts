import type { Dialect } from '../database/dialect.ts'

/**
 * The sixth schema: orders to nodes. `spec` contains the instructions of a batch as JSON, `result` the result of an
 * order. `holder` is the server that has the connection of the node, `issued` the time at which the order was sent, and
 * `since` the time at which it entered its state, or lost its holder.
 */
export function createOrderTables({ ordered }: Dialect): readonly string[] {
  return [
    `create table order_batches (
      id text primary key,
      person text not null,
      spec text not null,
      at_once bigint,
      created bigint not null,
      stopped bigint
    ) ${ordered}`,
    'create index order_batches_by_time on order_batches (created)',
    `create table orders (
      id text primary key,
      batch text not null,
      position bigint not null,
      node text not null,
      state text not null,
      holder text,
      issued bigint,
      since bigint not null,
      changed bigint not null,
      result text
    ) ${ordered}`,
    'create index orders_by_batch on orders (batch, position)',
    'create index orders_by_state on orders (state)',
  ]
}
