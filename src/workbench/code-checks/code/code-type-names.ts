import { PuppetError } from '../../../base/issue.ts'
import { getChildren } from '../../../language/syntax/tree/children.ts'
import type { AnyNode, Expression } from '../../../language/syntax/tree/nodes.ts'
import { findBuiltinType } from '../../../language/types/builtin-types.ts'
import { createDefinedType } from '../../../language/types/from-code/define-type.ts'
import { toLiteralValue, toTypeFromExpression } from '../../../language/types/from-code/type-expressions.ts'
import type { Type } from '../../../language/values/type.ts'
import type { Value } from '../../../language/values/value.ts'
import type { CodeDefinitions } from './code-definitions.ts'

/** The types that expressions in code mean. */
export class CodeTypeNames {
  readonly #definitions: CodeDefinitions
  readonly #aliases = new Map<string, Type | undefined>()
  readonly #types = new WeakMap<Expression, { readonly type: Type | undefined }>()

  constructor(definitions: CodeDefinitions) {
    this.#definitions = definitions
  }

  /** The type of an expression; undefined if a name in it, or in an alias that it names, is not a known data type. */
  resolve(expression: Expression): Type | undefined {
    const known = this.#types.get(expression)
    if (known) return known.type
    const type = this.#isResolvable(expression, new Set())
      ? ignoreErrors(() => toTypeFromExpression(expression, (name) => this.#findAlias(name)))
      : undefined
    this.#types.set(expression, { type })
    return type
  }

  #findAlias(given: string): Type | undefined {
    const name = given.toLowerCase()
    if (this.#aliases.has(name)) return this.#aliases.get(name)
    const found = this.#definitions.findAlias(name)
    const type = found && createDefinedType(found.node.name, found.node.type, (each) => this.#findAlias(each))
    this.#aliases.set(name, type)
    return type
  }

  #isResolvable(root: Expression, seen: Set<string>): boolean {
    const pending: AnyNode[] = [root]
    for (let node = pending.pop(); node; node = pending.pop()) {
      if (node.kind === 'QualifiedReference' && !findBuiltinType(node.casedValue)) {
        const name = node.casedValue.toLowerCase()
        const found = seen.has(name) ? undefined : this.#definitions.findAlias(name)
        if (!found && !seen.has(name)) return false
        seen.add(name)
        if (found) pending.push(found.node.type)
      }
      pending.push(...getChildren(node))
    }
    return true
  }
}

/** A literal value; `undefined` in `value` is the literal undef. Returns undefined if the expression is not literal. */
export function readLiteral(node: Expression): { readonly value: Value } | undefined {
  return isLiteral(node) ? ignoreErrors(() => ({ value: toLiteralValue(node, () => undefined) })) : undefined
}

const literalKinds: ReadonlySet<string> = new Set([
  ...['LiteralString', 'LiteralInteger', 'LiteralFloat', 'LiteralBoolean', 'LiteralUndef', 'LiteralList'],
  ...['LiteralHash', 'KeyedEntry', 'QualifiedName', 'UnaryMinus', 'LiteralRegexp', 'LiteralDefault'],
])

function isLiteral(root: Expression): boolean {
  const pending: AnyNode[] = [root]
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (!literalKinds.has(node.kind)) return false
    pending.push(...getChildren(node))
  }
  return true
}

/** Undefined if the work throws an error about the code, which the validation of that code reports. */
function ignoreErrors<Result>(work: () => Result): Result | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof PuppetError) return undefined
    throw error
  }
}
