import { setImmediate } from 'node:timers/promises'

/** Milliseconds of work after which others have their turn. */
const turn = 5

/** What `map` gives; between the items others have their turn, so that thousands of them hold up nobody. */
export async function mapInTurns<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = []
  let started = performance.now()
  for (const item of items) {
    results.push(work(item))
    if (performance.now() - started < turn) continue
    await setImmediate()
    started = performance.now()
  }
  return results
}
