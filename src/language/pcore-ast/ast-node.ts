import { budgets } from '../../base/budgets/budgets.ts'
import { defineIssues, fail } from '../../base/issue.ts'
import { type ExactJson, type ExactObject, isExactObject, memberOf } from '../../base/json/exact-json.ts'

/** Why data is no AST of Puppet's. */
export const astIssues = defineIssues({
  AST_UNREADABLE: { text: (a: { why: string }) => `The AST cannot be read: ${a.why}` },
})

const { astDepth } = budgets.request
const prefix = 'Puppet::AST::'

/** A node of the AST. */
export interface AstNode {
  /** Its class without `Puppet::AST::`. */
  readonly kind: string
  readonly data: ExactObject
}

/** The error of an AST. */
export function unreadable(why: string): never {
  return fail(astIssues.AST_UNREADABLE, { why })
}

/** Looks at an AST from its root: finds what stands once and is named by path elsewhere, and counts what it gives out. */
export class AstReader {
  readonly #root: ExactJson
  readonly #lineStarts: readonly number[]
  readonly #most: number
  #nodes = 0

  /** `most` is the bound on nodes. */
  constructor(root: ExactJson, most: number) {
    this.#root = root
    this.#most = most
    this.#lineStarts = numbersIn(memberOf(this.resolved(memberOf(root, 'locator')), 'line_index'))
  }

  /** A node. Throws AST_UNREADABLE for what is none, and for too many. */
  node(json: ExactJson | undefined): AstNode {
    if (++this.#nodes > this.#most) unreadable(`it has more than ${this.#most} nodes`)
    const data = this.resolved(json)
    const type = memberOf(data, '__ptype')
    if (!isExactObject(data) || typeof type !== 'string' || !type.startsWith(prefix))
      return unreadable('a node is expected')
    return { kind: type.slice(prefix.length), data }
  }

  /** The node of an attribute, if it has one. */
  optional({ data }: AstNode, name: string): AstNode | undefined {
    const json = memberOf(data, name)
    return json === undefined || json === null ? undefined : this.node(json)
  }

  /** The nodes of an attribute. */
  list({ kind, data }: AstNode, name: string): readonly AstNode[] {
    const json = this.resolved(memberOf(data, name) ?? [])
    if (!Array.isArray(json)) return unreadable(`${name} of a ${kind} is no list`)
    return json.map((each) => this.node(each))
  }

  /** The line on which a node begins, from 1; `undefined` where that is not told. */
  line({ data }: AstNode): number | undefined {
    // Some have the place of their operator.
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

  /** Data itself, or what a LocalRef names: `$['body']['statements'][0]`. */
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

/** A text of a node that the pattern allows. */
export function textOf({ kind, data }: AstNode, name: string, pattern: RegExp): string {
  const text = memberOf(data, name)
  if (typeof text !== 'string' || !pattern.test(text)) return unreadable(`${name} of a ${kind} is not what it can be`)
  return text
}

/** Throws beyond the bound on depth. */
export function requireDepth(depth: number): void {
  if (depth > astDepth.bound) unreadable(`it is nested deeper than ${astDepth.bound} levels`)
}

function numbersIn(json: ExactJson | undefined): readonly number[] {
  return Array.isArray(json) && json.every((each) => typeof each === 'number') ? json : []
}
