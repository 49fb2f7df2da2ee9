import { diagnose, fail, type Issue, PuppetError } from '../../../base/issue.ts'
import type { Source, Span } from '../../../base/source.ts'
import { syntaxIssues } from '../issues/syntax.ts'
import type { Lexed } from '../lexer/lex.ts'
import type { Token, TokenKind } from '../lexer/token.ts'
import type { Definition, Expression } from '../tree/nodes.ts'

/** The rules that every other rule leads back to; given to it, so that no file imports in a circle. */
export interface Productions {
  /** An expression without relationships, assignments included: the operand of a list, an argument. */
  assignment(p: Cursor): Expression
  /** Operators and operands, without relationships and resources. */
  expression(p: Cursor): Expression
  /** One or more statements. */
  statements(p: Cursor): Expression[]
}

/** The greatest height of a tree, in levels: every later walk is recursive too. */
const maxDepth = 1000

/** The place of a parser in its tokens, and what it must remember of enclosing code. */
export class Cursor {
  readonly source: Source
  readonly parse: Productions
  readonly #tokens: readonly Token[]
  readonly #error: PuppetError | undefined
  readonly #enclosing: string[] = []
  readonly #definitions: Definition[] = []
  #at = 0
  #depth = 0
  /** The token to be read next. */
  token: Token

  constructor(source: Source, lexed: Lexed, parse: Productions) {
    this.source = source
    this.parse = parse
    this.#tokens = lexed.tokens
    this.#error = lexed.error
    this.token = this.#tokens[0]!
  }

  get kind(): TokenKind {
    return this.token.kind
  }

  /** The kind of the token after the next one. */
  get kindAfter(): TokenKind {
    return this.#tokens[this.#at + 1]?.kind ?? 'EOF'
  }

  next(): Token {
    const token = this.token
    if (token.kind !== 'EOF') this.token = this.#tokens[++this.#at]!
    return token
  }

  at(kind: TokenKind): boolean {
    return this.token.kind === kind
  }

  accept(kind: TokenKind): Token | undefined {
    return this.token.kind === kind ? this.next() : undefined
  }

  expect(kind: TokenKind): Token {
    this.lookAhead()
    return this.token.kind === kind ? this.next() : this.unexpected()
  }

  /** The position of the cursor; `back` returns to it. */
  mark(): number {
    return this.#at
  }

  back(mark: number): void {
    this.#at = mark
    this.token = this.#tokens[mark]!
  }

  // ---- Complaints

  /** The token to be read next cannot stand here. */
  unexpected(): never {
    const { kind, value } = this.token
    if (kind === 'EOF') {
      this.lookAhead()
      const where = { where: 'end of input' }
      throw new PuppetError({ ...diagnose(syntaxIssues.SYNTAX_ERROR, where, this.span(this.token)), wholeFile: true })
    }
    this.fail(syntaxIssues.SYNTAX_ERROR, { where: `'${kind === 'REGEX' ? `(?-mix:${value})` : value}'` }, this.token)
  }

  /** Throws what is wrong with the next token. Puppet reads it before some of its rules complain. */
  lookAhead(): void {
    if (this.token.kind === 'EOF' && this.#error) throw this.#error
  }

  fail<A>(issue: Issue<A>, a: A, at: Token | Span): never {
    fail(issue, a, this.span(at))
  }

  /** Called on the way down; `leave` on the way up. Throws where a tree would grow too tall. */
  enter(levels = 1): void {
    this.#depth += levels
    if (this.#depth > maxDepth) this.fail(syntaxIssues.NESTED_TOO_DEEPLY, {}, this.token)
  }

  leave(levels = 1): void {
    this.#depth -= levels
  }

  // ---- Places

  span(first: Token | Span, last: Token | Span = first): Span {
    return { source: this.source, start: first.start, end: Math.max(first.start, last.end) }
  }

  // ---- Definitions

  get definitions(): readonly Definition[] {
    return this.#definitions
  }

  define<D extends Definition>(definition: D): D {
    this.#definitions.push(definition)
    return definition
  }

  /** Forgets definitions that were read on trial. */
  forget(count: number): void {
    this.#definitions.length = count
  }

  /** A name with those of the enclosing classes. */
  qualified(name: string): string {
    return `${this.#enclosing.join('::')}::${name}`.replace(/^::/, '')
  }

  enclose(name: string): void {
    this.#enclosing.push(name)
  }

  endEnclosure(): void {
    this.#enclosing.pop()
  }
}
