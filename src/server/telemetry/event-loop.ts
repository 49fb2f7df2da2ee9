import { monitorEventLoopDelay } from 'node:perf_hooks'

/** Delays of the event loop, in milliseconds: times without an answer to anybody. */
export interface LoopDelay {
  readonly p50: number
  readonly p99: number
  readonly max: number
}

/** A watch over the event loop of this process. */
export interface LoopWatch {
  /** Delays of the last whole minute; before its end, of the time since the start. A read changes nothing. */
  delay(): LoopDelay
  close(): void
}

/** Milliseconds between two measurements: half of a delay that matters, for less than a hundredth of a processor. */
const resolution = 10
const oneMinute = 60_000
const nanoseconds = 1e6

/** Begins to watch. */
export function watchEventLoop(minute: number = oneMinute): LoopWatch {
  const histogram = monitorEventLoopDelay({ resolution })
  let last: LoopDelay | undefined
  const now = (): LoopDelay => ({
    p50: late(histogram.percentile(50)),
    p99: late(histogram.percentile(99)),
    max: late(histogram.max),
  })
  const timer = setInterval(() => {
    last = now()
    histogram.reset()
  }, minute).unref()
  histogram.enable()
  return {
    delay: () => last ?? (histogram.count === 0 ? { p50: 0, p99: 0, max: 0 } : now()),
    close() {
      clearInterval(timer)
      histogram.disable()
    },
  }
}

/** Node measures from one firing of its timer to the next, which is the resolution when nothing is late. */
function late(measured: number): number {
  return Math.round(Math.max(0, measured / nanoseconds - resolution) * 10) / 10
}
