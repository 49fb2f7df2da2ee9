/**
 * Returns the smallest set of names that must move to turn the order of one list into that of the other. Ignores names
 * that only one list contains.
 */
export function findMovedNames(from: readonly string[], to: readonly string[]): readonly string[] {
  const places = new Map(from.map((name, index) => [name, index]))
  const shared = to.filter((name) => places.has(name))
  const staying = new Set(findLongestIncrease(shared.map((name) => places.get(name)!)))
  return staying.size === shared.length ? [] : shared.filter((name) => !staying.has(places.get(name)!))
}

/** Returns a longest increasing subsequence of distinct numbers, by patience sorting. */
function findLongestIncrease(numbers: readonly number[]): readonly number[] {
  /** At index N, the index of the smallest number that ends an increasing sequence of length N + 1. */
  const ends: number[] = []
  const before: number[] = []
  for (const [index, number] of numbers.entries()) {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (numbers[ends[middle]!]! < number) low = middle + 1
      else high = middle
    }
    before.push(low > 0 ? ends[low - 1]! : -1)
    ends[low] = index
  }
  const rise: number[] = []
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at]!) rise.push(numbers[at]!)
  return rise
}
