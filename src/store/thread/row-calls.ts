import { budgets } from '../../base/budgets/budgets.ts'
import { unpackError } from '../../base/threads/packed-error.ts'
import type { OrderRows } from '../orders/order-rows.ts'
import type { RolloutRows } from '../rollouts/rollout-rows.ts'
import type { RowCall, RowOutcome, RowSets } from './messages.ts'

/** A call without an answer yet. */
interface PendingCall {
  done(value: unknown): void
  failed(error: Error): void
  readonly timer: NodeJS.Timeout
}

/** Calls of methods that the writer thread runs on its database. */
export class RowCalls {
  readonly #post: (call: RowCall) => void
  readonly #asked = new Map<number, PendingCall>()
  #next = 1

  constructor(post: (call: RowCall) => void) {
    this.#post = post
  }

  /** Completes a call with its result. */
  heard(id: number, outcome: RowOutcome): void {
    const asked = this.#take(id)
    if ('failed' in outcome) asked?.failed(unpackError(outcome.failed))
    else asked?.done(outcome.value)
  }

  /** Fails all calls, because the writer has died. */
  giveUp(why: string): void {
    for (const id of this.#asked.keys()) this.#take(id)?.failed(new Error(why))
  }

  /** Calls a method. Fails after a time, because a broken connection to the database reports nothing. */
  call<Result>(target: keyof RowSets, method: string, values: readonly unknown[]): Promise<Result> {
    const id = this.#next++
    return new Promise((done, failed) => {
      const expire = () => this.#take(id)?.failed(new Error('the database did not respond in time'))
      const timer = setTimeout(expire, budgets.store.rowTime.bound).unref()
      this.#asked.set(id, { done: (value) => done(value as Result), failed, timer })
      this.#post({ kind: 'rows', id, target, method, values })
    })
  }

  /** Returns a call, which then has no timer and gets no other answer. */
  #take(id: number): PendingCall | undefined {
    const asked = this.#asked.get(id)
    clearTimeout(asked?.timer)
    this.#asked.delete(id)
    return asked
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
