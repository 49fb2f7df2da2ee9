import { throwIssue } from '../../base/issue.ts'
import type { Source, SourceSpan } from '../../base/source.ts'
import type { Program } from '../../language/syntax/tree/nodes.ts'
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

function listComments({ pieces }: ReadManifest): readonly Comment[] {
  return pieces.flatMap(({ leading, trailing }) =>
    leading.length + trailing.length > 0 ? [...leading, ...trailing] : [],
  )
}

/** A value within a syntax tree. */
type Part = unknown

/** Compares trees without their positions. */
function verifySameTree(before: Program, after: Program): void {
  const pairs: [Part, Part, SourceSpan][] = [[before.body, after.body, before.span]]
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [one, other, around] = pair
    if (one === other) continue
    const span = getSpan(one) ?? around
    const fail = () => throwIssue(formatIssues.FORMAT_CHANGES_TREE, { kind: getKind(one) }, span)
    if (!isComposed(one) || !isComposed(other)) fail()
    else {
      const keys = Object.keys(one)
      if (keys.length !== Object.keys(other).length || Array.isArray(one) !== Array.isArray(other)) fail()
      for (const key of keys) if (key !== 'span') pairs.push([one[key], other[key], span])
    }
  }
}

function isComposed(part: Part): part is Readonly<Record<string, Part>> {
  return typeof part === 'object' && part !== null
}

function getSpan(part: Part): SourceSpan | undefined {
  return isComposed(part) ? (part['span'] as SourceSpan | undefined) : undefined
}

function getKind(part: Part): string {
  return isComposed(part) && typeof part['kind'] === 'string' ? part['kind'] : String(part)
}
