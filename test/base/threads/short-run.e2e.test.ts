// Own process: it changes V8's flags.
import { cachedDataVersionTag } from 'node:v8'
import { afterEach, describe, expect, it } from 'vitest'
import { beginShortRun, endShortRun, pauseShortRun } from '../../../src/base/threads/short-run.ts'

afterEach(endShortRun)

describe('a short run', () => {
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
