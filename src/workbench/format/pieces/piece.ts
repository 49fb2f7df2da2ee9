import type { TokenKind } from '../../../language/syntax/lexer/token.ts'

/** A comment between two pieces. */
export interface Comment {
  /** The comment with its markers, without spaces at the ends of its lines. */
  readonly text: string
  /** True for a block comment, false for a comment up to the end of the line. */
  readonly isBlock: boolean
  readonly start: number
  /** Line breaks between the comment and the comment or piece before it. */
  readonly newlines: number
}

/** The smallest unit of output: a token, a whole string with its interpolations, or a heredoc with its text. */
export interface Piece {
  readonly kind: TokenKind
  readonly text: string
  readonly start: number
  readonly end: number
  /** Text of a heredoc, with the line of its end tag; undefined for other pieces. */
  readonly heredoc: string | undefined
  /** Comments that stay before this piece. */
  readonly leading: readonly Comment[]
  /** Comments that stay after this piece, on its line. */
  readonly trailing: readonly Comment[]
  /** Line breaks between this piece and the last leading comment, or the piece before it. */
  readonly newlines: number
  /** True if a line break separates this piece from the piece before it. */
  readonly startsLine: boolean
}
