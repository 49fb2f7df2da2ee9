/**
 * Time slice in milliseconds that all cooperative work shares before the event loop runs. The event loop accepts one
 * connection per round.
 */
const turn = 2

/**
 * Waiting work, in order. All work shares one time slice, so that many tasks delay others no longer
 * than one.
 */
const waiting: (() => void)[] = []
let isUnderWay = false
let turnEnds = 0

/**
 * Like `map`, but yields to the event loop between items, so that thousands of items do not block
 * it.
 */
export async function mapCooperatively<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = []
  await runCooperatively(
    (function* () {
      for (const item of items) {
        results.push(work(item))
        yield
      }
    })(),
  )
  return results
}

/** Runs a generator and yields to the event loop at its `yield`s when the time slice is over. */
export async function runCooperatively<Result>(work: Generator<void, Result>): Promise<Result> {
  if (isUnderWay) await waitForTurn()
  else startTurns()
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
    if (performance.now() >= turnEnds) await waitForTurn()
  }
}

/** Runs the generator to its end without yielding to the event loop. */
export function runToEnd<Result>(work: Generator<void, Result>): Result {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}

function waitForTurn(): Promise<void> {
  return new Promise((begin) => waiting.push(begin))
}

/** Gives one time slice to waiting work in each round of the event loop, until no work waits. */
function startTurns(): void {
  isUnderWay = true
  turnEnds = performance.now() + turn
  setImmediate(() => {
    const next = waiting.shift()
    if (!next) {
      isUnderWay = false
      return
    }
    startTurns()
    next()
  })
}
