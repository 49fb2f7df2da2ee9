import { throwIssue } from '../../../base/issue.ts'
import type { Source } from '../../../base/source.ts'
import { readHeredocBody, readHeredocHead } from '../../../language/syntax/lexer/heredoc.ts'
import type { Token } from '../../../language/syntax/lexer/token.ts'
import { formatIssues } from '../issues.ts'
import { type Gap, readGap } from './gap.ts'
import type { Comment, Piece } from './piece.ts'
import { formatString } from './strings.ts'

/** A piece without its comments. */
interface Bare extends Pick<Piece, 'kind' | 'text' | 'start' | 'end'> {
  readonly heredoc: Body | undefined
}

/** Offsets of the text of a heredoc; `end` is after the line of the end tag. */
interface Body {
  readonly start: number
  readonly end: number
}

/** Joins the tokens of a source to pieces, and attaches the comments between them. */
export function readPieces(source: Source, tokens: readonly Token[]): Piece[] {
  const bare = joinTokens(source, tokens)
  const pieces: Piece[] = []
  let leading: readonly Comment[] = []
  const gaps = readGaps(source, bare)
  for (const [index, piece] of bare.entries()) {
    const gap = gaps[index]!
    const after = gaps[index + 1]
    const next = bare[index + 1]
    const own = gap.comments.slice(index === 0 ? 0 : countTrailing(gap, piece.kind))
    const all = leading.length === 0 ? own : [...leading, ...own]
    // A comma stays with the item before it, so comments before a comma move after the comma.
    const moves = piece.kind === ',' && all.length > 0
    leading = moves ? all : []
    pieces.push({
      ...piece,
      heredoc: piece.heredoc && readBody(source, piece.heredoc),
      leading: moves ? [] : all,
      trailing: after && next ? after.comments.slice(0, countTrailing(after, next.kind)) : [],
      newlines: gap.newlines,
      startsLine: gap.hasNewline,
    })
  }
  return pieces
}

function readBody({ text }: Source, { start, end }: Body): string {
  const body = text.slice(start, end)
  return body.endsWith('\n') ? body : `${body}\n`
}

const closers: ReadonlySet<string> = new Set([',', ';', ')', ']', '}', '|>', '|>>', 'EOF'])

/** Number of comments in a gap that belong to the piece before the gap: they are on its line, and not before code. */
function countTrailing({ comments, newlines }: Gap, next: string): number {
  let count = 0
  while (count < comments.length && comments[count]!.newlines === 0) count++
  if (count < comments.length || newlines > 0 || closers.has(next)) return count
  return 0
}

function readGaps(source: Source, pieces: readonly Bare[]): Gap[] {
  let bodies: Body[] = []
  return pieces.map((piece, index) => {
    const start = pieces[index - 1]?.end ?? 0
    const gap = readGap(source, start, piece.start, bodies)
    if (gap.hasNewline) bodies = []
    if (piece.heredoc) bodies.push(piece.heredoc)
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
