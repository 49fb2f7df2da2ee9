import { budgets } from '../../../base/budgets/budgets.ts'
import { PuppetError } from '../../../base/issue.ts'
import { getChildren } from '../../../language/syntax/tree/children.ts'
import type { AnyNode, Expression, NodeOf } from '../../../language/syntax/tree/nodes.ts'
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
  readonly #sizes = new Map<string, number>()
  readonly #types = new WeakMap<Expression, { readonly type: Type | undefined }>()

  constructor(definitions: CodeDefinitions) {
    this.#definitions = definitions
  }

  /** The type of an expression; undefined if a name in it, or in an alias that it names, is not a known data type. */
  resolve(expression: Expression): Type | undefined {
    const known = this.#types.get(expression)
    if (known) return known.type
    const type =
      this.#measure(expression) <= budgets.workbench.typeParts.bound
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

  /** The number of names in a type and in the aliases that it names; infinite for unknown names and recursive aliases. */
  #measure(root: Expression): number {
    let size = 0
    const pending: AnyNode[] = [root]
    for (let node = pending.pop(); node; node = pending.pop()) {
      size += node.kind === 'QualifiedReference' && !findBuiltinType(node.casedValue) ? this.#measureAlias(node) : 1
      for (const each of getChildren(node)) pending.push(each)
    }
    return size
  }

  #measureAlias({ casedValue }: NodeOf<'QualifiedReference'>): number {
    const name = casedValue.toLowerCase()
    const known = this.#sizes.get(name)
    if (known !== undefined) return known
    this.#sizes.set(name, Infinity)
    const found = this.#definitions.findAlias(name)
    const size = found ? this.#measure(found.node.type) : Infinity
    this.#sizes.set(name, size)
    return size
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
