import { describe, expect, it } from 'vitest'
import { type BisectionSide, bisect } from '../../src/base/bisection.ts'

/** Where the change is found to be, and how many questions it takes. */
async function found(last: number, sideOf: (place: number) => BisectionSide) {
  const asked: number[] = []
  const { before, after } = await bisect(last, async (place) => {
    asked.push(place)
    return sideOf(place)
  })
  return { before, after, asked }
}

describe('bisect', () => {
  it.each([1, 2, 3, 10, 100, 1000])(
    'finds each change between 0 and %i, within as many questions as it has digits',
    async (last) => {
      for (let first = 1; first <= last; first += Math.max(1, Math.floor(last / 50))) {
        const { before, after, asked } = await found(last, (place) => (place >= first ? 'after' : 'before'))
        expect([before, after]).toEqual([first - 1, first])
        expect(asked.length).toBeLessThanOrEqual(Math.ceil(Math.log2(last)))
        expect(asked.every((place) => place > 0 && place < last)).toBe(true)
      }
    },
  )

  it('leaves a run of places without an answer', async () => {
    const { before, after, asked } = await found(1000, (place) => {
      if (place > 400 && place < 600) return 'unknown'
      return place >= 700 ? 'after' : 'before'
    })
    expect([before, after]).toEqual([699, 700])
    expect(asked.length).toBeLessThan(20)
  })

  it('says between which places the change is, where nobody can tell exactly', async () => {
    const { before, after, asked } = await found(20, (place) => {
      if (place > 8 && place < 12) return 'unknown'
      return place >= 10 ? 'after' : 'before'
    })
    expect([before, after]).toEqual([8, 12])
    expect(new Set(asked).size).toBe(asked.length)
  })

  it('asks of no place twice, and gives up after a hundred without an answer', async () => {
    const { before, after, asked } = await found(5000, () => 'unknown')
    expect([before, after]).toEqual([0, 5000])
    expect(asked).toHaveLength(100)
    expect(new Set(asked).size).toBe(100)
    expect((await found(50, () => 'unknown')).asked.toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 49 }, (_, at) => at + 1),
    )
  })
})
