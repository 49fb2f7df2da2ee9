import { sql } from 'kysely'
import { budgets } from '../../base/budgets/budgets.ts'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import type { RunInstructions } from '../../model/orders/order.ts'
import type { BatchProgress, OrderProgress, OrderResult, OrderState } from '../../model/orders/order-state.ts'
import { lockTransaction } from '../database/advisory-lock.ts'
import { type Database, getFirstRow } from '../database/database.ts'
import { openSqlite } from '../database/sqlite.ts'
import { createOrderTables } from '../schema/orders.ts'
import type { ClaimRequest, DueOrder, NewBatch, OpenOrders, OrderChange, OrderRows } from './order-rows.ts'

const issues = defineIssues({
  TOO_MANY_ORDERS: {
    text: (a: { most: number }) => `More than ${a.most} orders are not finished`,
    hint: () => 'Wait for the running batches, or stop one of them.',
  },
})

const { open: openBound, lifetime, run, waiting } = budgets.order

/** Opens the orders in a database. */
export function openStoredOrders(database: Database): OrderRows {
  return {
    add: (batch) => changeOrders(database, (inside) => addBatch(inside, batch)),
    open: () => database.snapshot(readOpenOrders),
    claim: (request) => changeOrders(database, (inside) => claimOrders(inside, request)),
    release: (ids, now) => changeOrders(database, (inside) => releaseOrders(inside, ids, now)),
    attach: (server, nodes, now) => changeOrders(database, (inside) => attachNodes(inside, { server, nodes, now })),
    record: (changes, now) => changeOrders(database, (inside) => recordChanges(inside, changes, now)),
    read: (batch, since) => database.snapshot((inside) => readBatch(inside, batch, since)),
    stop: (batch, now) => changeOrders(database, (inside) => stopBatch(inside, batch, now)),
  }
}

/** Opens orders in the memory of this process, for a server without a store of its own. */
export async function openMemoryOrders(): Promise<OrderRows> {
  const database = openSqlite(':memory:')
  for (const statement of createOrderTables(database.dialect)) await database.run(sql.raw(statement))
  return openStoredOrders(database)
}

/** Runs a transaction. Those of several servers run one after the other, so that they count the same running orders. */
function changeOrders<Result>(database: Database, work: (inside: Database) => Promise<Result>): Promise<Result> {
  return database.transaction(async (inside) => {
    if (inside.dialect.name === 'postgresql') await inside.all(lockTransaction('orders'))
    return work(inside)
  })
}

async function addBatch(
  inside: Database,
  { id, person, created, atOnce, orders, environment, noop, tags, commit }: NewBatch,
): Promise<void> {
  const row = await getFirstRow<{ open: number }>(
    inside,
    sql`select count(*) as open from orders where state in ('waiting', 'sent', 'started')`,
  )
  if ((row?.open ?? 0) + orders.length > openBound.bound) throwIssue(issues.TOO_MANY_ORDERS, { most: openBound.bound })
  const spec: RunInstructions = { environment, noop, tags, commit }
  await inside.run(
    sql`insert into order_batches (id, person, spec, at_once, created)
      values (${id}, ${person}, ${JSON.stringify(spec)}, ${atOnce ?? null}, ${created})`,
  )
  const rows = orders.map((order, position) => [order.id, order.node, position])
  await inside.run(
    sql`insert into orders (id, batch, position, node, state, since, changed)
      select new_id, ${id}, new_position, new_node, 'waiting', ${created}, ${created}
      from ${inside.dialect.rows({ new_id: 'text', new_node: 'text', new_position: 'integer' }, rows)}`,
  )
}

async function readOpenOrders(inside: Database): Promise<OpenOrders> {
  const unheld = await inside.all<{ id: string; node: string }>(
    sql`select id, node from orders where state = 'waiting' and holder is null limit ${openBound.bound}`,
  )
  const counts = await inside.all<{ state: OrderState; count: number }>(
    sql`select state, count(*) as count from orders where state in ('waiting', 'sent', 'started') group by state`,
  )
  const count = (state: OrderState) => counts.find((row) => row.state === state)?.count ?? 0
  return {
    unheld: unheld.map(({ id, node }) => ({ id, node })),
    waiting: count('waiting'),
    sent: count('sent') + count('started'),
  }
}

async function claimOrders(
  inside: Database,
  { server, now, held, unheldSince }: ClaimRequest,
): Promise<readonly DueOrder[]> {
  const { texts } = inside.dialect
  await inside.run(
    sql`update orders set holder = ${server}, since = ${now}
      where state = 'waiting' and id in (select value from ${texts(held)})`,
  )
  await endOrders(inside, 'unconnected', now, sql`state = 'waiting' and holder is null and since <= ${unheldSince}`)
  await endOrders(inside, 'expired', now, sql`state = 'waiting' and since < ${now - waiting.bound}`)
  await endOrders(inside, 'expired', now, sql`state = 'sent' and since < ${now - lifetime.bound}`)
  await endOrders(inside, 'lost', now, sql`state = 'started' and since < ${now - run.bound}`)
  return takeDueOrders(inside, server, now)
}

async function endOrders(inside: Database, state: OrderState, now: number, where: ReturnType<typeof sql>) {
  await inside.run(sql`update orders set state = ${state}, since = ${now}, changed = ${now} where ${where}`)
}

/** Marks the orders whose turn it is as sent: those first in their batch, up to its number of runs at the same time. */
async function takeDueOrders(inside: Database, server: string, now: number): Promise<readonly DueOrder[]> {
  const batches = await inside.all<{ id: string; at_once: number | null; running: number }>(
    sql`select id, at_once, (
        select count(*) from orders where batch = order_batches.id and state in ('sent', 'started')
      ) as running
      from order_batches
      where id in (select batch from orders where state = 'waiting' and holder = ${server})`,
  )
  const due: string[] = []
  for (const { id, at_once: atOnce, running } of batches) {
    const room = atOnce === null ? openBound.bound : Math.max(0, atOnce - running)
    const rows = await inside.all<{ id: string }>(
      sql`select id from orders where batch = ${id} and state = 'waiting' and holder = ${server}
        order by position limit ${room}`,
    )
    due.push(...rows.map((row) => row.id))
  }
  if (due.length === 0) return []
  const isDue = sql`orders.id in (select value from ${inside.dialect.texts(due)})`
  await inside.run(
    sql`update orders set state = 'sent', issued = ${now}, since = ${now}, changed = ${now} where ${isDue}`,
  )
  return readDueOrders(inside, isDue)
}

async function releaseOrders(inside: Database, ids: readonly string[], now: number): Promise<void> {
  await inside.run(
    sql`update orders set state = 'waiting', holder = null, issued = null, since = ${now}, changed = ${now}
      where state = 'sent' and id in (select value from ${inside.dialect.texts(ids)})`,
  )
}

interface Attachment {
  readonly server: string
  readonly nodes: readonly string[]
  readonly now: number
}

async function attachNodes(inside: Database, { server, nodes, now }: Attachment): Promise<readonly DueOrder[]> {
  const isOfNodes = sql`node in (select value from ${inside.dialect.texts(nodes)})`
  await inside.run(
    sql`update orders set holder = ${server}, since = ${now}
      where state = 'waiting' and holder <> ${server} and ${isOfNodes}`,
  )
  return readDueOrders(
    inside,
    sql`${isOfNodes} and (
      state in ('sent', 'started') or (state in ('expired', 'lost') and issued > ${now - waiting.bound})
    )`,
  )
}

async function readDueOrders(inside: Database, where: ReturnType<typeof sql>): Promise<readonly DueOrder[]> {
  const rows = await inside.all<Omit<DueOrder, keyof RunInstructions> & { spec: string }>(
    sql`select orders.id as id, node, batch, issued, person, spec
      from orders join order_batches on order_batches.id = orders.batch where ${where} order by batch, position`,
  )
  return rows.map(({ spec, ...row }) => ({ ...row, ...parseSpec(spec) }))
}

async function recordChanges(inside: Database, changes: readonly OrderChange[], now: number): Promise<void> {
  const rows = changes.map(({ id, state, ...result }) => [id, state, JSON.stringify(result)])
  await inside.run(
    sql`update orders set state = new_state, result = new_result, since = ${now}, changed = ${now}
      from ${inside.dialect.rows({ new_id: 'text', new_state: 'text', new_result: 'text' }, rows)}
      where id = new_id and (
        state = 'sent' or (state in ('started', 'expired', 'lost') and new_state <> 'started')
      )`,
  )
}

async function readBatch(inside: Database, batch: string, since: number): Promise<BatchProgress | undefined> {
  const found = await getFirstRow<BatchRow>(inside, sql`select * from order_batches where id = ${batch}`)
  if (!found) return undefined
  const states = await inside.all<{ state: OrderState; count: number }>(
    sql`select state, count(*) as count from orders where batch = ${batch} group by state`,
  )
  const orders = await inside.all<Omit<OrderProgress, keyof OrderResult> & { result: string | null }>(
    sql`select id, node, state, changed, result from orders
      where batch = ${batch} and changed >= ${since} order by position`,
  )
  const { id, person, created, at_once: atOnce, spec, stopped } = found
  return {
    ...{ id, person, created, ...parseSpec(spec), ...(atOnce !== null && { atOnce }) },
    stopped: stopped !== null,
    states: Object.fromEntries(states.map(({ state, count }) => [state, count])),
    orders: orders.map(({ result, ...order }) => ({ ...order, ...parseResult(result) })),
  }
}

interface BatchRow {
  readonly id: string
  readonly person: string
  readonly spec: string
  readonly at_once: number | null
  readonly created: number
  readonly stopped: number | null
}

function parseSpec(spec: string): RunInstructions {
  return JSON.parse(spec) as RunInstructions
}

function parseResult(result: string | null): OrderResult {
  return result === null ? {} : (JSON.parse(result) as OrderResult)
}

async function stopBatch(inside: Database, batch: string, now: number): Promise<number | undefined> {
  const found = await inside.run(sql`update order_batches set stopped = coalesce(stopped, ${now}) where id = ${batch}`)
  if (found === 0) return undefined
  return inside.run(
    sql`update orders set state = 'stopped', since = ${now}, changed = ${now}
      where batch = ${batch} and state = 'waiting'`,
  )
}
