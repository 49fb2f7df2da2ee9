import { memoryUsage } from 'node:process'
import type { CompilePool } from '../../compiler/workers/compile-pool.ts'
import { getDescriptorLimit } from '../../machine/system/descriptor-limit.ts'
import { countOpenDescriptors, countThreads, getMemoryUse, getStartTimeMs } from '../telemetry/process-metrics.ts'
import type { Tally } from '../telemetry/source-tallies.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import type { Timer } from '../telemetry/timer.ts'

/** Metrics in the status at level `debug`, as below `experimental` in Puppet Server's status. */
export type Figures = Readonly<Record<string, unknown>>

/**
 * Metrics of the services `server` and `master`: requests to `/puppet` by route, sorted by total
 * duration.
 */
export function getHttpFigures({ timers }: Pick<Telemetry, 'timers'>): Figures {
  const rows = [['total', timers.requests] as const, ...timers.byRoute].map(([route, timer]) => ({
    'route-id': route,
    ...toTimerTotals(timer),
  }))
  return { 'http-metrics': rows.sort((a, b) => b.aggregate - a.aggregate), 'http-client-metrics': [] }
}

/**
 * Metrics of the service `jruby-metrics`. Compile threads are reported as JRuby instances; only
 * catalogs need one.
 */
export function getPoolFigures(
  { timers }: Pick<Telemetry, 'timers'>,
  pool: Pick<CompilePool, 'status' | 'threads'>,
): Figures {
  const { size, free, queued, compiled, recalled, failed, refused, 'slow-queued': slowQueued } = pool.status()
  const { catalogs, waits, freeThreads, waiting, refusals } = timers
  const taken = compiled + recalled + failed
  const times = { ...toTimerFigures(catalogs), max: Math.round(catalogs.max), rate: catalogs.rates().oneMinute }
  const busy = pool.threads().flatMap(({ work }) => (work ? [work] : []))
  return {
    metrics: {
      'num-jrubies': size,
      'num-free-jrubies': free,
      'requested-count': taken + queued + slowQueued,
      'borrow-count': taken,
      'return-count': taken,
      'borrow-retry-count': 0,
      'borrow-timeout-count': 0,
      'borrow-timers': { total: times, 'puppet-v3-catalog': times },
      'average-borrow-time': Math.round(catalogs.mean),
      'average-wait-time': Math.round(waits.mean),
      'average-free-jrubies': freeThreads.summary().mean,
      'average-requested-jrubies': waiting.summary().mean,
      'queue-limit-hit-count': refused,
      'queue-limit-hit-rate': refusals.rates().oneMinute,
      'borrowed-instances': busy.map(({ node, environment, ms }) => ({
        'duration-millis': Math.round(ms),
        time: Date.now() - Math.round(ms),
        reason: { node, environment },
      })),
      'requested-instances': [],
    },
  }
}

/** Further metrics of the service `server`: fetches by source, and webhooks by vendor. */
export function getSourceFigures({ sources: { fetches, hooks } }: Pick<Telemetry, 'sources'>): Figures {
  return { 'source-fetches': formatTallies(fetches), webhooks: formatTallies(hooks) }
}

function formatTallies(tallies: ReadonlyMap<string, Tally<string>>): Figures {
  return Object.fromEntries(
    [...tallies].map(([name, { counts, seconds, lastSuccess }]) => [
      name,
      {
        ...counts,
        seconds,
        'last-success': lastSuccess === undefined ? null : new Date(lastSuccess).toISOString(),
      },
    ]),
  )
}

/** Metrics of the service `puppet-profiler`. This server times only the compilation of whole catalogs. */
export function getProfilerFigures({ timers: { compilations } }: Pick<Telemetry, 'timers'>): Figures {
  const compile = compilations.count === 0 ? [] : [{ metric: 'compile', ...toTimerTotals(compilations) }]
  return {
    'function-metrics': [],
    'resource-metrics': [],
    'catalog-metrics': compile,
    'puppetdb-metrics': [],
    'inline-metrics': [],
  }
}

/** Metrics of the service `status-service`: figures of this process, in the format of a Java process. */
export async function getProcessFigures({ process: figures }: Pick<Telemetry, 'process'>): Promise<Figures> {
  const { heap, nonHeap } = getMemoryUse()
  const { external, arrayBuffers } = memoryUsage()
  const collections = Object.entries(figures.collections).map(([kind, { count, time, last }]) => [
    kind,
    { count, 'total-time-ms': Math.round(time), 'last-gc-info': { 'duration-ms': Math.round(last) } },
  ])
  return {
    'jvm-metrics': {
      'cpu-usage': figures.cpu(),
      'up-time-ms': Math.round(process.uptime() * 1000),
      'start-time-ms': getStartTimeMs(),
      'heap-memory': heap,
      'non-heap-memory': nonHeap,
      'nio-buffer-pools': { direct: { 'memory-used': arrayBuffers, 'total-capacity': external } },
      'gc-stats': Object.fromEntries(collections),
      threading: { 'thread-count': countThreads() },
      'file-descriptors': { used: await countOpenDescriptors(), max: getDescriptorLimit() ?? -1 },
    },
  }
}

function toTimerFigures(timer: Timer): { readonly count: number; readonly mean: number } {
  return { count: timer.count, mean: Math.round(timer.mean) }
}

function toTimerTotals(timer: Timer) {
  return { ...toTimerFigures(timer), aggregate: Math.round(timer.sum) }
}
