import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'

/** Milliseconds until a state that is not reached is a failure: below the time of a test that starts processes. */
const bound = 240_000
const interval = 20

/**
 * Waits until a state is reached, and returns it; throws an error with the last state where that takes too long. Within a
 * test, `expect.poll` does the same; this is for hooks, fixtures and scripts, and for a state that is read and returned.
 *
 * @template State
 * @param {() => State | Promise<State>} read
 * @param {(state: State) => boolean} [isReached] True of any value but false, null, 0 and the like, where left out.
 * @returns {Promise<State>}
 */
export async function eventually(read, isReached = Boolean) {
  const end = performance.now() + bound
  for (;;) {
    const state = await read()
    if (isReached(state)) return state
    if (performance.now() > end) throw new Error(`Not reached in ${bound / 1000} s; the last state: ${inspect(state)}`)
    await sleep(interval)
  }
}

/**
 * Waits until the end of a certificate, whose last second has to be over.
 *
 * @param {{ readonly notAfter: Date }} certificate
 */
export async function expiryOf({ notAfter }) {
  await eventually(
    () => notAfter.getTime() - Date.now(),
    (left) => left < -1000,
  )
}
