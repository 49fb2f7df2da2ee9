import { LRUCache } from 'lru-cache'
import type { Effect, Question } from './question.ts'
import type { Step } from './step.ts'

/** The outcome of work: its result, and its effects. */
export interface Outcome<Result> {
  readonly result: Result
  readonly effects: readonly Effect[]
}

/** A node in the tree of one key's traces: the next question, with a branch for each answer; or the outcome, at the end. */
type Node<Result> = Branch<Result> | { readonly outcome: Outcome<Result> }

interface Branch<Result> {
  readonly question: Question
  readonly next: Map<string, Node<Result>>
}

interface Tree<Result> {
  readonly root: Node<Result>
  /** Bytes, about. */
  size: number
  ends: number
}

/** Outcomes of one key, for different answers; more are taken for a sign that nothing will be asked alike again. */
const mostEnds = 2000
/** About what an entry of a map takes, with its texts, in bytes. */
const entrySize = 200

/**
 * Traces by key. Work that is a function of its key and of what it asks, asks the same after the same answers: so the
 * traces of one key are a tree, with a question at each fork.
 */
export class Memory<Result> {
  readonly #trees: LRUCache<string, Tree<Result>>
  /** Outcomes that were recalled, for tests and tools. */
  recalls = 0

  /** `bound` is in bytes: what was not recalled for the longest time goes first. */
  constructor(bound: number) {
    this.#trees = new LRUCache({ maxSize: bound, sizeCalculation: ({ size }) => size })
  }

  /** The size of all traces, in bytes, about. */
  get size(): number {
    return this.#trees.calculatedSize
  }

  /** The outcome, where all questions are answered as before. `answer` gives `undefined` where it cannot tell. */
  recall(key: string, answer: (question: Question) => string | undefined): Outcome<Result> | undefined {
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

  /** `size` is that of the outcome, in bytes. */
  remember(key: string, steps: readonly Step[], outcome: Outcome<Result>, size: number): void {
    const known = this.#trees.get(key)
    const added = size + entrySize + steps.reduce((sum, step) => sum + sizeOf(step), 0)
    if (known && known.ends < mostEnds && graft(known.root, steps, outcome)) {
      known.ends++
      known.size += added
      // Weighs it once more.
      this.#trees.delete(key)
      this.#trees.set(key, known)
    } else this.#trees.set(key, { root: grown(steps, 0, outcome), size: added + key.length * 2, ends: 1 })
  }

  forget(key: string): void {
    this.#trees.delete(key)
  }
}

function sizeOf({ question, answer }: Step): number {
  return entrySize + answer.length + JSON.stringify(question.args).length
}

/** Steps from one on, as a tree without forks. */
function grown<Result>(steps: readonly Step[], from: number, outcome: Outcome<Result>): Node<Result> {
  let node: Node<Result> = { outcome }
  for (let at = steps.length - 1; at >= from; at--) {
    const { question, answer } = steps[at]!
    node = { question, next: new Map([[answer, node]]) }
  }
  return node
}

/** Adds a trace to a tree; `false` where the tree asks otherwise: then it is of another state of the world. */
function graft<Result>(root: Node<Result>, steps: readonly Step[], outcome: Outcome<Result>): boolean {
  let node = root
  for (let at = 0; at < steps.length; at++) {
    const { question, answer } = steps[at]!
    if ('outcome' in node || !isSame(node.question, question)) return false
    const next = node.next.get(answer)
    if (!next || (at === steps.length - 1 && 'outcome' in next)) {
      node.next.set(answer, grown(steps, at + 1, outcome))
      return true
    }
    node = next
  }
  return false
}

function isSame(one: Question, other: Question): boolean {
  return one.kind === other.kind && JSON.stringify(one.args) === JSON.stringify(other.args)
}
