import { createGrowingLru } from '../../base/lru-cache.ts'

/** A waiting job's environment and node. */
export interface QueueItem {
  readonly environment: string
  readonly node: string
}

/** Number of environments without waiting jobs whose used time is remembered. */
const mostIdle = 10_000

/**
 * Fair queue of jobs that wait for threads. The next job is from the environment that has used the least time; within
 * an environment, the nodes take turns. Therefore an environment with many or slow jobs mainly delays its own jobs.
 */
export class FairQueue<Item extends QueueItem> {
  /** Waiting items by environment and node; the order of the nodes is the order of their turns. */
  readonly #waiting = new Map<string, Map<string, Item[]>>()
  /** Milliseconds used by each environment. */
  readonly #used = createGrowingLru<number>(mostIdle)
  /**
   * Used time of the environment whose job was taken last. An environment without waiting jobs gets at least this
   * value when its next job arrives, so that it gains no advantage from idle time.
   */
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

  /** True if an item of a node waits in an environment. */
  has({ environment, node }: QueueItem): boolean {
    return this.#waiting.get(environment)?.has(node) ?? false
  }

  /** Removes and returns the next item that satisfies `may`. */
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

  /** Removes an item from the queue; returns true if the item was in the queue. */
  remove(item: Item): boolean {
    const nodes = this.#waiting.get(item.environment)
    const items = nodes?.get(item.node)
    if (!nodes || !items?.includes(item)) return false
    const left = items.filter((each) => each !== item)
    nodes.delete(item.node)
    if (left.length > 0) nodes.set(item.node, left) // moves the node to the end
    if (nodes.size === 0) this.#waiting.delete(item.environment)
    this.#length--
    return true
  }

  /** Adds a duration to the time used by an environment. */
  charge(environment: string, ms: number): void {
    this.#used.set(environment, this.#usedBy(environment) + ms)
  }

  /** Removes and returns all items. */
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
