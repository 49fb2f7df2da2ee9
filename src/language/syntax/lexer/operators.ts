import type { TokenKind } from './token.ts'

/** Operators by their first character, longest first. */
const operators: Readonly<Record<string, readonly TokenKind[]>> = {
  '=': ['==', '=>', '=~', '='],
  '+': ['+=', '+>', '+'],
  '-': ['->', '-=', '-'],
  '!': ['!=', '!~', '!'],
  '~': ['~>', '~'],
  '|': ['|>>', '|>', '|'],
  '<': ['<<|', '<<', '<=', '<|', '<-', '<~', '<'],
  '>': ['>>', '>=', '>'],
  '@': ['@@', '@'],
  ...Object.fromEntries([...']);,.:?*/%'].map((each) => [each, [each as TokenKind]])),
}
const operatorsByCode: (readonly TokenKind[] | undefined)[] = []
for (const [first, kinds] of Object.entries(operators)) operatorsByCode[first.charCodeAt(0)] = kinds

/** The longest operator at `at`; `code` is the character code at `at`. */
export function findOperator(text: string, at: number, code: number): TokenKind | undefined {
  const kinds = operatorsByCode[code]
  if (!kinds) return undefined
  return kinds.length === 1 ? kinds[0] : kinds.find((each) => text.startsWith(each, at))
}
