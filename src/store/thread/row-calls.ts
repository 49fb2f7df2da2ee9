import { setTimeout as sleep } from 'node:timers/promises'
import { budgets } from '../../base/budgets/budgets.ts'
import { unpackError } from '../../base/threads/packed-error.ts'
import type { OrderRows } from '../orders/order-rows.ts'
import type { RolloutRows } from '../rollouts/rollout-rows.ts'
import type { RowCall, RowOutcome, RowSets } from './messages.ts'

/** Calls of methods that the writer thread runs on its database. */
export class RowCalls {
  readonly #post: (call: RowCall) => void
  readonly #asked = new Map<number, { done(value: unknown): void; failed(error: Error): void }>()
  #next = 1

  constructor(post: (call: RowCall) => void) {
    this.#post = post
  }

  /** Completes a call with its result. */
  heard(id: number, outcome: RowOutcome): void {
    const asked = this.#asked.get(id)
    this.#asked.delete(id)
    if ('failed' in outcome) asked?.failed(unpackError(outcome.failed))
    else asked?.done(outcome.value)
  }

  /** Fails all calls, because the writer has died. */
  giveUp(why: string): void {
    for (const { failed } of this.#asked.values()) failed(new Error(why))
    this.#asked.clear()
  }

  /** Calls a method. Fails after a time, because a broken connection to the database reports nothing. */
  call<Result>(target: keyof RowSets, method: string, values: readonly unknown[]): Promise<Result> {
    const id = this.#next++
    const called = new Promise<Result>((done, failed) => {
      this.#asked.set(id, { done: (value) => done(value as Result), failed })
      this.#post({ kind: 'rows', id, target, method, values })
    })
    return Promise.race([called, this.#expire(id)])
  }

  async #expire(id: number): Promise<never> {
    await sleep(budgets.store.rowTime.bound, undefined, { ref: false })
    this.#asked.delete(id)
    throw new Error('the database did not respond in time')
  }
}

/** The orders of a store, through its writer thread. */
export function createOrderCalls(calls: RowCalls): OrderRows {
  return {
    add: (...values) => calls.call('orders', 'add', values),
    open: () => calls.call('orders', 'open', []),
    claim: (...values) => calls.call('orders', 'claim', values),
    release: (...values) => calls.call('orders', 'release', values),
    attach: (...values) => calls.call('orders', 'attach', values),
    record: (...values) => calls.call('orders', 'record', values),
    read: (...values) => calls.call('orders', 'read', values),
    stop: (...values) => calls.call('orders', 'stop', values),
  }
}

/** The rollouts of a store, through its writer thread. */
export function createRolloutCalls(calls: RowCalls): RolloutRows {
  return {
    read: (...values) => calls.call('rollouts', 'read', values),
    change: (...values) => calls.call('rollouts', 'change', values),
    readDocument: (...values) => calls.call('rollouts', 'readDocument', values),
    listReports: (...values) => calls.call('rollouts', 'listReports', values),
  }
}
