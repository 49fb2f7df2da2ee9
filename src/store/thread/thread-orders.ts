import { unpackError } from '../../base/threads/packed-error.ts'
import type { OrderRows } from '../orders/order-rows.ts'
import type { OrderCall, OrderOutcome } from './messages.ts'

/** The orders of a store, through its writer thread. */
export class ThreadOrders implements OrderRows {
  readonly #post: (call: OrderCall) => void
  readonly #asked = new Map<number, { done(value: unknown): void; failed(error: Error): void }>()
  #next = 1

  constructor(post: (call: OrderCall) => void) {
    this.#post = post
  }

  readonly add: OrderRows['add'] = (...values) => this.#call('add', values)
  readonly open: OrderRows['open'] = () => this.#call('open', [])
  readonly claim: OrderRows['claim'] = (...values) => this.#call('claim', values)
  readonly release: OrderRows['release'] = (...values) => this.#call('release', values)
  readonly attach: OrderRows['attach'] = (...values) => this.#call('attach', values)
  readonly record: OrderRows['record'] = (...values) => this.#call('record', values)
  readonly read: OrderRows['read'] = (...values) => this.#call('read', values)
  readonly stop: OrderRows['stop'] = (...values) => this.#call('stop', values)

  /** Completes a call with its result. */
  heard(id: number, outcome: OrderOutcome): void {
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

  #call<Result>(method: keyof OrderRows, values: readonly unknown[]): Promise<Result> {
    const id = this.#next++
    return new Promise((done, failed) => {
      this.#asked.set(id, { done: (value) => done(value as Result), failed })
      this.#post({ kind: 'orders', id, method, values })
    })
  }
}
