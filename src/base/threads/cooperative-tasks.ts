/**
 * Time slice in milliseconds that all cooperative tasks share before the event loop runs. The event
 * loop accepts one connection per round.
 */
const turn = 2

/**
 * Tasks that wait for the next time slice, in order. All tasks share one time slice, so that the
 * event loop never waits longer than one slice, even with many tasks.
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

/**
 * Starts one time slice for the waiting tasks in each round of the event loop, until no task is
 * waiting.
 */
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
