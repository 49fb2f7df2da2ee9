import { throwIssue } from '../../../base/issue.ts'
import type { Source } from '../../../base/source.ts'
import type { TokenKind } from '../../../language/syntax/lexer/token.ts'
import type { AnyNode, NodeOf } from '../../../language/syntax/tree/nodes.ts'
import { formatIssues } from '../issues.ts'
import {
  blankLine,
  concat,
  type Document,
  hardLine,
  heredocBody,
  indent,
  leadingComment,
  trailingComment,
  verbatim,
} from '../layout/document.ts'
import type { Comment, Piece } from '../pieces/piece.ts'

/** Creates the document of a node. A statement has lines of its own. */
export type Rule<K extends AnyNode['kind']> = (node: NodeOf<K>, c: FormatContext, isStatement: boolean) => Document

/** A rule for each of these kinds. */
export type Rules<Kinds extends AnyNode['kind']> = { readonly [K in Kinds]: Rule<K> }

/**
 * The position in the pieces of a manifest. Rules visit nodes in source order and take every piece, with its
 * comments, exactly once.
 */
export class FormatContext {
  readonly #source: Source
  readonly #pieces: readonly Piece[]
  readonly #rules: Rules<AnyNode['kind']>
  #at = 0
  /** True if the comments before the next piece are already printed. */
  #isLeadingTaken = false

  constructor(source: Source, pieces: readonly Piece[], rules: Rules<AnyNode['kind']>) {
    this.#source = source
    this.#pieces = pieces
    this.#rules = rules
  }

  print(node: AnyNode, isStatement = false): Document {
    const rule = this.#rules[node.kind] as (node: AnyNode, c: FormatContext, isStatement: boolean) => Document
    return rule(node, this, isStatement)
  }

  // ---- Position

  /** The next piece. */
  get piece(): Piece {
    return this.#pieces[this.#at]!
  }

  at(kind: TokenKind): boolean {
    return this.piece.kind === kind
  }

  /** The piece after the next piece. */
  get pieceAfter(): Piece {
    return this.#pieces[this.#at + 1] ?? this.piece
  }

  /** True if the piece after the next piece has this kind. */
  isBefore(kind: TokenKind): boolean {
    return this.pieceAfter.kind === kind
  }

  /** True if the author started a line before the next piece. */
  get startsLine(): boolean {
    return this.piece.startsLine
  }

  /** True if comments on lines of their own precede the next piece. */
  get hasOwnLineComment(): boolean {
    return !this.#isLeadingTaken && this.piece.leading.some(({ isBlock, newlines }) => !isBlock || newlines > 0)
  }

  /** True if a line comment follows the last piece. */
  get isAfterLineComment(): boolean {
    return this.#pieces[this.#at - 1]?.trailing.some(({ isBlock }) => !isBlock) ?? false
  }

  /** True if the source contains a line break between an offset and the next piece. */
  hasLineBreakSince(offset: number): boolean {
    return this.#source.text.slice(offset, this.piece.start).includes('\n')
  }

  // ---- Pieces

  /** Takes the next piece with its comments. */
  take(...kinds: readonly TokenKind[]): Document {
    const leading = this.leading()
    const text = this.#takeText(kinds)
    const trailing = this.#trailing()
    return leading === '' && trailing.length === 0 ? text : concat([leading, text, ...trailing])
  }

  /** Takes the next piece if it has this kind, and returns its comments without its text. */
  skip(kind: TokenKind): Document {
    if (!this.at(kind)) return ''
    const leading = this.leading()
    this.#takeText([kind])
    return concat([leading, ...this.#trailing()])
  }

  /** Takes an operator. Comments on both of its sides are returned apart, because the operator starts a line. */
  takeOperator(): { readonly comments: Document; readonly text: Document } {
    const before = this.#takeLeading()
    const text = this.#takeText([])
    return { comments: concat([before, ...this.#trailing(), this.#takeLeading()]), text }
  }

  #takeText(kinds: readonly TokenKind[]): Document {
    const { kind, text, heredoc } = this.piece
    if (kinds.length > 0 && !kinds.includes(kind)) this.fail()
    this.#at++
    this.#isLeadingTaken = false
    return heredoc === undefined ? verbatim(text) : concat([text, heredocBody(heredoc)])
  }

  #trailing(): readonly Document[] {
    const { trailing } = this.#pieces[this.#at - 1]!
    if (trailing.length === 0) return noDocuments
    return trailing.map(({ text, isBlock }) => trailingComment(text, isBlock))
  }

  // ---- Comments before the next piece

  /** The line break before the next item of a list: an empty line if the author left one. */
  itemBreak(otherwise: Document): Document {
    return (this.piece.leading[0] ?? this.piece).newlines > 1 ? blankLine : otherwise
  }

  /** Comments before the next piece, with the break after them; empty if they are already taken. */
  leading(): Document {
    const { kind, leading, newlines } = this.piece
    if (leading.length === 0 || this.#isLeadingTaken) return ''
    this.#isLeadingTaken = true
    // A space before the bracket of an access would start an array.
    const space = kind === '[' ? '' : ' '
    const end = newlines > 1 ? blankLine : newlines === 1 ? hardLine : space
    return concat([printComments(leading, false), end])
  }

  /** Comments before the next piece, with the breaks before them and without the break after them. */
  #takeLeading(): Document {
    const { leading } = this.piece
    const comments = this.#isLeadingTaken || leading.length === 0 ? '' : printComments(leading, true)
    this.#isLeadingTaken = true
    return comments
  }

  /** Takes a closing bracket. Comments before it belong to the indented content. */
  close(content: Document, separator: Document, ...kinds: readonly TokenKind[]): Document {
    return concat([indent(concat([content, this.#takeLeading()])), separator, this.take(...kinds)])
  }

  /** Takes the closing bracket of an empty list or body. Comments keep it on a line of its own. */
  closeEmpty(open: Document, ...kinds: readonly TokenKind[]): Document {
    const edge = this.isAfterLineComment || this.hasOwnLineComment ? hardLine : ''
    return concat([open, this.close(this.hasOwnLineComment ? hardLine : '', edge, ...kinds)])
  }

  /** Throws the error for code that no rule can print. */
  fail(): never {
    const { text, start, end } = this.piece
    throwIssue(formatIssues.FORMAT_UNSUPPORTED, { code: text }, { source: this.#source, start, end })
  }
}

const noDocuments: readonly Document[] = []

function printComments(comments: readonly Comment[], isAtEnd: boolean): Document {
  return concat(
    comments.flatMap(({ text, isBlock, newlines }, index) => {
      const isFirst = index === 0 && !isAtEnd
      const before = newlines > 1 && !isFirst ? blankLine : newlines > 0 ? hardLine : isFirst ? '' : ' '
      return [before, leadingComment(text, isBlock)]
    }),
  )
}
