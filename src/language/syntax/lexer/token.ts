/** Words with a meaning of their own. `true` and `false` are `BOOLEAN` tokens. */
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
/** Words that only the language of plans knows (Puppet's setting `tasks`). */
const taskWords = ['apply', 'plan'] as const

type Word = (typeof words)[number] | (typeof taskWords)[number]

/** The kind of a token; that of punctuation is its own text. */
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
  /** A string up to its first interpolation, between two, after the last. */
  | 'DQPRE'
  | 'DQMID'
  | 'DQPOST'
  /** `@(…)`; a `STRING` or a `DQPRE` follows. */
  | 'HEREDOC'
  | 'EPP_START'
  | 'RENDER_STRING'
  | 'RENDER_EXPR'
  | 'EPP_END'
  | Operator
  /** A character that means nothing. */
  | 'OTHER'
  | 'EOF'

type Operator =
  | '['
  /** `[` after white space: always an array. */
  | ' ['
  | ']'
  | '{'
  /** `{` after `?` */
  | '?{'
  | '}'
  | '('
  /** `(` first on its line: never a call. */
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

/** A piece of the text, with its place in the source. */
export interface Token {
  readonly kind: TokenKind
  /** The text of names and numbers, the value of strings; what a syntax error quotes. */
  readonly value: string
  readonly start: number
  readonly end: number
}

/** The kinds of the words of the language, by their texts. */
export const keywords: ReadonlyMap<string, TokenKind> = new Map<string, TokenKind>([
  ...words.map((word) => [word, word] as const),
  ['true', 'BOOLEAN'],
  ['false', 'BOOLEAN'],
])

/** The kinds of keywords by their text in sources with plans: `plan`, `apply` and the like besides the usual. */
export const keywordsOfTasks: ReadonlyMap<string, TokenKind> = new Map<string, TokenKind>([
  ...keywords,
  ...taskWords.map((word) => [word, word] as const),
])

const keywordKinds: ReadonlySet<string> = new Set([...words, ...taskWords])

/** True for the kind of a keyword, which may be the name of an attribute. */
export function isWord(kind: TokenKind): kind is Word {
  return keywordKinds.has(kind)
}

const operandEnds: ReadonlySet<TokenKind> = new Set<TokenKind>([
  ...([')', ']', '|>>', '|>', 'NAME', 'CLASSREF', 'NUMBER', 'STRING', 'BOOLEAN', 'REGEX', 'VARIABLE', 'WORD'] as const),
  ...(['DQPRE', 'DQMID', 'DQPOST', 'HEREDOC'] as const),
])

/** True for the kind of a token after which a `/` divides, and begins no regular expression. */
export function mayEndOperand(kind: TokenKind): boolean {
  return operandEnds.has(kind)
}
