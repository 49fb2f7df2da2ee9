import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { constants, PerformanceObserver, performance } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'

/** Collections of garbage since the start. */
export interface Collections {
  count: number
  /** Milliseconds. */
  time: number
  /** Milliseconds of the last one. */
  last: number
}

/** The kinds of collections that V8 has: of what is young, and of all. */
export type CollectionKind = 'minor' | 'major'

/** Memory in Java's words: bytes at the start, in use, held, and at most; -1 for no bound. */
export interface MemoryUse {
  readonly init: number
  readonly used: number
  readonly committed: number
  readonly max: number
}

/** Figures of this process, of which some have to be watched all the time. */
export interface ProcessFigures {
  readonly collections: Readonly<Record<CollectionKind, Readonly<Collections>>>
  /** The share of all processors that the process took in the last seconds, in percent. */
  cpu(): number
  close(): void
}

/** Milliseconds over which the use of processors is measured. */
const sampleMs = 5000

/** Begins to watch. */
export function watchProcess(processors: number): ProcessFigures {
  const none = (): Collections => ({ count: 0, time: 0, last: 0 })
  const collections: Record<CollectionKind, Collections> = { minor: none(), major: none() }
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

/** V8's heap of the main thread; what is held beside it, by compiling threads above all; and both together. */
export function memoryUse(): Readonly<Record<'heap' | 'nonHeap' | 'total', MemoryUse>> {
  const { rss, heapUsed, heapTotal, external } = process.memoryUsage()
  const beside = Math.max(0, rss - heapTotal)
  return {
    heap: { init: 0, used: heapUsed, committed: heapTotal, max: getHeapStatistics().heap_size_limit },
    nonHeap: { init: 0, used: Math.min(beside, external), committed: beside, max: -1 },
    total: { init: 0, used: heapUsed + Math.min(beside, external), committed: rss, max: -1 },
  }
}

/** Threads of the process; 0 where the system does not say. */
export function threadCount(): number {
  try {
    return Number(/^Threads:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}

/** Open files and sockets of the process; 0 where the system does not say. */
export async function openDescriptors(): Promise<number> {
  return (await readdir('/proc/self/fd').catch(() => [])).length
}

/** Milliseconds since 1970 at which the process started. */
export function startTime(): number {
  return Math.round(performance.timeOrigin)
}
