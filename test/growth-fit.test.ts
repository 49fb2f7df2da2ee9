import { describe, expect, it } from 'vitest'
import { findExcess, fitGrowth, median } from '../bench/growth/fit.js'

const sizes = [10, 100, 1000, 10_000]
const pointsOf = (cost: (size: number) => number) => sizes.map((size) => ({ size, value: cost(size) }))

describe('the exponent of growth', () => {
  it.each([
    ['constant', () => 5, 0],
    ['linear', (size: number) => 3 * size, 1],
    ['quadratic', (size: number) => 0.1 * size ** 2, 2],
    ['a square root', (size: number) => Math.sqrt(size), 0.5],
  ])('of %s costs', (_, cost, expected) => {
    const { overall, last } = fitGrowth(pointsOf(cost))
    expect(overall).toBeCloseTo(expected, 10)
    expect(last).toBeCloseTo(expected, 10)
  })

  it('is smaller over all sizes than in the last step if a part of the cost is fixed', () => {
    const { overall, last } = fitGrowth(pointsOf((size) => 1000 + size))
    expect(last).toBeGreaterThan(overall!)
  })

  it('does not depend on the order of the sizes, nor on empty measurements', () => {
    const points = pointsOf((size) => size)
    expect(fitGrowth([...points.toReversed(), { size: 5, value: 0 }])).toEqual(fitGrowth(points))
  })

  it('is unknown with fewer than two sizes', () => {
    expect(fitGrowth([{ size: 1, value: 1 }])).toEqual({ overall: undefined, last: undefined })
  })
})

describe('a promise', () => {
  const about = { name: 'pushes', atMost: 1.1, noise: 10 }

  it('is broken by faster growth', () => {
    expect(findExcess({ ...about, points: pointsOf((size) => size ** 2) })).toBe(
      'pushes grows with exponent 2.00; at most 1.1 is allowed',
    )
  })

  it.each([
    ['linear growth', about, (size: number) => size],
    ['costs below the noise', about, (size: number) => size ** 2 / 1e8],
    ['a cost without a promise', { ...about, atMost: undefined }, (size: number) => size ** 2],
  ])('is kept by %s', (_, measurement, cost) => {
    expect(findExcess({ ...measurement, points: pointsOf(cost) })).toBeUndefined()
  })
})

describe('the median', () => {
  it('is the middle value', () => expect(median([5, 1, 9])).toBe(5))
})
