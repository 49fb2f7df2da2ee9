import { throwIssue } from '../../../base/issue.ts'
import type { Source } from '../../../base/source.ts'
import { readHeredocBody, readHeredocHead } from '../../../language/syntax/lexer/heredoc.ts'
import type { Token } from '../../../language/syntax/lexer/token.ts'
import { formatIssues } from '../issues.ts'
import { type Body, type Gap, readGap } from './gap.ts'
import type { Comment, Piece } from './piece.ts'
import { formatString } from './strings.ts'

/** A piece without its comments. */
interface Bare extends Pick<Piece, 'kind' | 'text' | 'start' | 'end'> {
  readonly heredoc: Body | undefined
}

const none: readonly Comment[] = []

/** Joins the tokens of a source to pieces, and attaches the comments between them. */
export function readPieces(source: Source, tokens: readonly Token[]): Piece[] {
  const bare = joinTokens(source, tokens)
  const gaps = readGaps(source, bare)
  let moved = none
  return bare.map(({ kind, text, start, end, heredoc }, index) => {
    const gap = gaps[index]!
    const isFirst = index === 0 || moved.length > 0
    const own = isFirst ? gap.comments : skipItems(gap.comments, countTrailing(gap, kind))
    const leading = moved.length === 0 ? own : [...moved, ...own]
    // A comma stays with the item before it, so comments before a comma move after the comma.
    moved = kind === ',' ? leading : none
    const after = gaps[index + 1]
    const next = bare[index + 1]
    return {
      kind,
      text,
      start,
      end,
      heredoc: heredoc && readBody(source, heredoc),
      leading: kind === ',' ? none : leading,
      trailing: after && next && moved.length === 0 ? takeItems(after.comments, countTrailing(after, next.kind)) : none,
      newlines: gap.newlines,
      startsLine: gap.hasNewline,
    }
  })
}

function takeItems(comments: readonly Comment[], count: number): readonly Comment[] {
  return count === 0 ? none : comments.slice(0, count)
}

function skipItems(comments: readonly Comment[], count: number): readonly Comment[] {
  return count === 0 ? comments : comments.slice(count)
}

function readBody({ text }: Source, { start, end }: Body): string {
  const body = text.slice(start, end)
  return body.endsWith('\n') ? body : `${body}\n`
}

const closers: ReadonlySet<string> = new Set([',', ';', ')', ']', '}', '|>', '|>>', 'EOF'])

/** Number of comments in a gap that belong to the piece before the gap: they are on its line, and not before code. */
function countTrailing({ comments, newlines }: Gap, next: string): number {
  if (comments.length === 0) return 0
  let count = 0
  while (count < comments.length && comments[count]!.newlines === 0) count++
  if (count < comments.length || newlines > 0 || closers.has(next)) return count
  return 0
}

function readGaps(source: Source, pieces: readonly Bare[]): Gap[] {
  // Texts of the heredocs on the current line, which follow each other.
  let bodies: Body | undefined
  return pieces.map((piece, index) => {
    const start = pieces[index - 1]?.end ?? 0
    const gap = readGap(source, start, piece.start, bodies)
    if (gap.hasNewline) bodies = undefined
    if (piece.heredoc) bodies = { start: bodies?.start ?? piece.heredoc.start, end: piece.heredoc.end }
    return gap
  })
}

// ---- Strings and heredocs

function joinTokens(source: Source, tokens: readonly Token[]): Bare[] {
  const pieces: Bare[] = []
  let bodiesEnd = 0
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!
    const { kind, start } = token
    if (kind === 'HEREDOC') {
      const heredoc = findHeredocBody(source, token, bodiesEnd)
      bodiesEnd = heredoc.end
      pieces.push({ kind, text: source.text.slice(start, token.end), start, end: token.end, heredoc })
      at = findStringEnd(tokens, at + 1)
    } else if (kind === 'DQPRE') {
      const last = findStringEnd(tokens, at)
      const inner = tokens.slice(at, last + 1)
      if (inner.some((each) => each.kind === 'HEREDOC')) failUnsupported(source, token)
      const { end } = inner.at(-1)!
      pieces.push({ kind, text: formatString(source.text, inner), start, end, heredoc: undefined })
      at = last
    } else {
      const text = kind === 'STRING' ? formatString(source.text, [token]) : source.text.slice(start, token.end)
      pieces.push({ kind, text, start, end: token.end, heredoc: undefined })
    }
  }
  return pieces
}

function failUnsupported(source: Source, { start, end }: Token): never {
  throwIssue(formatIssues.FORMAT_UNSUPPORTED, { code: source.text.slice(start, end) }, { source, start, end })
}

/** Index of the last token of the string that starts at `at`. */
function findStringEnd(tokens: readonly Token[], at: number): number {
  let depth = 0
  for (let index = at; index < tokens.length; index++) {
    const { kind } = tokens[index]!
    if (kind === 'DQPRE') depth++
    else if (kind === 'DQPOST') depth--
    if (depth === 0) return index
  }
  return tokens.length - 1
}

/** Finds the text of a heredoc as the lexer does: after the line of the head, and after earlier heredocs of that line. */
function findHeredocBody(source: Source, token: Token, bodiesEnd: number): Body {
  const fail = () => failUnsupported(source, token)
  const { tag, end } = readHeredocHead(source.text, token.start, fail)
  const start = token.start < bodiesEnd ? bodiesEnd : source.text.indexOf('\n', end) + 1
  return { start, end: readHeredocBody(source.text, start, tag, fail).end }
}
