/** Milliseconds of work, of all who work in turns together, after which the event loop has its turn: in each of its rounds it takes in one connection. */
const turn = 2

/** Whose next turn it is, in order. All work shares one turn of the event loop: many at once hold up others no longer than one. */
const waiting: (() => void)[] = []
let isUnderWay = false
let turnEnds = 0

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
  if (isUnderWay) await nextTurn()
  else beginTurn()
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
    if (performance.now() >= turnEnds) await nextTurn()
  }
}

/** What the same work comes to where nobody waits for a turn. */
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
