// Own process: it changes V8's flags, and counts garbage collections.
import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks'
import { cachedDataVersionTag } from 'node:v8'
import { afterEach, describe, expect, it } from 'vitest'
import { beginShortRun, endShortRun, pauseShortRun } from '../../../src/base/threads/short-run.ts'

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

  it("has V8's defaults while any pause lasts, also one that began earlier", () => {
    const usual = cachedDataVersionTag()
    const isUsual = () => cachedDataVersionTag() === usual
    const first = pauseShortRun()
    beginShortRun()
    const second = pauseShortRun()
    expect(isUsual()).toBe(true)
    first()
    first()
    expect(isUsual()).toBe(true)
    second()
    expect(isUsual()).toBe(false)
    pauseShortRun()()
    expect(isUsual()).toBe(false)
    endShortRun()
    expect(isUsual()).toBe(true)
  })
})

/** Incremental markings that V8 completes during the work. */
async function countMarkings(work: () => Promise<void>): Promise<number> {
  let count = 0
  const add = (entries: readonly NodeEntry[]) => {
    for (const { detail } of entries) if (detail?.kind === constants.NODE_PERFORMANCE_GC_INCREMENTAL) count++
  }
  const observer = new PerformanceObserver((list) => add(list.getEntries() as NodeEntry[]))
  observer.observe({ entryTypes: ['gc'] })
  await work()
  // Node queues entries in the next turn of the event loop.
  for (let turn = 0; turn < 2; turn++) await new Promise((done) => setImmediate(done))
  add(observer.takeRecords() as NodeEntry[])
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
