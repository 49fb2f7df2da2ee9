import { PuppetError } from '../../../base/issue.ts'
import { refuse } from '../../ruby-semantics/argument-error.ts'
import { parseManifest } from '../../syntax/parser/parser.ts'
import type { Expression } from '../../syntax/tree/nodes.ts'
import type { Type } from '../../values/type.ts'
import { VerbatimError } from '../../values/verbatim-error.ts'
import { definedType } from './define-type.ts'
import { type ResolveType, typeFromExpression } from './from-expression.ts'

/** The type that a text says, such as `Array[Integer, 1]`. Throws the parser's errors, or RUNTIME_ERROR. */
export function parseType(text: string, resolve: ResolveType = () => undefined): Type {
  const body = parsed(text)
  const only = body.kind === 'Block' && body.statements.length === 1 ? body.statements[0]! : body
  return only.kind === 'TypeAlias' ? definedType(only.name, only.type, resolve) : typeFromExpression(only, resolve)
}

/** The place of a syntax error is that in the text. */
function parsed(text: string): Expression {
  try {
    return parseManifest({ file: undefined, text }).body
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    const { diagnostic } = error
    if (diagnostic.wholeFile) return refuse(diagnostic.message)
    throw new VerbatimError(diagnostic, { cause: error })
  }
}
