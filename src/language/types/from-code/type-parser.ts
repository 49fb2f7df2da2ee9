import { PuppetError } from '../../../base/issue.ts'
import { throwArgumentError } from '../../ruby-semantics/argument-error.ts'
import { parseManifest } from '../../syntax/parser/parser.ts'
import type { Expression } from '../../syntax/tree/nodes.ts'
import type { Type } from '../../values/type.ts'
import { VerbatimError } from '../../values/verbatim-error.ts'
import { createDefinedType } from './define-type.ts'
import { type ResolveType, toTypeFromExpression } from './type-expressions.ts'

/** Parses a type such as `Array[Integer, 1]`. Throws syntax errors or RUNTIME_ERROR. */
export function parseType(text: string, resolve: ResolveType = () => undefined): Type {
  const body = parseExpression(text)
  const only = body.kind === 'Block' && body.statements.length === 1 ? body.statements[0]! : body
  return only.kind === 'TypeAlias'
    ? createDefinedType(only.name, only.type, resolve)
    : toTypeFromExpression(only, resolve)
}

/** Parses an expression; syntax errors are located in `text`. */
function parseExpression(text: string): Expression {
  try {
    return parseManifest({ file: undefined, text }).body
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    const { diagnostic } = error
    if (diagnostic.wholeFile) return throwArgumentError(diagnostic.message)
    throw new VerbatimError(diagnostic, { cause: error })
  }
}
