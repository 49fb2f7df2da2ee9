import { Counter, Gauge, type Registry } from 'prom-client'
import { budgets } from '../../base/budgets/budgets.ts'
import type { Environments } from '../../code/environments/environments.ts'
import type { CompilePool } from '../../compiler/workers/compile-pool.ts'
import type { PoolStatus } from '../../compiler/workers/pool-options.ts'
import { getDescriptorLimit } from '../../machine/system/descriptor-limit.ts'
import { isUsable, type StoreFigures, type StoreUpkeep } from '../../store/node-store.ts'
import type { LoopWatch } from '../telemetry/event-loop.ts'
import {
  countOpenDescriptors,
  countThreads,
  getMemoryUse,
  getStartTimeMs,
  type ProcessFigures,
} from '../telemetry/process-metrics.ts'

/** A certificate or a revocation list with its expiry. */
export interface CertificateExpiry {
  /** Kind: `server`, `authority`, `catalog_signer`, `revocation_list`. */
  readonly of: string
  /** Name in the certificate or list. */
  readonly name: string
  readonly notAfter: Date
}

const dayMs = 86_400_000

/** Help text and value function of each gauge, by name; for gauges without labels. */
type Gauges<State> = Readonly<
  Record<string, readonly [help: string, value: (state: State) => number | Promise<number>]>
>

const poolGauges: Gauges<PoolStatus> = {
  plumb_compile_workers: ['Threads that compile catalogs for requests.', ({ size }) => size],
  plumb_compile_workers_free: ['Idle threads that compile catalogs for requests.', ({ free }) => free],
  plumb_compile_queue: ['Jobs waiting for a compile thread.', ({ queued }) => queued],
  plumb_compile_slow: ['Slow jobs being compiled.', ({ slow }) => slow],
  plumb_compile_slow_queue: ['Slow jobs waiting for a thread.', (state) => state['slow-queued']],
  plumb_compile_background: ['Running background jobs.', ({ background }) => background],
}

const storeGauges: Gauges<StoreFigures> = {
  plumb_store_queue_commands: ['Commands waiting on disk for the database.', ({ queueDepth }) => queueDepth],
  plumb_store_queue_bytes: ['Size of the commands waiting on disk, in bytes.', ({ queueBytes }) => queueBytes],
  plumb_store_stuck: ['1 if the database rejects writes, otherwise 0.', ({ stuck }) => (stuck === undefined ? 0 : 1)],
}

const storeCounters: Gauges<StoreFigures> = {
  plumb_store_commands_total: ['Commands processed.', ({ processed }) => processed],
  plumb_store_replica_queries_total: ['Queries that read replicas answered.', ({ replicaAnswers }) => replicaAnswers],
  plumb_store_commands_discarded_total: ['Commands discarded as dead letters.', ({ discarded }) => discarded],
  plumb_store_writing_seconds_total: [
    'Time spent writing commands, in seconds.',
    ({ writingSeconds }) => writingSeconds,
  ],
}

/**
 * Metrics of the process, with the names of Prometheus client libraries, so that standard
 * dashboards for processes and Node show them.
 */
const processGauges: Gauges<undefined> = {
  process_resident_memory_bytes: [
    'Resident memory of the process, including its threads, in bytes.',
    () => process.memoryUsage.rss(),
  ],
  process_start_time_seconds: [
    'Start time of the process, in seconds since the Unix epoch.',
    () => getStartTimeMs() / 1000,
  ],
  process_open_fds: ['Open file descriptors.', countOpenDescriptors],
  process_max_fds: ['Maximum number of open file descriptors.', () => getDescriptorLimit() ?? -1],
  process_threads: ['Threads of the process.', countThreads],
  nodejs_heap_size_used_bytes: ['Used heap of the main thread, in bytes.', () => getMemoryUse().heap.used],
  nodejs_heap_size_total_bytes: ['Allocated heap of the main thread, in bytes.', () => getMemoryUse().heap.committed],
  nodejs_external_memory_bytes: [
    'Memory of the main thread outside its heap, in bytes.',
    () => process.memoryUsage().external,
  ],
}

const processCounters: Gauges<undefined> = {
  process_cpu_seconds_total: ['CPU time of all threads, in seconds.', getCpuSeconds],
}

function getCpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

/** Dependencies of the process metrics. */
export interface ServerMetricSources {
  readonly version: string
  readonly loop: LoopWatch
  readonly process: ProcessFigures
}

/** Registers metrics of the process and its event loop. */
export function addServerMetrics(registry: Registry, sources: ServerMetricSources): void {
  addVersionInfo(registry, sources)
  addProcessMetrics(registry, sources)
  addEventLoopMetrics(registry, sources)
}

/** Registers metrics of the compile threads. */
export function addPoolMetrics(registry: Registry, pool: Pick<CompilePool, 'status'>): void {
  const refused: Gauges<PoolStatus> = {
    plumb_compile_refused_total: ['Jobs rejected because the queue was full.', ({ refused }) => refused],
  }
  addGauges(registry, poolGauges, () => pool.status())
  addCounters(registry, refused, () => pool.status())
}

/** Registers metrics of the store's queue and read replicas. */
export function addStoreMetrics(registry: Registry, upkeep: Pick<StoreUpkeep, 'figures'>): void {
  addReplicaMetrics(registry, upkeep)
  addGauges(registry, storeGauges, () => upkeep.figures())
  addCounters(registry, storeCounters, () => upkeep.figures())
}

function addReplicaMetrics(registry: Registry, upkeep: Pick<StoreUpkeep, 'figures'>): void {
  new Gauge({
    name: 'plumb_store_replica_usable',
    help: '1 if the read replica answers queries, otherwise 0.',
    ...{ labelNames: ['replica'], registers: [registry] },
    collect() {
      this.reset()
      for (const state of upkeep.figures().replicas) this.set({ replica: state.name }, isUsable(state) ? 1 : 0)
    },
  })
  new Gauge({
    name: 'plumb_store_replica_lag_seconds',
    help: 'Time that the read replica is behind the primary, in seconds; absent if unknown.',
    ...{ labelNames: ['replica'], registers: [registry] },
    collect() {
      this.reset()
      for (const { name, lagMs } of upkeep.figures().replicas)
        if (lagMs !== undefined) this.set({ replica: name }, lagMs / 1000)
    },
  })
}

function addEventLoopMetrics(registry: Registry, { loop }: ServerMetricSources): void {
  new Gauge({
    name: 'plumb_event_loop_delay_seconds',
    help: 'Event loop lag in the last full minute, in seconds.',
    labelNames: ['quantile'],
    registers: [registry],
    collect() {
      const { p50, p99, max } = loop.delay()
      for (const [quantile, ms] of [
        ['0.5', p50],
        ['0.99', p99],
        ['1', max],
      ] as const)
        this.set({ quantile }, ms / 1000)
    },
  })
}

function addVersionInfo(registry: Registry, { version }: ServerMetricSources): void {
  new Gauge({
    ...{ name: 'plumb_info', help: 'Versions of Plumbline and Node.js.', labelNames: ['version', 'node'] },
    registers: [registry],
  }).set({ version, node: process.version }, 1)
}

function addProcessMetrics(registry: Registry, { process: { collections } }: ServerMetricSources): void {
  addGauges(registry, processGauges, () => undefined)
  addCounters(registry, processCounters, () => undefined)
  new Counter({
    name: 'plumb_gc_seconds_total',
    help: 'Time spent in garbage collection on the main thread, in seconds.',
    ...{ labelNames: ['kind'], registers: [registry] },
    collect() {
      this.reset()
      for (const [kind, { time }] of Object.entries(collections)) this.inc({ kind }, time / 1000)
    },
  })
}

function addGauges<State>(registry: Registry, gauges: Gauges<State>, read: () => State): void {
  for (const [name, [help, value]] of Object.entries(gauges))
    new Gauge({
      ...{ name, help, registers: [registry] },
      async collect() {
        this.set(await value(read()))
      },
    })
}

function addCounters<State>(registry: Registry, counters: Gauges<State>, read: () => State): void {
  for (const [name, [help, value]] of Object.entries(counters))
    new Counter({
      ...{ name, help, registers: [registry] },
      async collect() {
        const now = await value(read())
        this.reset()
        this.inc(now)
      },
    })
}

/** Registers metrics of the environments and their commits. */
export function addEnvironmentMetrics(registry: Registry, environments: Pick<Environments, 'status'>): void {
  new Gauge({
    name: 'plumb_environment_info',
    help: 'Served environments with their commits.',
    ...{ labelNames: ['environment', 'code_id'], registers: [registry] },
    async collect() {
      this.reset()
      const served = (await environments.status()).slice(0, budgets.environment.served.bound)
      for (const { name, commit } of served) this.set({ environment: name, code_id: commit ?? '' }, 1)
    },
  })
  new Gauge({
    name: 'plumb_environments',
    help: 'Number of served environments, and of environments whose newest code was rejected.',
    ...{ labelNames: ['state'], registers: [registry] },
    async collect() {
      const all = await environments.status()
      this.set(
        { state: 'served' },
        all.filter(({ commit, since }) => commit !== undefined || since !== undefined).length,
      )
      this.set({ state: 'refused' }, all.filter(({ refused }) => refused).length)
    },
  })
}

/** Registers the days until the certificates and revocation lists in use expire. */
export function addExpiryMetrics(
  registry: Registry,
  { endings, now }: { endings(): readonly CertificateExpiry[]; now(): number },
): void {
  new Gauge({
    name: 'plumb_days_left',
    help: 'Days until a certificate or revocation list expires; negative after it has expired.',
    ...{ labelNames: ['of', 'name'], registers: [registry] },
    collect() {
      this.reset()
      for (const { of, name, notAfter } of endings()) this.set({ of, name }, (notAfter.getTime() - now()) / dayMs)
    },
  })
}
