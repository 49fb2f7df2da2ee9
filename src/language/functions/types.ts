import { throwIssue } from '../../base/issue.ts'
import type { CallContext } from '../host.ts'
import { findNamedType } from '../types/find-named-type.ts'
import { parseType } from '../types/from-code/type-parser.ts'
import { generalizeType } from '../types/generalize.ts'
import { inferDetailedType, inferType } from '../types/infer.ts'
import { isInstance } from '../types/is-instance.ts'
import { describeTypeMismatch } from '../types/mismatch/mismatch.ts'
import type { Type } from '../values/type.ts'
import type { Value } from '../values/value.ts'
import { defineFunction, type FunctionBlock } from './definition/define-function.ts'
import { functionIssues } from './definition/issues.ts'

/** `assert_type`: calls the block with the expected and the actual type; without a block, throws TYPE_ASSERTION. */
export const assertType = defineFunction(
  'assert_type',
  'Returns the value if it has the type; otherwise fails, or calls the block.',
  {
    'Type $type, Any $value, Callable[Type, Type] &$block?': checkInstance,
    'String $type_string, Any $value, Callable[Type, Type] &$block?': (
      text: string,
      value: Value,
      block: FunctionBlock | undefined,
      context: CallContext,
    ) =>
      checkInstance(
        parseType(text, (name) => findNamedType(name, context)),
        value,
        block,
      ),
  },
)

/**
 * `type`: infers the type of a value; by default `detailed`, with Tuple and Struct. See `inferType` and
 * `inferDetailedType`.
 */
export const type = defineFunction('type', 'Returns the type of a value: detailed, reduced or generalized.', {
  'Any $value, Enum[detailed] $inference_method?': (value: Value) => inferDetailedType(value),
  'Any $value, Enum[reduced] $inference_method': (value: Value) => inferType(value),
  'Any $value, Enum[generalized] $inference_method': (value: Value) => generalizeType(inferType(value)),
})

function checkInstance(type: Type, value: Value, block: FunctionBlock | undefined): Value {
  if (isInstance(type, value)) return value
  const inferred = inferDetailedType(value)
  if (block) return block(type, inferred)
  return throwIssue(functionIssues.TYPE_ASSERTION, { message: describeTypeMismatch('assert_type():', type, inferred) })
}
