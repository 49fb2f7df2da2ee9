import { setImmediate } from 'node:timers/promises'

/** Milliseconds of work after which others have their turn. */
const turn = 5

/** What `map` gives; between the items others have their turn, so that thousands of them hold up nobody. */
export async function mapInTurns<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = []
  await inTurns(
    (function* () {
      for (const item of items) {
        results.push(work(item))
        yield
      }
    })(),
  )
  return results
}

/** What work comes to that says, by each `yield`, where others may have their turn. */
export async function inTurns<Result>(work: Generator<void, Result>): Promise<Result> {
  let started = performance.now()
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
    if (performance.now() - started < turn) continue
    await setImmediate()
    started = performance.now()
  }
}

/** What the same work comes to where nobody waits for a turn. */
export function atOnce<Result>(work: Generator<void, Result>): Result {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}
