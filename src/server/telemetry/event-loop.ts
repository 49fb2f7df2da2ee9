import { monitorEventLoopDelay } from 'node:perf_hooks'

/** Event loop delay in milliseconds. The server answers no request during a delay. */
export interface LoopDelay {
  readonly p50: number
  readonly p99: number
  readonly max: number
}

/** Monitor of the event loop of this process. */
export interface LoopWatch {
  /**
   * Delay in the last full minute; in the first minute, since the start. Reading does not reset it.
   */
  delay(): LoopDelay
  close(): void
}

/** Sampling interval in milliseconds; costs less than 1 % of a processor. */
const resolution = 10
const oneMinute = 60_000
const nanoseconds = 1e6

/** Starts to monitor the event loop delay; `minute` is the reporting period in milliseconds. */
export function watchEventLoop(minute: number = oneMinute): LoopWatch {
  const histogram = monitorEventLoopDelay({ resolution })
  let last: LoopDelay | undefined
  const readDelay = (): LoopDelay => ({
    p50: toDelayMs(histogram.percentile(50)),
    p99: toDelayMs(histogram.percentile(99)),
    max: toDelayMs(histogram.max),
  })
  const timer = setInterval(() => {
    last = readDelay()
    histogram.reset()
  }, minute).unref()
  histogram.enable()
  return {
    delay: () => last ?? (histogram.count === 0 ? { p50: 0, p99: 0, max: 0 } : readDelay()),
    close() {
      clearInterval(timer)
      histogram.disable()
    },
  }
}

/** Delay in milliseconds. Node's value includes the sampling interval. */
function toDelayMs(measured: number): number {
  return Math.round(Math.max(0, measured / nanoseconds - resolution) * 10) / 10
}
