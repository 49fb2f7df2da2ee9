import { fail } from '../../base/issue.ts'
import type { CallContext } from '../host.ts'
import { findNamedType } from '../types/find-named-type.ts'
import { parseType } from '../types/from-code/parse.ts'
import { generalize } from '../types/generalize.ts'
import { infer, inferSet } from '../types/infer.ts'
import { isInstance } from '../types/is-instance.ts'
import { describeTypeMismatch } from '../types/mismatch/mismatch.ts'
import type { Type } from '../values/type.ts'
import type { Value } from '../values/value.ts'
import { type Block, defineFunction } from './definition/define-function.ts'
import { functionIssues } from './definition/issues.ts'

/** `assert_type`: calls the block with the expected and the actual type; without a block, throws TYPE_ASSERTION. */
export const assertType = defineFunction(
  'assert_type',
  'Returns the value if it has the type; otherwise fails, or calls the block.',
  {
    'Type $type, Any $value, Callable[Type, Type] &$block?': asserted,
    'String $type_string, Any $value, Callable[Type, Type] &$block?': (
      text: string,
      value: Value,
      block: Block | undefined,
      context: CallContext,
    ) =>
      asserted(
        parseType(text, (name) => findNamedType(name, context)),
        value,
        block,
      ),
  },
)

/** `type`: infers the type of a value; by default `detailed`, with Tuple and Struct. See `infer` and `inferSet`. */
export const type = defineFunction('type', 'Returns the type of a value: detailed, reduced or generalized.', {
  'Any $value, Enum[detailed] $inference_method?': (value: Value) => inferSet(value),
  'Any $value, Enum[reduced] $inference_method': (value: Value) => infer(value),
  'Any $value, Enum[generalized] $inference_method': (value: Value) => generalize(infer(value)),
})

function asserted(type: Type, value: Value, block: Block | undefined): Value {
  if (isInstance(type, value)) return value
  const inferred = inferSet(value)
  if (block) return block(type, inferred)
  return fail(functionIssues.TYPE_ASSERTION, { message: describeTypeMismatch('assert_type():', type, inferred) })
}
