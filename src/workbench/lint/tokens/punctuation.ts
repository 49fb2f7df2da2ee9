import type { TokenType } from './token.ts'

/** An operator or a bracket. */
export interface Punctuation {
  readonly text: string
  readonly type: TokenType
}

/** Longer texts come before their beginnings. */
const table: readonly (readonly [string, TokenType])[] = [
  ['[', 'LBRACK'],
  [']', 'RBRACK'],
  ['{', 'LBRACE'],
  ['}', 'RBRACE'],
  ['(', 'LPAREN'],
  [')', 'RPAREN'],
  ['==', 'ISEQUAL'],
  ['=~', 'MATCH'],
  ['=>', 'FARROW'],
  ['=', 'EQUALS'],
  ['+=', 'APPENDS'],
  ['+>', 'PARROW'],
  ['+', 'PLUS'],
  ['>=', 'GREATEREQUAL'],
  ['>>', 'RSHIFT'],
  ['>', 'GREATERTHAN'],
  ['<=', 'LESSEQUAL'],
  ['<<|', 'LLCOLLECT'],
  ['<-', 'OUT_EDGE'],
  ['<~', 'OUT_EDGE_SUB'],
  ['<|', 'LCOLLECT'],
  ['<<', 'LSHIFT'],
  ['<', 'LESSTHAN'],
  ['!~', 'NOMATCH'],
  ['!=', 'NOTEQUAL'],
  ['!', 'NOT'],
  ['|>>', 'RRCOLLECT'],
  ['|>', 'RCOLLECT'],
  ['->', 'IN_EDGE'],
  ['~>', 'IN_EDGE_SUB'],
  ['-', 'MINUS'],
  [',', 'COMMA'],
  ['.', 'DOT'],
  [':', 'COLON'],
  [';', 'SEMIC'],
  ['?', 'QMARK'],
  ['\\', 'BACKSLASH'],
  ['*', 'TIMES'],
  ['%', 'MODULO'],
  ['|', 'PIPE'],
]

const byFirstCharacter = new Map<string, Punctuation[]>()
for (const [text, type] of table) {
  const list = byFirstCharacter.get(text[0]!) ?? []
  list.push({ text, type })
  byFirstCharacter.set(text[0]!, list)
}

/** The operator or bracket at an offset. */
export function findPunctuation(text: string, at: number): Punctuation | undefined {
  return byFirstCharacter.get(text[at]!)?.find((each) => text.startsWith(each.text, at))
}
