import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { constants, PerformanceObserver, performance } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'

/** Garbage collections since the start. */
export interface Collections {
  count: number
  /** Total time in milliseconds. */
  time: number
  /** Duration of the last collection, in milliseconds. */
  last: number
}

/** Kinds of garbage collection: of the young generation, and full. */
export type CollectionKind = 'minor' | 'major'

/**
 * Memory use as in Java's MBeans, in bytes: initial, used, committed, and maximum; -1 means no
 * limit.
 */
export interface MemoryUse {
  readonly init: number
  readonly used: number
  readonly committed: number
  readonly max: number
}

/** Metrics of this process; garbage collections and CPU use are sampled continuously. */
export interface ProcessFigures {
  readonly collections: Readonly<Record<CollectionKind, Readonly<Collections>>>
  /** CPU use in the last seconds, in percent of all processors. */
  cpu(): number
  close(): void
}

/** Sampling interval of the CPU use, in milliseconds. */
const sampleMs = 5000

/** Starts to sample the process metrics. */
export function watchProcess(processors: number): ProcessFigures {
  const createCollections = (): Collections => ({ count: 0, time: 0, last: 0 })
  const collections: Record<CollectionKind, Collections> = { minor: createCollections(), major: createCollections() }
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { duration } = entry
      const { kind } = (entry as unknown as { readonly detail: { readonly kind: number } }).detail
      const isMinor = (kind & constants.NODE_PERFORMANCE_GC_MINOR) !== 0
      const collected = collections[isMinor ? 'minor' : 'major']
      collected.count++
      collected.time += duration
      collected.last = duration
    }
  })
  observer.observe({ entryTypes: ['gc'] })
  let used = 0
  let before = { at: performance.now(), cpu: process.cpuUsage() }
  const timer = setInterval(() => {
    const now = { at: performance.now(), cpu: process.cpuUsage() }
    const micros = now.cpu.user + now.cpu.system - before.cpu.user - before.cpu.system
    used = micros / 10 / (now.at - before.at) / processors
    before = now
  }, sampleMs).unref()
  return {
    collections,
    cpu: () => used,
    close() {
      clearInterval(timer)
      observer.disconnect()
    },
  }
}

/** V8 heap of the main thread, memory outside it (mainly compile threads), and the total. */
export function getMemoryUse(): Readonly<Record<'heap' | 'nonHeap' | 'total', MemoryUse>> {
  const { rss, heapUsed, heapTotal, external } = process.memoryUsage()
  const beside = Math.max(0, rss - heapTotal)
  return {
    heap: { init: 0, used: heapUsed, committed: heapTotal, max: getHeapStatistics().heap_size_limit },
    nonHeap: { init: 0, used: Math.min(beside, external), committed: beside, max: -1 },
    total: { init: 0, used: heapUsed + Math.min(beside, external), committed: rss, max: -1 },
  }
}

/** Number of threads of the process; 0 if the system does not report it. */
export function countThreads(): number {
  try {
    return Number(/^Threads:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}

/** Number of open files and sockets of the process; 0 if the system does not report it. */
export async function countOpenDescriptors(): Promise<number> {
  return (await readdir('/proc/self/fd').catch(() => [])).length
}

/** Start time of the process, in milliseconds since 1970. */
export function getStartTimeMs(): number {
  return Math.round(performance.timeOrigin)
}
