import { Heap } from '../../base/heap.ts'

/** The work of one agent run on a server, in milliseconds of processor time. */
export interface Run {
  /** Time of the first request, in milliseconds. */
  readonly at: number
  /** Work on the event loop: connection, requests, report. */
  readonly loopMs: number
  /** Work on other threads for which the agent does not wait: storing, compression, garbage collection. */
  readonly backgroundMs: number
  /** Compilation of the catalog; 0 if the catalog is recalled. */
  readonly compileMs: number
}

/** Processors of a server, and the number of catalogs that it compiles at the same time. */
export interface ServerSize {
  readonly cores: number
  readonly workers: number
}

/** The stages of a run, in the order of their priority on a processor. */
const stages = ['loopMs', 'compileMs', 'backgroundMs'] as const
type Stage = (typeof stages)[number]

interface Task {
  readonly run: Run
  readonly number: number
  readonly stage: Stage
}

/** A queue whose first element is removed in constant time. */
class Queue<Element> {
  #elements: Element[] = []
  #start = 0

  get isEmpty(): boolean {
    return this.#start === this.#elements.length
  }

  push(element: Element): void {
    this.#elements.push(element)
  }

  shift(): Element {
    const element = this.#elements[this.#start++]!
    if (this.#start > 1024 && this.#start * 2 > this.#elements.length) {
      this.#elements = this.#elements.slice(this.#start)
      this.#start = 0
    }
    return element
  }
}

/**
 * Simulates one server by discrete events, and returns the wait of each run in milliseconds: from the first request until
 * the work on the event loop and the compilation are done. `runs` are in the order of time. A stage starts when a
 * processor is idle and the stage is below its limit: the event loop does one piece of work at a time, and `workers`
 * limits the compilations. A started stage is not interrupted.
 */
export function simulateServer(runs: readonly Run[], { cores, workers }: ServerSize): Float64Array {
  const limits: Readonly<Record<Stage, number>> = { loopMs: 1, compileMs: workers, backgroundMs: cores }
  const busy: Record<Stage, number> = { loopMs: 0, compileMs: 0, backgroundMs: 0 }
  const waiting = { loopMs: new Queue<Task>(), compileMs: new Queue<Task>(), backgroundMs: new Queue<Task>() }
  const ends = new Heap<{ readonly time: number; readonly task: Task }>((one, other) => one.time - other.time)
  const waits = new Float64Array(runs.length)

  const startTasks = (now: number) => {
    for (const stage of stages)
      while (ends.size < cores && busy[stage] < limits[stage] && !waiting[stage].isEmpty) {
        const task = waiting[stage].shift()
        busy[stage]++
        ends.push({ time: now + task.run[stage], task })
      }
  }
  const endTask = (time: number, { run, number, stage }: Task) => {
    busy[stage]--
    if (stage === 'loopMs' && run.compileMs > 0) waiting.compileMs.push({ run, number, stage: 'compileMs' })
    else if (stage !== 'backgroundMs') waits[number] = time - run.at
  }

  let next = ends.pop()
  for (let number = 0; number < runs.length || next; ) {
    const run = runs[number]
    if (run && (!next || run.at <= next.time)) {
      if (next) ends.push(next)
      waiting.loopMs.push({ run, number, stage: 'loopMs' })
      if (run.backgroundMs > 0) waiting.backgroundMs.push({ run, number, stage: 'backgroundMs' })
      number++
      startTasks(run.at)
    } else if (next) {
      endTask(next.time, next.task)
      startTasks(next.time)
    }
    next = ends.pop()
  }
  return waits
}

/** The median and the 99th percentile of waits. */
export interface WaitSummary {
  readonly medianMs: number
  readonly p99Ms: number
}

/** Summarizes waits; zero without any. */
export function summarizeWaits(waits: Float64Array): WaitSummary {
  const sorted = waits.toSorted()
  const rank = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { medianMs: rank(0.5), p99Ms: rank(0.99) }
}
