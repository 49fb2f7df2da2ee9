import { parseManifest } from '../parser/parser.ts'
import { type ResolveType, typeFromExpression } from './from-expression.ts'
import type { Type } from './type.ts'

/** The type that a text says, such as `Array[Integer, 1]`. Throws the parser's errors, or NOT_A_TYPE. */
export function parseType(text: string, resolve?: ResolveType): Type {
  const { body } = parseManifest({ file: undefined, text })
  const only = body.kind === 'Block' && body.statements.length === 1 ? body.statements[0]! : body
  return typeFromExpression(only, resolve)
}
