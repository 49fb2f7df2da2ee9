import type { TokenKind } from '../lexer/token.ts'
import type { Expression, KeyedEntry, LiteralHash, LiteralList } from '../tree/nodes.ts'
import type { TokenCursor } from './cursor.ts'

/** A list element, or a pair `key => value`. Adjacent pairs are merged into one hash. */
type Element = Expression | KeyedEntry

/** Parses `a, b => c, d` up to `closer`, which is not consumed. A trailing comma is valid if `trailing` is true. */
function parseElements(
  p: TokenCursor,
  closer: TokenKind,
  trailing: boolean,
  element: (p: TokenCursor) => Element,
): Expression[] {
  const values: Expression[] = []
  let entries: KeyedEntry[] | undefined
  do {
    if (trailing && values.length > 0 && p.at(closer)) break
    const value = element(p)
    if (value.kind !== 'KeyedEntry') {
      entries = undefined
      values.push(value)
    } else if (entries) entries.push(value)
    else {
      entries = [value]
      values.push({ kind: 'LiteralHash', span: value.span, entries })
    }
  } while (p.accept(','))
  return values
}

/** Parses call arguments up to `)`. `foo(a,)` is valid, `$x.foo(a,)` is not. */
export function callArguments(p: TokenCursor, trailing: boolean): Expression[] {
  if (p.at(')')) return []
  return parseElements(p, ')', trailing, argument)
}

/** Parses access keys up to `]`. Keys are expressions or pairs, not assignments. */
export function accessKeys(p: TokenCursor, trailing: boolean): Expression[] {
  return parseElements(p, ']', trailing, accessKey)
}

/** Parses an array literal: `[a, b => c,]`. */
export function listLiteral(p: TokenCursor): LiteralList {
  const open = p.next()
  const values = p.at(']') ? [] : parseElements(p, ']', true, listElement)
  return { kind: 'LiteralList', span: p.span(open, p.expect(']')), values }
}

/** Parses a hash literal: `{ a => b, }`. */
export function hashLiteral(p: TokenCursor): LiteralHash {
  const open = p.expect('{')
  const entries: KeyedEntry[] = []
  if (!p.at('}'))
    do {
      if (entries.length > 0 && p.at('}')) break
      entries.push(pair(p, hashEntry(p)))
    } while (p.accept(','))
  return { kind: 'LiteralHash', span: p.span(open, p.expect('}')), entries }
}

function argument(p: TokenCursor): Element {
  const isWord = isWordAsText(p)
  const left = hashEntry(p)
  return isWord || p.at('=>') ? pair(p, left) : left
}

function listElement(p: TokenCursor): Element {
  const left = hashEntry(p)
  return p.at('=>') ? pair(p, left) : left
}

const startsAssignmentOnly: ReadonlySet<TokenKind> = new Set<TokenKind>(['@', '@@'])

function accessKey(p: TokenCursor): Element {
  if (isWordAsText(p) || startsAssignmentOnly.has(p.kind) || (p.at('class') && p.kindAfter === '{'))
    return pair(p, hashEntry(p))
  const mark = p.mark()
  const { definitions } = p
  const count = definitions.length
  const left = p.parse.expression(p)
  if (p.at(',') || p.at(']')) return left
  if (p.at('=>')) return pair(p, left)
  p.back(mark)
  p.forget(count)
  return pair(p, hashEntry(p))
}

function pair(p: TokenCursor, key: Expression): KeyedEntry {
  const arrow = p.expect('=>')
  return { kind: 'KeyedEntry', span: p.span(arrow), key, value: hashEntry(p) }
}

function hashEntry(p: TokenCursor): Expression {
  if (!isWordAsText(p)) return p.parse.assignment(p)
  const word = p.next()
  return { kind: 'LiteralString', span: p.span(word), value: word.value }
}

/** True if the word `type` or `function` is plain text here, and neither starts a definition nor is called. */
function isWordAsText(p: TokenCursor): boolean {
  if (p.at('type')) return p.kindAfter !== '(' && p.kindAfter !== 'CLASSREF'
  return p.at('function') && !startsName.has(p.kindAfter)
}

const startsName: ReadonlySet<TokenKind> = new Set<TokenKind>(['NAME', 'WORD', 'CLASSREF', 'class', 'STRING'])
