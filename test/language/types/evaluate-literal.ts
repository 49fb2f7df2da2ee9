import type { CallContext } from '../../../src/language/host.ts'
import { parseManifest } from '../../../src/language/syntax/parser/parser.ts'
import type { Expression } from '../../../src/language/syntax/tree/nodes.ts'
import { createResourceType } from '../../../src/language/types/constructors.ts'
import { toTypeFromExpression } from '../../../src/language/types/from-code/type-expressions.ts'
import { createValue } from '../../../src/language/types/new/new-value.ts'
import { toText } from '../../../src/language/types/printing/text.ts'
import { Float } from '../../../src/language/values/float.ts'
import { Hash } from '../../../src/language/values/hash.ts'
import { Regexp } from '../../../src/language/values/regexp.ts'
import { DEFAULT, type Value } from '../../../src/language/values/value.ts'

/** What literals, type expressions and `Type(…)` in a text are worth; no evaluator is needed for those. */
export function evaluateLiteral(text: string): Value {
  const { body } = parseManifest({ file: undefined, text })
  return worthOf(body.kind === 'Block' ? body.statements.at(-1)! : body)
}

const context = {} as CallContext

function worthOf(expression: Expression): Value {
  switch (expression.kind) {
    case 'LiteralString':
    case 'LiteralInteger':
    case 'LiteralBoolean':
    case 'QualifiedName':
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
      return expression.values.map(worthOf)
    case 'LiteralHash':
      return Hash.of(expression.entries.map(({ key, value }) => [worthOf(key), worthOf(value)] as const))
    case 'UnaryMinus': {
      const value = worthOf(expression.expression)
      return value instanceof Float ? new Float(-value.value) : -(value as number)
    }
    case 'ConcatenatedString':
      return expression.segments.map((each) => toText(worthOf(each))).join('')
    case 'TextExpression':
      return worthOf(expression.expression)
    case 'CallNamedFunction':
      return createValue(toTypeFromExpression(expression.functor, resolve), expression.arguments.map(worthOf), context)
    default:
      return toTypeFromExpression(expression, resolve)
  }
}

const resolve = (name: string) => (name === 'File' ? createResourceType('file') : undefined)
