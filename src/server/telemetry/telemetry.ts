import { availableParallelism } from 'node:os'
import { Registry } from 'prom-client'
import type { ServedChange } from '../../code/environments/git/deployment-log.ts'
import type { FinishedJob, PoolStatus } from '../../compiler/workers/pool-options.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { Reloadable } from '../reloader.ts'
import { AccessLog } from './access-log.ts'
import { type LoopWatch, watchEventLoop } from './event-loop.ts'
import { EventMetrics } from './event-metrics.ts'
import { type ProcessFigures, watchProcess } from './process-metrics.ts'
import type { RequestObserver } from './request-observer.ts'
import { requestSpans } from './request-spans.ts'
import { addSourceMetrics } from './source-metrics.ts'
import { SourceFigures } from './source-tallies.ts'
import { StallWatch } from './stall-watch.ts'
import { Timers } from './timers.ts'

/** Metrics and logs of a server. */
export interface Telemetry {
  readonly timers: Timers
  readonly metrics: EventMetrics
  readonly registry: Registry
  readonly sources: SourceFigures
  readonly loop: LoopWatch
  readonly process: ProcessFigures
  /** Number of processors available to the process. */
  readonly processors: number
  /** Observers of each request. */
  readonly observers: readonly RequestObserver[]
  /** Records the end of a compile job, with the pool's load at that time. */
  jobEnded(job: FinishedJob, load: Pick<PoolStatus, 'free' | 'queued'>): void
  /** Records the result of a deployment. */
  deployed(change: Pick<ServedChange, 'environment' | 'result'>): void
  /** Reopens the access log after log rotation. */
  reopenLogs(): void
  readonly reloadable: Reloadable
  close(): Promise<void>
}

/** Starts metrics and logs. `warn` writes to the server's log. */
export function startTelemetry(settings: Settings, warn: (details: object, message: string) => void): Telemetry {
  const registry = new Registry()
  const metrics = new EventMetrics(registry)
  const timers = new Timers()
  const sources = new SourceFigures(() => Date.now())
  addSourceMetrics(registry, sources)
  const processors = availableParallelism()
  const accessLog = new AccessLog({ warn: (message) => warn({}, message), lost: () => metrics.lineLost() })
  accessLog.use(settings)
  const stalls = new StallWatch({
    stallMs: () => settings.event_loop_stall,
    slowMs: () => settings.slow_request_after * 1000,
    warn,
    stalled: () => metrics.stalled(),
  })
  const [loop, figures] = [watchEventLoop(), watchProcess(processors)]
  return {
    ...{ timers, metrics, sources, registry, loop, process: figures, processors },
    observers: [timers, metrics, stalls, accessLog, requestSpans],
    jobEnded(job, load) {
      metrics.jobEnded(job)
      timers.jobEnded(job, load)
    },
    deployed({ environment, result }) {
      metrics.deployed(result)
      if (result !== 'gone') return
      metrics.forget(environment)
      timers.forget(environment)
    },
    reopenLogs: () => accessLog.reopen(),
    reloadable: {
      prepare: async (next) => () => {
        accessLog.reopen()
        accessLog.use(next)
      },
    },
    async close() {
      stalls.close()
      loop.close()
      figures.close()
      registry.clear()
      await accessLog.close()
    },
  }
}
