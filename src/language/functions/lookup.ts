import type { CallContext } from '../host.ts'
import { throwArgumentError } from '../ruby-semantics/argument-error.ts'
import type { Hash } from '../values/hash.ts'
import type { Type } from '../values/type.ts'
import type { Value } from '../values/value.ts'
import { failWithoutLocation } from '../values/verbatim-error.ts'
import { assertInstance } from './definition/assert-instance.ts'
import { defineFunction, type FunctionBlock } from './definition/define-function.ts'
import { warnDeprecatedUse } from './definition/deprecation-warnings.ts'
import { functionIssues } from './definition/issues.ts'

const valueTypes = {
  value_type: 'Optional[ValueType]',
  default_value: 'DefaultValueType',
  override: 'Optional[Hash[String, Any]]',
  default_values_hash: 'Optional[Hash[String, Any]]',
  merge: 'Optional[MergeType]',
}
const optionTypes = Object.entries(valueTypes).map(([name, type]) => `${name} => ${type}`)

/**
 * `lookup`: converts the arguments of its five signatures to a `LookupRequest`. Throws LOOKUP_NOT_FOUND if there is
 * neither data nor a default.
 */
export const lookup = defineFunction(
  'lookup',
  'Looks up a key in Hiera, with an optional default, merge strategy and type.',
  {
    'NameType $name, ValueType $value_type?, MergeType $merge?': (
      name: Names,
      valueType: Type | undefined,
      merge: Value,
      context: CallContext,
    ) => lookUpData({ name, valueType, merge }, context),
    'NameType $name, Optional[ValueType] $value_type, Optional[MergeType] $merge, DefaultValueType $default_value': (
      name: Names,
      valueType: Type | undefined,
      merge: Value,
      standard: Value,
      context: CallContext,
    ) => lookUpData({ name, valueType, merge, standard: { value: standard } }, context),
    'NameType $name, ValueType $value_type?, MergeType $merge?, BlockType &$block': (
      name: Names,
      valueType: Type | undefined,
      merge: Value,
      block: FunctionBlock,
      context: CallContext,
    ) => lookUpData({ name, valueType, merge, block }, context),
    'OptionsWithName $options_hash, BlockType &$block?': (
      options: Hash,
      block: FunctionBlock | undefined,
      context: CallContext,
    ) => lookUpData({ name: options.get('name') as Names, ...readOptions(options), block }, context),
    'Variant[String, Array[String]] $name, OptionsWithoutName $options_hash, BlockType &$block?': (
      name: Names,
      options: Hash,
      block: FunctionBlock | undefined,
      context: CallContext,
    ) => lookUpData({ name, ...readOptions(options), block }, context),
  },
  {
    types: {
      NameType: 'Variant[String, Array[String]]',
      ValueType: 'Type',
      DefaultValueType: 'Any',
      MergeType: 'Variant[String[1], Hash[String, Scalar]]',
      BlockType: 'Callable[NameType]',
      OptionsWithName: `Struct[{name => NameType, ${optionTypes.join(', ')}}]`,
      OptionsWithoutName: `Struct[{${optionTypes.join(', ')}}]`,
    },
  },
)

/** Hiera 3's `hiera`: returns the first value found. Accepts the override level and ignores it. */
export const hiera = defineHieraFunction('hiera', 'first')
/** Hiera 3's `hiera_array`: returns a flat array of unique values from all levels. */
export const hieraArray = defineHieraFunction('hiera_array', 'unique')
/** Hiera 3's `hiera_hash`: merges the hashes of all levels; higher levels take precedence. */
export const hieraHash = defineHieraFunction('hiera_hash', 'hash')
/**
 * Hiera 3's `hiera_include`: includes the classes that `hiera_array` finds. Throws RUNTIME_ERROR if
 * there are none.
 */
export const hieraInclude = defineHieraFunction('hiera_include', 'unique', (key, value, context) => {
  if (value === undefined) throwArgumentError(`Could not find data item ${key}`)
  if (value === '' || (Array.isArray(value) && value.length === 0)) return undefined
  return context.host.findFunction('include', context.scope)?.call(context, [value])
})

/** One key, or several keys; the first key with data is used. */
type Names = string | readonly string[]

/** Arguments of `lookup`, from any of its signatures. */
export interface LookupRequest {
  readonly name: Names
  readonly valueType?: Type | undefined
  readonly merge?: Value
  readonly standard?: { readonly value: Value } | undefined
  readonly override?: Hash | undefined
  readonly defaultValues?: Hash | undefined
  readonly block?: FunctionBlock | undefined
  /** True for a Hiera 3 function. */
  readonly legacy?: boolean
}

function readOptions(options: Hash): Omit<LookupRequest, 'name' | 'block'> {
  return {
    valueType: options.get('value_type') as Type | undefined,
    merge: options.get('merge'),
    standard: options.has('default_value') ? { value: options.get('default_value') } : undefined,
    override: options.get('override') as Hash | undefined,
    defaultValues: options.get('default_values_hash') as Hash | undefined,
  }
}

/** Looks up data. Precedence: overrides, data, default values hash, then block or default. */
export function lookUpData(question: LookupRequest, { host, scope }: CallContext): Value {
  const { name, valueType, merge, standard, override, defaultValues, block } = question
  const names = typeof name === 'string' ? [name] : name
  const checkValue = (subject: string, value: Value): Value => {
    if (valueType) assertInstance(subject, valueType, value)
    return value
  }
  for (const key of names) {
    if (override?.has(key)) {
      checkValue(`Value found for key '${key}' in override hash`, override.get(key))
      return checkValue('Found value', override.get(key))
    }
    const options = {
      ...(override && { override }),
      ...(defaultValues && { defaultValues }),
      ...(question.legacy && { legacy: true }),
    }
    const found = host.lookup({ key, merge, ...options }, scope)
    if (found.found) return checkValue('Found value', found.value)
  }
  for (const key of names)
    if (defaultValues?.has(key))
      return checkValue(`Value found for key '${key}' in default values hash`, defaultValues.get(key))
  if (block) return checkValue('Value returned from default block', block(name))
  if (standard) return checkValue('Default value', standard.value)
  return failWithoutLocation(functionIssues.LOOKUP_NOT_FOUND, { names })
}

/** Defines a Hiera 3 function, for compatibility with old code. */
function defineHieraFunction(
  name: string,
  merge: string,
  then: (key: string, value: Value, context: CallContext) => Value = (_, value) => value,
) {
  const lookUpLegacy = (key: string, context: CallContext, more: Partial<LookupRequest>): Value => {
    if (context.host.strict !== 'off')
      warnDeprecatedUse(
        context,
        `The function '${name}' is deprecated in favor of using 'lookup'. ` +
          'See https://puppet.com/docs/puppet/8/deprecated_language.html',
        { once: true },
      )
    return then(key, lookUpData({ name: key, merge, legacy: true, ...more }, context), context)
  }
  return defineFunction(name, `Looks up a key with the merge strategy '${merge}', as in Hiera 3.`, {
    'Tuple[String, Any, Any, 1, 3] $args': ([key, ...rest]: [string, ...Value[]], context: CallContext) =>
      lookUpLegacy(key, context, rest.length > 0 ? { standard: { value: rest[0] } } : {}),
    'String $key': (key: string, context: CallContext) => lookUpLegacy(key, context, {}),
    'String $key, Any $default, Any $override?': (key: string, value: Value, _: Value, context: CallContext) =>
      lookUpLegacy(key, context, { standard: { value } }),
    'String $key, Callable[1,1] &$default_block': (key: string, block: FunctionBlock, context: CallContext) =>
      lookUpLegacy(key, context, { block }),
    'String $key, Any $override, Callable[1,1] &$default_block': (
      key: string,
      _: Value,
      block: FunctionBlock,
      context: CallContext,
    ) => lookUpLegacy(key, context, { block }),
  })
}
