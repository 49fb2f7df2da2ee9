/** Milliseconds of work, of all who work in turns together, after which the event loop has its turn: in each of its rounds it takes in one connection. */
const turn = 2

/** Whose next turn it is, in order. All work shares one turn of the event loop: many at once hold up others no longer than one. */
const waiting: (() => void)[] = []
let isUnderWay = false
let turnEnds = 0

/** The results of `map`. The event loop has a turn between the items, so that thousands of them hold up nobody. */
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

/** The result of work whose every `yield` gives the event loop a turn. */
export async function inTurns<Result>(work: Generator<void, Result>): Promise<Result> {
  if (isUnderWay) await nextTurn()
  else beginTurn()
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
    if (performance.now() >= turnEnds) await nextTurn()
  }
}

/** The result of the same work without turns of the event loop. */
export function atOnce<Result>(work: Generator<void, Result>): Result {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}

function nextTurn(): Promise<void> {
  return new Promise((begin) => waiting.push(begin))
}

/** Until nobody waits, the event loop gives out a turn each time it goes round. */
function beginTurn(): void {
  isUnderWay = true
  turnEnds = performance.now() + turn
  setImmediate(() => {
    const next = waiting.shift()
    if (!next) {
      isUnderWay = false
      return
    }
    beginTurn()
    next()
  })
}
