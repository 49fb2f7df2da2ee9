import { findVariable } from '../../evaluator/variable-lookup.ts'
import type { CallContext } from '../../host.ts'
import { throwArgumentError } from '../../ruby-semantics/argument-error.ts'
import { inferType } from '../../types/infer.ts'
import { ERROR } from '../../types/objects/builtin-objects.ts'
import { inspectValue } from '../../types/printing/ruby-text.ts'
import { toText } from '../../types/printing/text.ts'
import { Hash } from '../../values/hash.ts'
import { ObjectValue } from '../../values/object.ts'
import type { Value } from '../../values/value.ts'
import { defineFunction, type FunctionBlock } from '../definition/define-function.ts'
import { splitKey } from './dotted-key.ts'

/** `dig`: undef if a key is absent. Throws RUNTIME_ERROR if a value on the path is not a collection. */
export const dig = defineFunction('dig', 'Returns a nested value by a list of keys and indexes.', {
  'Optional[Collection] $data, Any *$arg': (data: Value, path: readonly Value[]) => {
    const found = walkPath(data, path)
    return 'value' in found ? found.value : throwErrorValue(found.error)
  },
})

/**
 * `get`: returns the default if the value or a value on the path is undef. For an invalid step, calls the block with an
 * `Error`.
 */
export const get = defineFunction('get', 'Returns a nested value by a dotted string of keys and indexes.', {
  'Any $value, String $dotted_string, Any $default_value?, Callable[1,1] &$block?': (
    value: Value,
    path: string,
    standard: Value,
    block: FunctionBlock | undefined,
    context: CallContext,
  ) => navigatePath(value, path, standard, block, context),
})

/** `getvar`: returns the default for an unknown variable, regardless of `strict_variables`. */
export const getvar = defineFunction(
  'getvar',
  'Returns the value of a variable, or a nested value in it; otherwise a default.',
  {
    'Pattern[/\\A(?:::)?(?:[a-z]\\w*::)*[a-z_]\\w*(?:\\.|\\Z)/] $get_string, Any $default_value?, Callable[1,1] &$block?':
      (text: string, standard: Value, block: FunctionBlock | undefined, context: CallContext) => {
        const [, name = '', rest = ''] = /^((?:::)?(?:\w+::)*\w+)(.*)$/s.exec(text) ?? []
        if (rest !== '' && !rest.startsWith('.')) {
          const message = `First character after var name in get string must be a '.' - got ${rest[0]}`
          throwArgumentError(message)
        }
        const found = findVariable(name, context)
        return found ? navigatePath(found.value, rest.slice(1), standard, block, context) : standard
      },
  },
  {
    mismatch: {
      'String $get_string, Any $default_value?, Callable &$block?': () =>
        'The given string does not start with a valid variable name',
    },
  },
)

/** The value at a path, or an `Error` value with the reason why the path is invalid. */
type Found = { readonly value: Value } | { readonly error: ObjectValue }

function walkPath(data: Value, path: readonly Value[]): Found {
  const walked: Value[] = []
  let value = data
  for (const key of path) {
    if (value === undefined || key === undefined) return { value: undefined }
    if (!Array.isArray(value) && !(value instanceof Hash)) {
      const type = inferType(value)
      const message = `The given data does not contain a Collection at ${inspectValue(walked)}, got '${toText(type)}'`
      return { error: createSliceError(message, 'EXPECTED_COLLECTION', [...walked], 'value_type', type) }
    }
    walked.push(key)
    if (Array.isArray(value) && typeof key !== 'number') {
      const type = inferType(key)
      const message = `The given data requires an Integer index at ${inspectValue(walked)}, got '${toText(type)}'`
      return { error: createSliceError(message, 'EXPECTED_INTEGER_INDEX', [...walked], 'index_type', type) }
    }
    value = value instanceof Hash ? value.get(key) : (value as readonly Value[]).at(key as number)
  }
  return { value }
}

function createSliceError(
  message: string,
  code: string,
  path: readonly Value[],
  name: string,
  type: Value,
): ObjectValue {
  const details = Hash.from({ walked_path: path, [name]: type })
  const attributes = { msg: message, kind: 'SLICE_ERROR', details, issue_code: code }
  return new ObjectValue(ERROR, new Map(Object.entries(attributes)))
}

function navigatePath(
  value: Value,
  path: string,
  standard: Value,
  block: FunctionBlock | undefined,
  context: CallContext,
): Value {
  if (value === undefined) return standard
  if (path === '') return value
  const segments = splitKey(`x.${path}`)
  if (!segments) return throwArgumentError('Syntax error in dotted-navigation string')
  if (!Array.isArray(value) && !(value instanceof Hash)) return dig.call(context, [value, ...segments.slice(1)])
  const found = walkPath(value, segments.slice(1))
  if ('error' in found) return block ? block(found.error) : throwErrorValue(found.error)
  return found.value ?? standard
}

function throwErrorValue(error: ObjectValue): never {
  throwArgumentError(error.attributes.get('msg') as string)
}
