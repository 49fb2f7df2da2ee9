/** Keywords. `true` and `false` are `BOOLEAN` tokens. */
const words = [
  'and',
  'attr',
  'case',
  'class',
  'default',
  'define',
  'else',
  'elsif',
  'function',
  'if',
  'in',
  'inherits',
  'node',
  'or',
  'private',
  'type',
  'undef',
  'unless',
] as const
/** Words that are keywords only in plans (Puppet's setting `tasks`). */
const taskWords = ['apply', 'plan'] as const

type Word = (typeof words)[number] | (typeof taskWords)[number]

/** The kind of a token; the kind of a punctuation token is its text. */
export type TokenKind =
  | Word
  | 'BOOLEAN'
  | 'NAME'
  | 'WORD'
  | 'CLASSREF'
  | 'VARIABLE'
  | 'NUMBER'
  | 'REGEX'
  | 'STRING'
  /** Text of a string: before the first interpolation, between two interpolations, and after the last. */
  | 'DQPRE'
  | 'DQMID'
  | 'DQPOST'
  /** `@(…)`; the next token is a `STRING` or a `DQPRE`. */
  | 'HEREDOC'
  | 'EPP_START'
  | 'RENDER_STRING'
  | 'RENDER_EXPR'
  | 'EPP_END'
  | Operator
  /** A character that starts no token. */
  | 'OTHER'
  | 'EOF'

type Operator =
  | '['
  /** `[` after white space: always an array literal. */
  | ' ['
  | ']'
  | '{'
  /** `{` after `?`: starts the options of a selector. */
  | '?{'
  | '}'
  | '('
  /** `(` at the start of a line: never the arguments of a call. */
  | '\n('
  | ')'
  | '='
  | '+='
  | '-='
  | '=='
  | '!='
  | '=~'
  | '!~'
  | '>='
  | '>'
  | '<='
  | '<'
  | '=>'
  | '+>'
  | '<<'
  | '<<|'
  | '<|'
  | '>>'
  | '|>>'
  | '|>'
  | '+'
  | '-'
  | '/'
  | '*'
  | '%'
  | '!'
  | '.'
  | '|'
  | '@'
  | '@@'
  | ':'
  | ','
  | ';'
  | '?'
  | '~'
  | '->'
  | '~>'
  | '<-'
  | '<~'

/** A token with its location in the source. */
export interface Token {
  readonly kind: TokenKind
  /** Text of a name or number, or value of a string. Syntax errors quote this text. */
  readonly value: string
  readonly start: number
  readonly end: number
}

/** Token kinds of the keywords, by text. */
export const keywords: ReadonlyMap<string, TokenKind> = new Map<string, TokenKind>([
  ...words.map((word) => [word, word] as const),
  ['true', 'BOOLEAN'],
  ['false', 'BOOLEAN'],
])

/** Token kinds of the keywords in plans, by text: the usual keywords plus `plan`, `apply` and others. */
export const keywordsOfTasks: ReadonlyMap<string, TokenKind> = new Map<string, TokenKind>([
  ...keywords,
  ...taskWords.map((word) => [word, word] as const),
])

const keywordKinds: ReadonlySet<string> = new Set([...words, ...taskWords])

/** True for a keyword. Keywords are valid names of attributes. */
export function isKeyword(kind: TokenKind): kind is Word {
  return keywordKinds.has(kind)
}

const operandEnds: ReadonlySet<TokenKind> = new Set<TokenKind>([
  ...([')', ']', '|>>', '|>', 'NAME', 'CLASSREF', 'NUMBER', 'STRING', 'BOOLEAN', 'REGEX', 'VARIABLE', 'WORD'] as const),
  ...(['DQPRE', 'DQMID', 'DQPOST', 'HEREDOC'] as const),
])

/**
 * True if the token can end an operand, so that a `/` after it is a division and not the start of a regular expression.
 */
export function canEndOperand(kind: TokenKind): boolean {
  return operandEnds.has(kind)
}
