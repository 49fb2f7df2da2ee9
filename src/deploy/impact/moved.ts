/**
 * Names that two lists share and that stand in another place among those: as few as explain the new order. What is only in
 * one of them does not count.
 */
export function movedIn(from: readonly string[], to: readonly string[]): readonly string[] {
  const places = new Map(from.map((name, index) => [name, index]))
  const shared = to.filter((name) => places.has(name))
  const staying = new Set(longestRise(shared.map((name) => places.get(name)!)))
  return staying.size === shared.length ? [] : shared.filter((name) => !staying.has(places.get(name)!))
}

/** A longest rising selection of different numbers, by patience sorting. */
function longestRise(numbers: readonly number[]): readonly number[] {
  /** The index of the smallest last number of a rise, by the rise's length less one. */
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
