import { readFileSync } from 'node:fs'

const tick = 4

/** Milliseconds for which the main thread could have run, and had no processor. */
function waited() {
  const [, nanoseconds] = readFileSync('/proc/self/schedstat', 'utf8').split(' ')
  return Number(nanoseconds) / 1e6
}

/**
 * Watches for how long, at most, the event loop of the main thread stands still, in milliseconds, without the time in which
 * others had the processor.
 */
export class LongestPause {
  /** Since the watch, or `forget`, began. */
  milliseconds = 0
  #before = performance.now()
  #beforeWaited = waited()
  #timer

  /** @param {() => void} [looked] Called at each look. */
  constructor(looked = () => {}) {
    this.#timer = setInterval(() => {
      this.#look()
      looked()
      this.#begin()
    }, tick).unref()
  }

  forget() {
    this.milliseconds = 0
  }

  /** Ends the watch; answers the longest pause. */
  end() {
    clearInterval(this.#timer)
    this.#look()
    return this.milliseconds
  }

  #look() {
    const pause = performance.now() - this.#before - tick - (waited() - this.#beforeWaited)
    this.milliseconds = Math.max(this.milliseconds, pause)
  }

  #begin() {
    this.#before = performance.now()
    this.#beforeWaited = waited()
  }
}
