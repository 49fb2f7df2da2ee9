import { budgets } from '../../base/budgets/budgets.ts'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { type ExactJson, type ExactObject, getMember, isExactObject } from '../../base/json/exact-json.ts'
import { findLastUpTo } from '../../base/source.ts'

/** Error definitions for data that is not a valid Puppet AST. */
export const astIssues = defineIssues({
  AST_UNREADABLE: { text: (a: { why: string }) => `Could not read the AST: ${a.why}` },
})

const { astDepth } = budgets.request
const prefix = 'Puppet::AST::'

/** A node of the AST. */
export interface PcoreNode {
  /** Class name without `Puppet::AST::`. */
  readonly kind: string
  readonly data: ExactObject
}

/** Throws AST_UNREADABLE with the given reason. */
export function failUnreadable(why: string): never {
  return throwIssue(astIssues.AST_UNREADABLE, { why })
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
    this.#lineStarts = isNumberList(getMember(this.resolved(getMember(root, 'locator')), 'line_index'))
  }

  /** Reads a node. Throws AST_UNREADABLE for invalid data or too many nodes. */
  node(json: ExactJson | undefined): PcoreNode {
    if (++this.#nodes > this.#most) failUnreadable(`it exceeds ${this.#most} nodes`)
    const data = this.resolved(json)
    const type = getMember(data, '__ptype')
    if (!isExactObject(data) || typeof type !== 'string' || !type.startsWith(prefix))
      return failUnreadable('a node is expected')
    return { kind: type.slice(prefix.length), data }
  }

  /** Node in an optional attribute. */
  optional({ data }: PcoreNode, name: string): PcoreNode | undefined {
    const json = getMember(data, name)
    return json === undefined || json === null ? undefined : this.node(json)
  }

  /** Nodes in a list attribute. */
  list({ kind, data }: PcoreNode, name: string): readonly PcoreNode[] {
    const json = this.resolved(getMember(data, name) ?? [])
    if (!Array.isArray(json)) return failUnreadable(`${name} of a ${kind} is not an array`)
    return json.map((each) => this.node(each))
  }

  /** Line on which a node starts, from 1; `undefined` if the data contains no offset. */
  line({ data }: PcoreNode): number | undefined {
    // For some nodes, the data contains the position of the operator, so the leftmost operand is used.
    let first: ExactJson | undefined = data
    for (let left = getMember(data, 'left_expr'); left !== undefined; left = getMember(left, 'left_expr')) first = left
    const offset = getMember(first, 'offset')
    if (typeof offset !== 'number') return undefined
    const line = findLastUpTo(this.#lineStarts, offset) + 1
    return line === 0 ? undefined : line
  }

  /** The data itself, or the target of a LocalRef such as `$['body']['statements'][0]`. */
  resolved(json: ExactJson | undefined): ExactJson | undefined {
    if (getMember(json, '__ptype') !== 'LocalRef') return json
    const path = getMember(json, '__pvalue')
    if (typeof path !== 'string' || !/^\$(?:\['[a-z_]+'\]|\[\d{1,9}\])*$/.test(path))
      return failUnreadable('a LocalRef is not a path')
    let found: ExactJson | undefined = this.#root
    for (const [, name, index] of path.matchAll(/\['([a-z_]+)'\]|\[(\d+)\]/g))
      found = name === undefined ? (Array.isArray(found) ? found[Number(index)] : undefined) : getMember(found, name)
    return getMember(found, '__ptype') === 'LocalRef' ? failUnreadable('a LocalRef points to another LocalRef') : found
  }
}

/** Text attribute of a node. Throws if it does not match the pattern. */
export function readText({ kind, data }: PcoreNode, name: string, pattern: RegExp): string {
  const text = getMember(data, name)
  if (typeof text !== 'string' || !pattern.test(text)) return failUnreadable(`${name} of a ${kind} is invalid`)
  return text
}

/** Throws if the depth exceeds its bound. */
export function checkAstDepth(depth: number): void {
  if (depth > astDepth.bound) failUnreadable(`it is nested more than ${astDepth.bound} levels deep`)
}

function isNumberList(json: ExactJson | undefined): readonly number[] {
  return Array.isArray(json) && json.every((each) => typeof each === 'number') ? json : []
}
