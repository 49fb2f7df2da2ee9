import { setTimeout as sleep } from 'node:timers/promises'

/** Sleeps for some seconds or until `stop` is aborted. True if it was aborted. */
export async function pause(seconds: number, stop: AbortSignal | undefined): Promise<boolean> {
  await sleep(Math.min(seconds * 1000, longestMs), undefined, { signal: stop }).catch(() => {})
  return stop?.aborted ?? false
}

/** Maximum delay of a Node.js timer in milliseconds; a longer pause is shortened to it. */
const longestMs = 2 ** 31 - 1

/** A pause between two runs that can be ended early. */
export class Wakeable {
  #woken = new AbortController()

  /** Ends the current pause; without one, the next pause ends at once. */
  wake(): void {
    this.#woken.abort()
  }

  /** Sleeps for some seconds, or until `wake` is called or `stop` is aborted. */
  async pause(seconds: number, stop: AbortSignal): Promise<void> {
    await pause(seconds, AbortSignal.any([stop, this.#woken.signal]))
    this.#woken = new AbortController()
  }
}
