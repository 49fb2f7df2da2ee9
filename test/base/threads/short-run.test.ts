import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks'
import { afterEach, describe, expect, it } from 'vitest'
import { beginShortRun, endShortRun } from '../../../src/base/threads/short-run.ts'

/** An entry of Node's own, such as a garbage collection. */
type NodeEntry = PerformanceEntry & { readonly detail?: { readonly kind?: number } }

const mib = 1024 * 1024

afterEach(endShortRun)

describe('a short run', () => {
  it('does not mark objects in advance of a full collection, until it ends', async () => {
    beginShortRun()
    expect(await countMarkings(() => retainObjects(64))).toBe(0)
    endShortRun()
    expect(await countMarkings(() => retainObjects(384))).toBeGreaterThan(0)
  })
})

/** Incremental markings that V8 completes during the work. */
async function countMarkings(work: () => Promise<void>): Promise<number> {
  let count = 0
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as NodeEntry[])
      if (entry.detail?.kind === constants.NODE_PERFORMANCE_GC_INCREMENTAL) count++
  })
  observer.observe({ entryTypes: ['gc'] })
  await work()
  // The observer is notified in a later turn of the event loop.
  await new Promise((done) => setTimeout(done, 50))
  observer.disconnect()
  return count
}

/** Fills and keeps this much memory, in turns, since V8 marks between tasks. */
async function retainObjects(mebibytes: number): Promise<void> {
  const kept: number[][] = []
  for (let index = 0; index < mebibytes; index++) {
    kept.push(new Array<number>(mib / 8).fill(0.5))
    await new Promise((done) => setImmediate(done))
  }
  expect(kept).toHaveLength(mebibytes)
}
