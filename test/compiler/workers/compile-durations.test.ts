import { describe, expect, it } from 'vitest'
import { CompileDurations } from '../../../src/compiler/workers/compile-durations.ts'
import type { CompileJob } from '../../../src/compiler/workers/compile-job.ts'

const jobOf = (environment: string, node = 'a', codeId = '1') =>
  ({ environment: { name: environment }, node: { name: node }, codeId }) as unknown as CompileJob

describe('how long a catalog may take before it takes long', () => {
  const after = (times: readonly number[], most = 3000) => {
    const past = new CompileDurations()
    for (const ms of times) past.took(jobOf('production'), ms)
    return past.patience(jobOf('production'), most)
  }

  it.each([
    ['a second where nothing is known', [], 1000],
    ['a second where it is quick', [20, 30, 40], 1000],
    ['three times what is usual', [500, 500, 500], 1500],
    ['never more than the setting says', [2000, 2000], 3000],
  ])('%s', (_, times, expected) => {
    expect(after(times)).toBe(expected)
  })

  it('hardly hears of one that is unlike the others, and follows what becomes usual', () => {
    expect(after([100, 100, 100, 3000])).toBeLessThan(1500)
    expect(after([100, ...Array.from({ length: 40 }, () => 800)])).toBeGreaterThan(2300)
  })

  it('is another thing in another environment, and shorter where the setting is', () => {
    const past = new CompileDurations()
    past.took(jobOf('production'), 900)
    expect(past.patience(jobOf('testing'), 3000)).toBe(1000)
    expect(past.patience(jobOf('production'), 200)).toBe(200)
  })
})
