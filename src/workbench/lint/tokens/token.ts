import { countCharacters } from './characters.ts'

/** Types of tokens, with the names that puppet-lint gives them. */
export type TokenType = (typeof tokenTypes)[number]

// biome-ignore format: a list of names
const tokenTypes = [
  'CASE', 'CLASS', 'DEFAULT', 'DEFINE', 'IMPORT', 'IF', 'ELSIF', 'ELSE', 'INHERITS', 'NODE', 'AND', 'OR', 'UNDEF',
  'FALSE', 'TRUE', 'IN', 'UNLESS', 'FUNCTION', 'TYPE', 'ATTR', 'PRIVATE',
  'WHITESPACE', 'NEWLINE', 'INDENT', 'COMMENT', 'SLASH_COMMENT', 'MLCOMMENT',
  'CLASSREF', 'NUMBER', 'FUNCTION_NAME', 'NAME', 'VARIABLE', 'UNENC_VARIABLE', 'REGEX',
  'SSTRING', 'STRING', 'DQPRE', 'DQMID', 'DQPOST',
  'HEREDOC_OPEN', 'HEREDOC', 'HEREDOC_PRE', 'HEREDOC_MID', 'HEREDOC_POST',
  'LBRACK', 'RBRACK', 'LBRACE', 'RBRACE', 'LPAREN', 'RPAREN', 'ISEQUAL', 'MATCH', 'FARROW', 'EQUALS', 'APPENDS',
  'PARROW', 'PLUS', 'GREATEREQUAL', 'RSHIFT', 'GREATERTHAN', 'LESSEQUAL', 'LLCOLLECT', 'OUT_EDGE', 'OUT_EDGE_SUB',
  'LCOLLECT', 'LSHIFT', 'LESSTHAN', 'NOMATCH', 'NOTEQUAL', 'NOT', 'RRCOLLECT', 'RCOLLECT', 'IN_EDGE', 'IN_EDGE_SUB',
  'MINUS', 'COMMA', 'DOT', 'COLON', 'SEMIC', 'QMARK', 'BACKSLASH', 'TIMES', 'MODULO', 'PIPE', 'DIV', 'AT',
] as const

/** Words that are tokens of their own type: the word in capitals. */
export const keywords: ReadonlySet<string> = new Set(tokenTypes.slice(0, 21).map((type) => type.toLowerCase()))

/** True for white space, line breaks and comments. */
export function isFormatting(type: TokenType): boolean {
  switch (type) {
    case 'WHITESPACE':
    case 'NEWLINE':
    case 'INDENT':
    case 'COMMENT':
    case 'SLASH_COMMENT':
    case 'MLCOMMENT':
      return true
    default:
      return false
  }
}

/**
 * A token of a manifest. It is linked with its neighbors twice: by `next` and `previous`, as the lexer read it and as
 * corrections see it, and in a TokenList by the order in which tokens are printed. Most corrections change both.
 */
export class Token {
  type: TokenType
  value: string
  /** The source text of a variable, a comment or a heredoc. */
  raw: string | undefined
  /** Line, from 1; 0 for a token that a correction added. */
  readonly line: number
  /** Column in characters, from 1. */
  readonly column: number
  /** Position in the list of tokens as read. */
  index = -1
  next: Token | undefined
  previous: Token | undefined
  /** The next token that is not formatting. Only tokens that are not formatting have it. */
  nextCode: Token | undefined
  previousCode: Token | undefined
  /** The token printed after this one. */
  after: Token | undefined
  before: Token | undefined
  /** True after a correction removed the token; its links stay, so that later corrections find its place. */
  isRemoved = false

  constructor(type: TokenType, value: string, line = 0, column = 0, raw?: string) {
    this.type = type
    this.value = value
    this.line = line
    this.column = column
    this.raw = raw
  }
}

/** The text of a token in a manifest. */
export function renderToken(token: Token): string {
  const { type, value } = token
  switch (type) {
    case 'STRING':
      return `"${value}"`
    case 'SSTRING':
      return `'${value}'`
    case 'DQPRE':
      return `"${value}${closePart(token)}`
    case 'DQPOST':
      return `${openPart(token)}${value}"`
    case 'DQMID':
    case 'HEREDOC_MID':
      return `${openPart(token)}${value}${closePart(token)}`
    case 'VARIABLE':
      return isEnclosed(token) ? (token.raw ?? value) : `$${value}`
    case 'UNENC_VARIABLE':
      // The lexer reads a line break before the variable as a part of its name.
      return value.startsWith('\n$') ? value : `$${value}`
    case 'COMMENT':
      return `#${value}`
    case 'SLASH_COMMENT':
      return `//${value}`
    case 'REGEX':
      return `/${value}/`
    case 'MLCOMMENT':
    case 'HEREDOC':
      return token.raw ?? ''
    case 'HEREDOC_OPEN':
      return `@(${value})`
    case 'HEREDOC_PRE':
      return `${value}${closePart(token)}`
    case 'HEREDOC_POST':
      return `${openPart(token)}${token.raw ?? ''}`
    default:
      return value
  }
}

/** The number of characters of a token in a manifest. */
export function countTokenCharacters(token: Token): number {
  return countCharacters(renderToken(token))
}

/** True for a variable that directly follows the beginning of an interpolation, `${`. */
function isEnclosed({ previousCode }: Token): boolean {
  switch (previousCode?.type) {
    case 'DQPRE':
    case 'DQMID':
    case 'HEREDOC_PRE':
    case 'HEREDOC_MID':
      return true
    default:
      return false
  }
}

function closePart({ next }: Token): string {
  switch (next?.type) {
    case 'UNENC_VARIABLE':
    case 'DQMID':
    case 'DQPOST':
    case 'HEREDOC_MID':
    case 'HEREDOC_POST':
      return ''
    default:
      return '${'
  }
}

function openPart({ previous }: Token): string {
  switch (previous?.type) {
    case 'UNENC_VARIABLE':
    case 'DQPRE':
    case 'DQMID':
    case 'HEREDOC_PRE':
    case 'HEREDOC_MID':
      return ''
    default:
      return '}'
  }
}
