import { createDiagnostic, type Issue, PuppetError, throwIssue } from '../../../base/issue.ts'
import type { Source, SourceSpan } from '../../../base/source.ts'
import { syntaxIssues } from '../issues/syntax.ts'
import type { LexResult } from '../lexer/lex.ts'
import type { Token, TokenKind } from '../lexer/token.ts'
import type { Definition, Expression } from '../tree/nodes.ts'

/** Grammar rules that other rules call recursively; passed as a value to avoid import cycles. */
export interface Productions {
  /** Parses an expression, including assignments but not relationships: a list element or an argument. */
  assignment(p: TokenCursor): Expression
  /** Parses operators and operands, without relationships and resources. */
  expression(p: TokenCursor): Expression
  /** Parses one or more statements. */
  statements(p: TokenCursor): Expression[]
}

/** Maximum depth of a syntax tree; limited because all later steps walk the tree recursively. */
const maxDepth = 1000

/** The parser's position in the tokens, and the enclosing names and definitions. */
export class TokenCursor {
  readonly source: Source
  readonly parse: Productions
  readonly #tokens: readonly Token[]
  readonly #error: PuppetError | undefined
  readonly #enclosing: string[] = []
  readonly #definitions: Definition[] = []
  #at = 0
  #depth = 0
  /** The next token. */
  token: Token

  constructor(source: Source, lexed: LexResult, parse: Productions) {
    this.source = source
    this.parse = parse
    this.#tokens = lexed.tokens
    this.#error = lexed.error
    this.token = this.#tokens[0]!
  }

  get kind(): TokenKind {
    return this.token.kind
  }

  /** Kind of the token after the next token. */
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

  /** Returns the current position, for `back`. */
  mark(): number {
    return this.#at
  }

  back(mark: number): void {
    this.#at = mark
    this.token = this.#tokens[mark]!
  }

  // ---- Errors

  /** Throws the syntax error for the next token. */
  unexpected(): never {
    const { kind, value } = this.token
    if (kind === 'EOF') {
      this.lookAhead()
      const where = { where: 'end of input' }
      throw new PuppetError({
        ...createDiagnostic(syntaxIssues.SYNTAX_ERROR, where, this.span(this.token)),
        wholeFile: true,
      })
    }
    this.fail(syntaxIssues.SYNTAX_ERROR, { where: `'${kind === 'REGEX' ? `(?-mix:${value})` : value}'` }, this.token)
  }

  /**
   * Throws the lexical error of the next token, if any. Puppet reads that token before some of its rules report errors.
   */
  lookAhead(): void {
    if (this.token.kind === 'EOF' && this.#error) throw this.#error
  }

  fail<A>(issue: Issue<A>, a: A, at: Token | SourceSpan): never {
    throwIssue(issue, a, this.span(at))
  }

  /** Adds to the depth of the tree on the way down; `leave` subtracts on the way up. Throws beyond the maximum. */
  enter(levels = 1): void {
    this.#depth += levels
    if (this.#depth > maxDepth) this.fail(syntaxIssues.NESTED_TOO_DEEPLY, {}, this.token)
  }

  leave(levels = 1): void {
    this.#depth -= levels
  }

  // ---- Locations

  span(first: Token | SourceSpan, last: Token | SourceSpan = first): SourceSpan {
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

  /** Removes the definitions added by a rule whose result was discarded. */
  forget(count: number): void {
    this.#definitions.length = count
  }

  /** Prefixes a name with the names of the enclosing classes. */
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
