import { setTimeout as sleep } from 'node:timers/promises'

/** Sleeps that long, or until it is told to end; true when it was. */
export async function pause(seconds: number, stop: AbortSignal | undefined): Promise<boolean> {
  await sleep(Math.min(seconds * 1000, longestMs), undefined, { signal: stop }).catch(() => {})
  return stop?.aborted ?? false
}

/** A timer of Node's takes no more milliseconds; a pause that long ends by a signal. */
const longestMs = 2 ** 31 - 1

/** Wakes who sleeps between two runs. */
export class Wakeable {
  #woken = new AbortController()

  /** Ends the pause at once; the next one, when there is none. */
  wake(): void {
    this.#woken.abort()
  }

  /** Sleeps, unless or until it is woken or told to end. */
  async pause(seconds: number, stop: AbortSignal): Promise<void> {
    await pause(seconds, AbortSignal.any([stop, this.#woken.signal]))
    this.#woken = new AbortController()
  }
}
