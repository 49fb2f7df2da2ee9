import { budgets } from '../../base/budgets/budgets.ts'
import { defineIssues, fail } from '../../base/issue.ts'
import { type ExactJson, type ExactObject, isExactObject, memberOf } from '../../base/json/exact-json.ts'

/** Error definitions for data that is not a valid Puppet AST. */
export const astIssues = defineIssues({
  AST_UNREADABLE: { text: (a: { why: string }) => `The AST cannot be read: ${a.why}` },
})

const { astDepth } = budgets.request
const prefix = 'Puppet::AST::'

/** A node of the AST. */
export interface AstNode {
  /** Class name without `Puppet::AST::`. */
  readonly kind: string
  readonly data: ExactObject
}

/** Throws AST_UNREADABLE with the given reason. */
export function unreadable(why: string): never {
  return fail(astIssues.AST_UNREADABLE, { why })
}

/**
 * Reads the nodes of an AST. Replaces each LocalRef by the node to which it refers, and limits the number of nodes
 * read.
 */
export class AstReader {
  readonly #root: ExactJson
  readonly #lineStarts: readonly number[]
  readonly #most: number
  #nodes = 0

  /** `most` is the maximum number of nodes. */
  constructor(root: ExactJson, most: number) {
    this.#root = root
    this.#most = most
    this.#lineStarts = numbersIn(memberOf(this.resolved(memberOf(root, 'locator')), 'line_index'))
  }

  /** Reads a node. Throws AST_UNREADABLE for invalid data or too many nodes. */
  node(json: ExactJson | undefined): AstNode {
    if (++this.#nodes > this.#most) unreadable(`it has more than ${this.#most} nodes`)
    const data = this.resolved(json)
    const type = memberOf(data, '__ptype')
    if (!isExactObject(data) || typeof type !== 'string' || !type.startsWith(prefix))
      return unreadable('a node is expected')
    return { kind: type.slice(prefix.length), data }
  }

  /** Node in an optional attribute. */
  optional({ data }: AstNode, name: string): AstNode | undefined {
    const json = memberOf(data, name)
    return json === undefined || json === null ? undefined : this.node(json)
  }

  /** Nodes in a list attribute. */
  list({ kind, data }: AstNode, name: string): readonly AstNode[] {
    const json = this.resolved(memberOf(data, name) ?? [])
    if (!Array.isArray(json)) return unreadable(`${name} of a ${kind} is no list`)
    return json.map((each) => this.node(each))
  }

  /** Line on which a node starts, from 1; `undefined` if the data contains no offset. */
  line({ data }: AstNode): number | undefined {
    // For some nodes, the data contains the position of the operator, so the leftmost operand is used.
    let first: ExactJson | undefined = data
    for (let left = memberOf(data, 'left_expr'); left !== undefined; left = memberOf(left, 'left_expr')) first = left
    const offset = memberOf(first, 'offset')
    if (typeof offset !== 'number') return undefined
    let [low, high] = [0, this.#lineStarts.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#lineStarts[middle]! <= offset) low = middle + 1
      else high = middle
    }
    return low === 0 ? undefined : low
  }

  /** The data itself, or the target of a LocalRef such as `$['body']['statements'][0]`. */
  resolved(json: ExactJson | undefined): ExactJson | undefined {
    if (memberOf(json, '__ptype') !== 'LocalRef') return json
    const path = memberOf(json, '__pvalue')
    if (typeof path !== 'string' || !/^\$(?:\['[a-z_]+'\]|\[\d{1,9}\])*$/.test(path))
      return unreadable('a LocalRef is no path')
    let found: ExactJson | undefined = this.#root
    for (const [, name, index] of path.matchAll(/\['([a-z_]+)'\]|\[(\d+)\]/g))
      found = name === undefined ? (Array.isArray(found) ? found[Number(index)] : undefined) : memberOf(found, name)
    return memberOf(found, '__ptype') === 'LocalRef' ? unreadable('a LocalRef names another') : found
  }
}

/** Text attribute of a node. Throws if it does not match the pattern. */
export function readText({ kind, data }: AstNode, name: string, pattern: RegExp): string {
  const text = memberOf(data, name)
  if (typeof text !== 'string' || !pattern.test(text)) return unreadable(`${name} of a ${kind} is not what it can be`)
  return text
}

/** Throws if the depth exceeds its bound. */
export function requireDepth(depth: number): void {
  if (depth > astDepth.bound) unreadable(`it is nested deeper than ${astDepth.bound} levels`)
}

function numbersIn(json: ExactJson | undefined): readonly number[] {
  return Array.isArray(json) && json.every((each) => typeof each === 'number') ? json : []
}
