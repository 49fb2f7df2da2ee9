import { growingLru } from '../../base/growing-lru.ts'

/** A waiting job's environment and node. */
export interface Waiting {
  readonly environment: string
  readonly node: string
}

/** Environments whose use of time is remembered while nothing of theirs waits. */
const mostIdle = 10_000

/**
 * Jobs that wait for threads, by fair queueing: the next one is of the environment that has used the least time, and in it
 * each node has its turn. So whoever asks much, or for what takes long, waits for himself.
 */
export class FairQueue<Item extends Waiting> {
  /** Nodes stand in the order of their turns. */
  readonly #waiting = new Map<string, Map<string, Item[]>>()
  /** Milliseconds that environments have used. */
  readonly #used = growingLru<number>(mostIdle)
  /** Time used by whoever had a turn last: who comes anew begins there, with no credit for having been away. */
  #clock = 0
  #length = 0

  get length(): number {
    return this.#length
  }

  push(item: Item): void {
    const { environment, node } = item
    let nodes = this.#waiting.get(environment)
    if (!nodes) {
      nodes = new Map()
      this.#waiting.set(environment, nodes)
      this.#used.set(environment, Math.max(this.#usedBy(environment), this.#clock))
    }
    nodes.set(node, [...(nodes.get(node) ?? []), item])
    this.#length++
  }

  /** The next of those that `may` have a turn; it waits no more. */
  take(may: (item: Item) => boolean): Item | undefined {
    const byUse = [...this.#waiting].sort(([a], [b]) => this.#usedBy(a) - this.#usedBy(b))
    for (const [environment, nodes] of byUse)
      for (const [first] of nodes.values()) {
        if (!first || !may(first)) continue
        this.remove(first)
        this.#clock = Math.max(this.#clock, this.#usedBy(environment))
        return first
      }
    return undefined
  }

  /** Takes an item out of the queue; true for an item that was waiting. */
  remove(item: Item): boolean {
    const nodes = this.#waiting.get(item.environment)
    const items = nodes?.get(item.node)
    if (!nodes || !items?.includes(item)) return false
    const left = items.filter((each) => each !== item)
    nodes.delete(item.node)
    if (left.length > 0) nodes.set(item.node, left) // behind all others
    if (nodes.size === 0) this.#waiting.delete(item.environment)
    this.#length--
    return true
  }

  /** Counts time that an environment used. */
  charge(environment: string, ms: number): void {
    this.#used.set(environment, this.#usedBy(environment) + ms)
  }

  /** Empties it. */
  takeAll(): readonly Item[] {
    const all = [...this.#waiting.values()].flatMap((nodes) => [...nodes.values()].flat())
    this.#waiting.clear()
    this.#length = 0
    return all
  }

  #usedBy(environment: string): number {
    return this.#used.get(environment) ?? 0
  }
}
