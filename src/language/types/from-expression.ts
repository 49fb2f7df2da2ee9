import { defineIssues, fail, locatedAt } from '../../base/issue.ts'
import type { Expression } from '../ast/nodes.ts'
import { Float } from '../values/float.ts'
import { Hash } from '../values/hash.ts'
import { Regexp } from '../values/regexp.ts'
import { DEFAULT, type Value } from '../values/value.ts'
import { typeReferenceType } from './make.ts'
import { builtinType } from './names.ts'
import { parameterize } from './parameterize.ts'
import { printType } from './print.ts'
import { isType, type Type } from './type.ts'

const issues = defineIssues({
  NOT_A_TYPE: { text: ({ text }: { text: string }) => `The expression <${text}> is not a valid type specification.` },
})

/** Finds a type that is not the language's own: an alias, an Object type, a resource type. */
export type ResolveType = (name: string) => Type | undefined

/** The type that a literal type expression says. A name that nobody knows gives a TypeReference. Throws NOT_A_TYPE. */
export function typeFromExpression(expression: Expression, resolve: ResolveType = () => undefined): Type {
  const value = literalOf(expression, resolve)
  return isType(value) ? value : refuseExpression(expression)
}

/** The type of that name: the language's own, one that `resolve` finds, or a TypeReference. */
export function typeByName(name: string, resolve: ResolveType = () => undefined): Type {
  return builtinType(name) ?? resolve(name.replace(/^::/, '')) ?? typeReferenceType(name)
}

function literalOf(expression: Expression, resolve: ResolveType): Value {
  switch (expression.kind) {
    case 'QualifiedReference':
      return typeByName(expression.casedValue, resolve)
    case 'QualifiedName':
    case 'LiteralString':
    case 'LiteralInteger':
    case 'LiteralBoolean':
      return expression.value
    case 'LiteralFloat':
      return new Float(expression.value)
    case 'LiteralUndef':
      return undefined
    case 'LiteralDefault':
      return DEFAULT
    case 'LiteralRegexp':
      return new Regexp(expression.pattern)
    case 'LiteralList':
      return expression.values.map((each) => literalOf(each, resolve))
    case 'LiteralHash':
      return Hash.of(
        expression.entries.map(({ key, value }) => [literalOf(key, resolve), literalOf(value, resolve)] as const),
      )
    case 'Parenthesized':
      return literalOf(expression.expression, resolve)
    case 'UnaryMinus':
      return negative(literalOf(expression.expression, resolve)) ?? refuseExpression(expression)
    case 'Access':
      return accessOf(expression, resolve)
    case 'Heredoc':
      return literalOf(expression.text, resolve)
    default:
      return refuseExpression(expression)
  }
}

function accessOf(expression: Extract<Expression, { kind: 'Access' }>, resolve: ResolveType): Value {
  const base = literalOf(expression.left, resolve)
  if (!isType(base)) return refuseExpression(expression)
  const keys = expression.keys.map((key) => literalOf(key, resolve))
  if (base.kind === 'TypeReference' && base.typeString !== 'UnresolvedReference')
    return typeReferenceType(`${base.typeString}[${keys.map(textOfKey).join(', ')}]`)
  return locatedAt(expression.span, () => parameterize(base, keys))
}

function textOfKey(key: Value): string {
  if (isType(key)) return printType(key)
  return typeof key === 'string' ? `'${key}'` : String(key)
}

function negative(value: Value): Value {
  if (typeof value === 'number' || typeof value === 'bigint') return -value
  return value instanceof Float ? new Float(-value.value) : undefined
}

function refuseExpression({ span }: Expression): never {
  fail(issues.NOT_A_TYPE, { text: span.source.text.slice(span.start, span.end) }, span)
}
