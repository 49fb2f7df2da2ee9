import { sql } from 'kysely'
import { budgets } from '../../base/budgets/budgets.ts'
import type { RetentionStep } from './step.ts'

const dayMs = 86_400_000

/** The step that removes old batches of orders, with their orders. */
export function createOrderRemoval(now: number): RetentionStep {
  const before = now - budgets.order.kept.bound * dayMs
  return async (inside, limit) => {
    const old = sql`batch in (select id from order_batches where created < ${before})`
    const removed = await inside.run(
      sql`delete from orders where id in (select id from orders where ${old} limit ${limit})`,
    )
    if (removed === limit) return { removed, done: false }
    return {
      removed: removed + (await inside.run(sql`delete from order_batches where created < ${before}`)),
      done: true,
    }
  }
}
