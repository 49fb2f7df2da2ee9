import { throwIssue } from '../../base/issue.ts'
import type { Source } from '../../base/source.ts'
import type { AnyNode, Program } from '../../language/syntax/tree/nodes.ts'
import { formatIssues } from './issues.ts'
import type { Comment, Piece } from './pieces/piece.ts'

/** A manifest with its tree, and its tokens and comments as pieces. */
export interface ReadManifest {
  readonly source: Source
  readonly program: Program
  readonly pieces: readonly Piece[]
}

/** Throws an error unless both manifests have the same syntax tree, and the same comments in the same order. */
export function verifySameCode(before: ReadManifest, after: ReadManifest): void {
  verifySameTree(before.program, after.program)
  const comments = listComments(after)
  const own = listComments(before)
  const at = own.findIndex(({ text }, index) => text !== comments[index]?.text)
  const changed = at === -1 && comments.length > own.length ? comments[own.length] : own[at]
  if (changed === undefined) return
  const { source } = at === -1 ? after : before
  const span = { source, start: changed.start, end: changed.start + changed.text.length }
  throwIssue(formatIssues.FORMAT_LOSES_COMMENT, { comment: changed.text }, span)
}

/** Comments in the order of the source. */
function listComments({ pieces }: ReadManifest): readonly Comment[] {
  const comments = pieces.flatMap(({ leading, trailing }) => [leading, trailing]).flat()
  return comments.sort((one, other) => one.start - other.start)
}

/** A value within a syntax tree, or a list of them. */
type Part = unknown

/** Compares trees without their positions. */
function verifySameTree(before: Program, after: Program): void {
  const pairs: [Part, Part, Pick<AnyNode, 'kind' | 'span'>][] = [[before.body, after.body, before]]
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [one, other, parent] = pair
    if (one === other) continue
    const node = isNode(one) ? one : parent
    if (!isComposed(one) || !isComposed(other) || Array.isArray(one) !== Array.isArray(other)) failAt(node)
    const keys = Object.keys(one)
    if (keys.length !== Object.keys(other).length) failAt(node)
    for (const key of keys) if (key !== 'span') pairs.push([one[key], other[key], node])
  }
}

function failAt({ kind, span }: Pick<AnyNode, 'kind' | 'span'>): never {
  throwIssue(formatIssues.FORMAT_CHANGES_TREE, { kind }, span)
}

function isComposed(part: Part): part is Readonly<Record<string, Part>> {
  return typeof part === 'object' && part !== null
}

function isNode(part: Part): part is AnyNode {
  return isComposed(part) && 'kind' in part && 'span' in part
}
