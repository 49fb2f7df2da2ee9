import { LRUCache } from 'lru-cache'
import type { TraceEffect, TraceQuestion } from './trace-question.ts'
import type { TraceStep } from './trace-step.ts'

/** The result and the side effects of an evaluation. */
export interface TraceOutcome<Result> {
  readonly result: Result
  readonly effects: readonly TraceEffect[]
}

/** A node in the tree of a key's traces: a query with a branch for each reply, or the outcome at the end. */
type Node<Result> = Branch<Result> | { readonly outcome: TraceOutcome<Result> }

interface Branch<Result> {
  readonly question: TraceQuestion
  readonly next: Map<string, Node<Result>>
}

interface Tree<Result> {
  readonly root: Node<Result>
  /** Approximate size in bytes. */
  size: number
  ends: number
}

/** Maximum number of outcomes for one key. With more outcomes, the key's queries are unlikely to repeat. */
const mostEnds = 2000
/** Approximate size in bytes of a map entry with its texts. */
const entrySize = 200

/**
 * Traces by key. The key and the replies determine the next query of an evaluation, so the traces of a key form a
 * tree with a query at each fork.
 */
export class TraceMemory<Result> {
  readonly #trees: LRUCache<string, Tree<Result>>
  /** Number of recalled outcomes, for tests and tools. */
  recalls = 0

  /** `bound` is in bytes; the least recently recalled traces are evicted first. */
  constructor(bound: number) {
    this.#trees = new LRUCache({ maxSize: bound, sizeCalculation: ({ size }) => size })
  }

  /** Approximate size of all traces in bytes. */
  get size(): number {
    return this.#trees.calculatedSize
  }

  /**
   * Returns the outcome if all replies are unchanged. `answer` returns `undefined` if the reply is
   * unknown.
   */
  recall(key: string, answer: (question: TraceQuestion) => string | undefined): TraceOutcome<Result> | undefined {
    let node: Node<Result> | undefined = this.#trees.get(key)?.root
    while (node) {
      if ('outcome' in node) {
        this.recalls++
        return node.outcome
      }
      const given = answer(node.question)
      if (given === undefined) return undefined
      node = node.next.get(given)
    }
    return undefined
  }

  /** Stores a trace; `size` is the size of the outcome in bytes. */
  remember(key: string, steps: readonly TraceStep[], outcome: TraceOutcome<Result>, size: number): void {
    const known = this.#trees.get(key)
    const added = size + entrySize + steps.reduce((sum, step) => sum + estimateStepSize(step), 0)
    if (known && known.ends < mostEnds && addTrace(known.root, steps, outcome)) {
      known.ends++
      known.size += added
      // The entry is set again, so that the cache updates its size.
      this.#trees.delete(key)
      this.#trees.set(key, known)
    } else this.#trees.set(key, { root: buildBranch(steps, 0, outcome), size: added + key.length * 2, ends: 1 })
  }

  forget(key: string): void {
    this.#trees.delete(key)
  }
}

function estimateStepSize({ question, answer }: TraceStep): number {
  return entrySize + answer.length + JSON.stringify(question.args).length
}

/** Converts steps, from an index on, to a tree without forks. */
function buildBranch<Result>(steps: readonly TraceStep[], from: number, outcome: TraceOutcome<Result>): Node<Result> {
  let node: Node<Result> = { outcome }
  for (let at = steps.length - 1; at >= from; at--) {
    const { question, answer } = steps[at]!
    node = { question, next: new Map([[answer, node]]) }
  }
  return node
}

/**
 * Adds a trace to a tree. Returns false if the tree is outdated, because it contains another query at the same point.
 */
function addTrace<Result>(root: Node<Result>, steps: readonly TraceStep[], outcome: TraceOutcome<Result>): boolean {
  let node = root
  for (let at = 0; at < steps.length; at++) {
    const { question, answer } = steps[at]!
    if ('outcome' in node || !isSameQuestion(node.question, question)) return false
    const next = node.next.get(answer)
    if (!next || (at === steps.length - 1 && 'outcome' in next)) {
      node.next.set(answer, buildBranch(steps, at + 1, outcome))
      return true
    }
    node = next
  }
  return false
}

function isSameQuestion(one: TraceQuestion, other: TraceQuestion): boolean {
  return one.kind === other.kind && JSON.stringify(one.args) === JSON.stringify(other.args)
}
