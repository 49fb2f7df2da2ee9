/** An answer about a place between two ends: it is as the first end is, it is not, or nobody can tell. */
export type Side = 'before' | 'after' | 'unknown'

/** A change between two ends. */
export interface Bisected {
  /** The last place that is known to be as the first end. */
  readonly before: number
  /** The first place known not to be so: the one after `before`, unless nobody can tell of those between. */
  readonly after: number
}

/** Places without an answer, one after the other, after which no more of them are tried. */
const maxUnknown = 100

/**
 * Finds where places 0 to `last` change, of which the first is `before` and the last `after`, with as many questions as the number of
 * places has binary digits; more where there are places that nobody can tell of. Of several changes it finds one.
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

/** All places between two: the middle, then the middles of the halves, and so on, so that a run of bad ones is soon left. */
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
