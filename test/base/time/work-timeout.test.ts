import { describe, expect, it } from 'vitest'
import { runWithTimeout, TimeoutError } from '../../../src/base/time/work-timeout.ts'

describe('work within time', () => {
  it('answers what it gives, the very object', () => {
    const given = { of: [1] }
    expect(runWithTimeout(1000, () => given)).toBe(given)
  })

  it('throws what it throws, the very error', () => {
    const error = new RangeError('its own')
    expect(() =>
      runWithTimeout(1000, () => {
        throw error
      }),
    ).toThrow(error)
  })

  it('is ended where it has no end, and whatever it would catch', () => {
    const endless = (): never => {
      for (;;) {
        try {
          for (let sum = 0; ; sum++) if (sum < 0) return sum as never
        } catch {}
      }
    }
    expect(() => runWithTimeout(50, endless)).toThrow(TimeoutError)
    expect(() => runWithTimeout(50, endless)).toThrow('took longer than 0.05 seconds')
  })
})
