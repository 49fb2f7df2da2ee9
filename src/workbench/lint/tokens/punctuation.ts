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

/** The operators and brackets that begin with a character, by its code. */
const byFirstCharacter = new Map<number, Punctuation[]>()
for (const [text, type] of table) {
  const list = byFirstCharacter.get(text.charCodeAt(0)) ?? []
  list.push({ text, type })
  byFirstCharacter.set(text.charCodeAt(0), list)
}

/** The operator or bracket at an offset. */
export function findPunctuation(text: string, at: number): Punctuation | undefined {
  const list = byFirstCharacter.get(text.charCodeAt(at))
  if (list === undefined) return undefined
  for (const each of list) if (each.text.length === 1 || text.startsWith(each.text, at)) return each
  return undefined
}
