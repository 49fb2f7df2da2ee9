/** Test result at an index: same state as at index 0 (`before`), changed (`after`), or not testable (`unknown`). */
export type BisectionSide = 'before' | 'after' | 'unknown'

/** Indexes on both sides of a change. */
export interface BisectionResult {
  /** Last index known to have the state of index 0. */
  readonly before: number
  /** First index known to differ. Equals `before` + 1, unless the indexes in between are not testable. */
  readonly after: number
}

/** Maximum number of consecutive untestable indexes to try. */
const maxUnknown = 100

/**
 * Finds a change between index 0, whose state is `before`, and index `last`, whose state is `after`. Runs about
 * log2(`last`) tests, more if indexes are untestable. If there are several changes, finds any of them.
 */
export async function bisect(
  last: number,
  sideOf: (place: number, left: number) => Promise<BisectionSide>,
): Promise<BisectionResult> {
  let [before, after] = [0, last]
  const unknown = new Set<number>()
  while (after - before > 1) {
    let answer: BisectionSide = 'unknown'
    let tried = 0
    for (const place of iterateFromMiddle(before, after)) {
      if (unknown.has(place)) continue
      if (tried++ === maxUnknown) break
      answer = await sideOf(place, after - before - 1)
      if (answer === 'before') before = place
      else if (answer === 'after') after = place
      else unknown.add(place)
      if (answer !== 'unknown') break
    }
    if (answer === 'unknown') break
  }
  return { before, after }
}

/**
 * Yields the indexes between two ends: the middle, then the middles of the halves, and so on. This order leaves a run
 * of untestable indexes quickly.
 */
function* iterateFromMiddle(before: number, after: number): Generator<number, void> {
  const length = after - before
  const seen = new Set<number>()
  for (let parts = 2; seen.size < length - 1; parts *= 2)
    for (let part = 1; part < parts; part += 2) {
      const place = before + Math.floor((length * part) / parts)
      if (place === before || seen.has(place)) continue
      seen.add(place)
      yield place
    }
}
