import { type Budget, budgets } from '../../base/budgets/budgets.ts'
import { KeyedSlots } from '../../base/threads/keyed-slots.ts'
import { createRetryRefusal } from '../bodies/body-memory.ts'

const { pushes, pushesOfOne, fetches, fetchesOfOne, waiting, waitTime } = budgets.git

/** Slots for pushes over HTTPS, by client. */
export function createPushTurns(): KeyedSlots {
  return createTurns('pushes', pushes, pushesOfOne)
}

/** Slots for clones, fetches and ref listings, by client. */
export function createFetchTurns(): KeyedSlots {
  return createTurns('clones and fetches', fetches, fetchesOfOne)
}

/** Slots for work that starts processes. If no slot is free, the request is refused with 503. */
function createTurns(what: string, { bound: atOnce }: Budget, { bound: ofOne }: Budget): KeyedSlots {
  const wait = { waiting: waiting.bound, waitMs: waitTime.bound }
  const waitOfOne = { ...wait, waiting: Math.floor(waiting.bound / 2) }
  return new KeyedSlots({ atOnce, ...wait, ofOne: { atOnce: ofOne, ...waitOfOne } }, () =>
    createRetryRefusal(503, `Too many ${what} at once`),
  )
}
