import { readFileSync } from 'node:fs'

const tick = 4

/** Processor time of the main thread in milliseconds. */
function cpuTime() {
  const [nanoseconds] = readFileSync('/proc/self/schedstat', 'utf8').split(' ')
  return Number(nanoseconds) / 1e6
}

/**
 * Measures the longest work of the main thread between two turns of its event loop, in milliseconds of processor time.
 * Unlike the time of the clock, it is the same beside any load, where the thread also waits for the threads of the garbage
 * collector and for the disk.
 */
export class LongestPause {
  /** Since the watch, or `forget`, began. */
  milliseconds = 0
  #before = cpuTime()
  #timer

  /** @param {() => void} [looked] Called at each look. */
  constructor(looked = () => {}) {
    this.#timer = setInterval(() => {
      this.#look()
      looked()
      this.#before = cpuTime()
    }, tick).unref()
  }

  forget() {
    this.milliseconds = 0
  }

  /** Ends the watch; returns the longest pause. */
  end() {
    clearInterval(this.#timer)
    this.#look()
    return this.milliseconds
  }

  #look() {
    this.milliseconds = Math.max(this.milliseconds, cpuTime() - this.#before)
  }
}
