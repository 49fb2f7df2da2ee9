import { syntaxIssues } from '../issues/syntax.ts'
import type { Token } from '../lexer/token.ts'
import type { Expression } from '../tree/nodes.ts'
import type { TokenCursor } from './cursor.ts'

/** Functions that can be called without parentheses. Puppet: factory.rb. */
export const statementFunctions: ReadonlySet<string> = new Set([
  ...['require', 'realize', 'include', 'contain', 'tag'],
  ...['debug', 'info', 'notice', 'warning', 'err'],
  ...['fail', 'import', 'break', 'next', 'return'],
])

/** Arguments `a, b` of a call without parentheses. */
export interface CommaList {
  readonly kind: 'CommaList'
  readonly comma: Token
  readonly values: readonly Expression[]
}

/** Merges function names such as `include` with the arguments that follow them into calls. */
export function transformCalls(p: TokenCursor, statements: readonly (Expression | CommaList)[]): Expression[] {
  const result: Expression[] = []
  for (const statement of statements) {
    const name = result.at(-1)
    if (name?.kind === 'QualifiedName' && statementFunctions.has(name.value)) {
      const values = statement.kind === 'CommaList' ? statement.values : [statement]
      const span = p.span(name.span, values.at(-1)!.span)
      const call = { kind: 'CallNamedFunction', functor: name, arguments: values, lambda: undefined } as const
      result[result.length - 1] = { ...call, span, rvalRequired: false }
    } else if (statement.kind === 'CommaList') rejectCommaList(p, statement, name)
    else result.push(statement.kind === 'CallNamedFunction' ? { ...statement, rvalRequired: false } : statement)
  }
  return result
}

function rejectCommaList(p: TokenCursor, { comma }: CommaList, name: Expression | undefined): never {
  if (name?.kind !== 'QualifiedName') p.fail(syntaxIssues.ILLEGAL_ARGUMENT_LIST, {}, comma)
  p.fail(syntaxIssues.ARGUMENTS_WITHOUT_PARENTHESES, { name: name.value }, comma)
}
