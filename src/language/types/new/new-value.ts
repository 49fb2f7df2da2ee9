import type { CallContext } from '../../host.ts'
import { throwArgumentError } from '../../ruby-semantics/argument-error.ts'
import type { ObjectValue } from '../../values/object.ts'
import type { InitType, ObjectType, Type } from '../../values/type.ts'
import type { Value } from '../../values/value.ts'
import { createResourceType } from '../constructors.ts'
import { parseType } from '../from-code/type-parser.ts'
import { inferDetailedType } from '../infer.ts'
import { isInstance } from '../is-instance.ts'
import { describeTypeMismatch } from '../mismatch/mismatch.ts'
import { LOOKUP_CONTEXT } from '../objects/builtin-objects.ts'
import { PCORE_TYPES } from '../objects/pcore-types.ts'
import { makeTypeOfKind } from '../objects/type-construction.ts'
import { printWithDefinition } from '../printing/print.ts'
import { newArray, newHash } from './collections.ts'
import {
  newBinary,
  newRegexp,
  newSemVer,
  newSemVerRange,
  newSensitive,
  newText,
  newUnit,
  newUri,
} from './miscellaneous.ts'
import { callNew, type NewFunction } from './new-function.ts'
import { newBoolean, newFloat, newInteger, newNumeric } from './numbers.ts'
import { createObject } from './object.ts'
import { newTimespan, newTimestamp } from './times.ts'

/**
 * Evaluates `Type.new(…)` and `Type(…)`. Throws RUNTIME_ERROR in Puppet's words. Puppet:
 * functions/new.rb.
 */
export function createValue(type: Type, args: readonly Value[], context: CallContext): Value {
  if (args.length === 1 && type.kind !== 'Init' && isInstance(type, args[0])) return args[0]
  const made = createInstance(type, args, context)
  if (isInstance(type, made)) return made
  const subject = `Converted value from ${printWithDefinition(type)}.new() has wrong type,`
  return throwArgumentError(describeTypeMismatch(subject, type, inferDetailedType(made)))
}

const functions: { readonly [Kind in Type['kind']]?: NewFunction } = {
  Array: newArray,
  Binary: newBinary,
  Boolean: newBoolean,
  Float: newFloat,
  Hash: newHash,
  Integer: newInteger,
  Numeric: newNumeric,
  Regexp: newRegexp,
  SemVer: newSemVer,
  SemVerRange: newSemVerRange,
  Sensitive: newSensitive,
  String: newText,
  Struct: newHash,
  Timespan: newTimespan,
  Timestamp: newTimestamp,
  Tuple: newArray,
  Unit: newUnit,
  URI: newUri,
}

const builtinResourceTypes: ReadonlySet<string> = new Set([
  ...['component', 'exec', 'file', 'filebucket', 'group', 'node', 'notify', 'package', 'resources', 'schedule'],
  ...['service', 'stage', 'tidy', 'user', 'whit'],
])

function findResourceType(name: string): Type | undefined {
  return builtinResourceTypes.has(name.toLowerCase()) ? createResourceType(name) : undefined
}

/** Implements `Type.new`, which parses a type from a string. As in Puppet, types defined in code are not found. */
const newType: NewFunction = {
  name: 'new_type',
  dispatches: [
    {
      parameters: ['String[1] type_string'],
      run: ([text]) => parseType(text, findResourceType),
    },
  ],
}

function createInstance(type: Type, args: readonly Value[], context: CallContext): Value {
  switch (type.kind) {
    case 'TypeAlias':
      return createInstance(type.resolved, args, context)
    case 'Optional':
    case 'NotUndef':
      if (type.type.kind !== 'Any') return createInstance(type.type, args, context)
      return type.kind === 'NotUndef' ? callNew(newUnit, args, context) : failUnsupported(type)
    case 'Type':
      return callNew(newType, args, context)
    case 'Init':
      return createFromInit(type, args, context)
    case 'Object':
      return type.initHash === undefined
        ? failUnsupported(type)
        : completeByHost(type, createObject(type, args), context)
    default: {
      const definition = functions[type.kind]
      return definition ? callNew(definition, args, context) : failUnsupported(type)
    }
  }
}

/** Lets the host complete an instance of `Puppet::LookupContext`. */
function completeByHost(type: ObjectType, made: ObjectValue, context: CallContext): Value {
  if (type !== LOOKUP_CONTEXT) return convertPcoreInstance(type, made)
  return context.host.lookupContext?.(made.attributes.get('module_name') as string | undefined, context) ?? made
}

/** Converts an instance of a Pcore type to a type: `Pcore::IntegerType(1)` is `Integer[1]`. */
function convertPcoreInstance({ name = '' }: ObjectType, made: ObjectValue): Value {
  if (!PCORE_TYPES.has(name)) return made
  return (
    makeTypeOfKind(name.slice('Pcore::'.length, -'Type'.length), (attribute) => made.attributes.get(attribute)) ?? made
  )
}

function failUnsupported(type: Type): never {
  throwArgumentError(`Creation of new instance of type '${printWithDefinition(type)}' is not supported`)
}

/**
 * `Init[T, args…].new`: a single value is passed to T; an array is spread into T's arguments unless
 * T accepts it unchanged.
 */
function createFromInit(init: InitType, args: readonly Value[], context: CallContext): Value {
  const { type } = init
  if (!type) return failUnsupported(init)
  if (args.length !== 1)
    return throwArgumentError(`'new_Init' expects 1 argument, got ${args.length === 0 ? 'none' : args.length}`)
  const [value] = args
  const acceptance = init.acceptance!
  if (init.arguments.length > 0) return createValue(type, [value, ...init.arguments], context)
  if (!Array.isArray(value) || isInstance(acceptance.single, value)) return createValue(type, [value], context)
  return createValue(type, value, context)
}
