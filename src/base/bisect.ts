/** Result of a test at a place: as at the first end, not so, or not testable. */
export type Side = 'before' | 'after' | 'unknown'

/** The place of a change between two ends. */
export interface Bisected {
  /** Last place known to be as the first end. */
  readonly before: number
  /**
   * First place known to differ. It is `before` + 1, unless the places between are not testable.
   */
  readonly after: number
}

/** Maximum number of consecutive untestable places to try. */
const maxUnknown = 100

/**
 * Bisects places 0 to `last`, of which the first is `before` and the last `after`. Takes log2 of
 * the number of places in tests, more if places are untestable. If there are several changes, finds
 * one.
 */
export async function bisect(last: number, sideOf: (place: number, left: number) => Promise<Side>): Promise<Bisected> {
  let [before, after] = [0, last]
  const unknown = new Set<number>()
  while (after - before > 1) {
    let answer: Side = 'unknown'
    let tried = 0
    for (const place of spread(before, after)) {
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
 * The places between two ends: the middle, then the middles of the halves, and so on, so that a run
 * of untestable places is left quickly.
 */
function* spread(before: number, after: number): Generator<number, void> {
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
