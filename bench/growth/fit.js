// Growth exponents: the slope of the logarithm of a cost over the logarithm of a size.

/**
 * Fits `cost = factor × size^exponent`. `overall` is the least-squares slope of all points, `last` the slope between the two
 * largest sizes, where a fixed part of the cost matters least. Both are `undefined` with fewer than two sizes.
 * @param {readonly { readonly size: number, readonly value: number }[]} points
 */
export function fitGrowth(points) {
  const logs = points
    .filter(({ size, value }) => size > 0 && value > 0)
    .toSorted((one, other) => one.size - other.size)
    .map(({ size, value }) => ({ x: Math.log(size), y: Math.log(value) }))
  if (logs.length < 2) return { overall: undefined, last: undefined }
  const mean = (/** @type {number[]} */ values) => values.reduce((sum, each) => sum + each, 0) / values.length
  const [x, y] = [mean(logs.map((each) => each.x)), mean(logs.map((each) => each.y))]
  const covariance = logs.reduce((sum, each) => sum + (each.x - x) * (each.y - y), 0)
  const variance = logs.reduce((sum, each) => sum + (each.x - x) ** 2, 0)
  const [before, end] = logs.slice(-2)
  return { overall: covariance / variance, last: (end.y - before.y) / (end.x - before.x) }
}

/** Number of the largest sizes by which a promise is judged: the slope between two alone depends on noise. */
const judgedSizes = 3

/**
 * The error of a measurement that misses its bound, or `undefined`. A cost that is smaller than `noise` at every size is not
 * judged: its exponent is that of the noise.
 * @param {{ readonly name: string, readonly atMost: number | undefined, readonly noise: number,
 *   readonly points: readonly { readonly size: number, readonly value: number }[] }} measurement
 */
export function findExcess({ name, atMost, noise, points }) {
  const { overall } = fitGrowth(points.toSorted((one, other) => one.size - other.size).slice(-judgedSizes))
  if (atMost === undefined || overall === undefined || points.every(({ value }) => value < noise)) return undefined
  return overall > atMost
    ? `${name} grows with exponent ${overall.toFixed(2)}; at most ${atMost} is allowed`
    : undefined
}

/** The middle of some numbers. @param {readonly number[]} values */
export function median(values) {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)]
}
