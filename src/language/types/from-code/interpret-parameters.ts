import { throwArgumentError } from '../../ruby-semantics/argument-error.ts'
import { Hash } from '../../values/hash.ts'
import { Regexp } from '../../values/regexp.ts'
import { type IntegerType, isType, type Type } from '../../values/type.ts'
import { DEFAULT, type Value } from '../../values/value.ts'
import * as make from '../constructors.ts'
import { generalizeType } from '../generalize.ts'
import { createInitType } from '../init-type.ts'
import { makeTypeSet } from '../objects/make-type-set.ts'
import { getRubyClassName } from '../ruby-class.ts'
import { parameterize } from './parameterize.ts'

/** Throws the error for a parameter that is not a type. */
type Refuse = () => never

type Rule = (base: Type, args: readonly Value[], refuseAll: Refuse) => Type | undefined

/**
 * Applies parameters to a type without evaluating them. The error messages differ from those of the `[]` operator.
 * `undefined` if Puppet ignores the parameters. Puppet: type_parser.rb, `interpret_AccessExpression`.
 */
export function interpretParameters(
  name: string,
  base: Type,
  args: readonly Value[],
  refuseAll: Refuse,
): Type | undefined {
  switch (base.kind) {
    case 'TypeReference':
    case 'TypeSet':
      return rules[base.kind]!(base, args, refuseAll)
    case 'Resource':
      if (base.typeName === undefined) return parameterizeResource(args)
      if (args.length !== 1) failParameterCount(name, '1', args)
      return make.createResourceType(base.typeName, String(args[0]))
    case 'Object':
      if (base.name !== undefined) return parameterize(base, args) as Type
  }
  const rule = rules[base.kind]
  return rule ? rule(base, args, refuseAll) : throwArgumentError(`Not a parameterized type <${name}>`)
}

const isInteger = (value: Value): value is number | bigint => typeof value === 'number' || typeof value === 'bigint'
const isBound = (value: Value): boolean => isInteger(value) || value === DEFAULT || value === 'default'
const isIntegerType = (value: Value): value is IntegerType => isType(value) && value.kind === 'Integer'

function failParameterCount(name: string, needed: string, args: readonly Value[]): never {
  return throwArgumentError(
    `Invalid number of type parameters specified: ${name} requires ${needed}, ${args.length} provided`,
  )
}

/** Creates a rule for `min` to `max` parameters, by default with the rules of the `[]` operator. */
function createCountRule(
  name: string,
  min: number,
  max: number,
  needed: string,
  made: Rule = parameterizeByOperator,
): Rule {
  return (base, args, refuseAll) =>
    args.length < min || args.length > max ? failParameterCount(name, needed, args) : made(base, args, refuseAll)
}

const parameterizeByOperator: Rule = (base, args) => parameterize(base, args) as Type

/** Creates a rule for exactly one type; if `literal` is true, a string is also valid. */
const createContainedRule =
  (create: (type: Type) => Type, literal = false): Rule =>
  (_, [only], refuseAll) => {
    if (literal && typeof only === 'string') return create(make.createLiteralStringType(only))
    return isType(only) ? create(only) : refuseAll()
  }

/** Parses a size: one Integer type, or one or two bounds. */
function parseSize(args: readonly Value[], refuseAll: Refuse): readonly Value[] {
  if (args.length === 1 && isIntegerType(args[0])) return args
  return args.every(isBound) ? args.map((arg) => (arg === 'default' ? DEFAULT : arg)) : refuseAll()
}

const parameterizeSized: Rule = (base, args, refuseAll) => parameterize(base, parseSize(args, refuseAll)) as Type

/** Rule for Array. As in Puppet, two bounds without an element type (`Array[0, 1]`) give the element type Default. */
const parameterizeArray: Rule = (base, [first, ...rest], refuseAll) => {
  if (rest.length === 1 && !isType(first))
    return parameterizeArray(base, [make.DEFAULT_TYPE, first, ...rest], refuseAll)
  if (!isType(first)) return refuseAll()
  return parameterize(base, [first, ...parseSize(rest, refuseAll)]) as Type
}

const parameterizeHash: Rule = (base, args, refuseAll) => {
  const [key, value, ...rest] = args
  if (args.length === 2 && !(isType(key) && isType(value)))
    return parameterizeHash(base, [make.DEFAULT_TYPE, make.DEFAULT_TYPE, ...parseSize(args, refuseAll)], refuseAll)
  const bounds = parseSize(rest, refuseAll)
  return isType(key) && isType(value) ? (parameterize(base, [key, value, ...bounds]) as Type) : refuseAll()
}

/** Creates a rule for bounds. As in Puppet, an invalid bound is ignored without an error if it is the only one. */
const createRangeRule =
  (isEnd: (value: Value) => boolean): Rule =>
  (base, args, refuseAll) =>
    args.every((arg) => isEnd(arg) || arg === DEFAULT)
      ? (parameterize(base, args) as Type)
      : args.length === 1
        ? undefined
        : refuseAll()

const parameterizeEnum: Rule = (base, args) => {
  const values = typeof args.at(-1) === 'boolean' ? args.slice(0, -1) : args
  if (values.length === 0) return failParameterCount('Enum', '1 or more', values)
  if (!values.every((value) => typeof value === 'string'))
    return throwArgumentError('Enum parameters must be identifiers or strings')
  return parameterize(base, args) as Type
}

const parameterizePattern: Rule = (base, args) => {
  const wrong = args.find(
    (arg) =>
      !(typeof arg === 'string' || arg instanceof Regexp) &&
      !(isType(arg) && (arg.kind === 'Regexp' || arg.kind === 'Pattern')),
  )
  if (wrong === undefined && !args.includes(undefined)) return parameterize(base, args) as Type
  return throwArgumentError(
    `Only String, Regexp, Pattern-Type, and Regexp-Type are allowed: got '${getRubyClassName(wrong)}`,
  )
}

const parameterizeTypes: Rule = (base, args, refuseAll) =>
  args.every(isType) ? (parameterize(base, args) as Type) : refuseAll()

function parameterizeResource(args: readonly Value[]): Type {
  const [given, title] = args
  if (args.length > 2) return failParameterCount('Resource', '1 or 2', args)
  const type = isType(given) && given.kind === 'TypeReference' ? given.typeString : given
  if (isType(type) && type.kind === 'Resource')
    return make.createResourceType(type.typeName, title === undefined ? undefined : String(title))
  if (typeof type !== 'string') return throwArgumentError(`The type name cannot be a ${getRubyClassName(type)}`)
  if (!/^(?:::)?[A-Za-z]\w*(?:::[A-Za-z]\w*)*$/.test(type)) return throwArgumentError(`Illegal type name '${type}'`)
  return make.createResourceType(type, title === undefined ? undefined : String(title))
}

const most = Number.POSITIVE_INFINITY
const any: Rule = parameterizeByOperator

const rules: { readonly [Kind in Type['kind']]?: Rule } = {
  Array: createCountRule('Array', 1, 3, '1 to 3', parameterizeArray),
  Hash: createCountRule('Hash', 2, 4, '2 to 4', parameterizeHash),
  Collection: createCountRule('Collection', 1, 2, '1 to 2', parameterizeSized),
  String: createCountRule('String', 1, 2, '1 to 2', parameterizeSized),
  Class: createCountRule('Class', 1, 1, '1', any),
  Regexp: createCountRule('Regexp', 1, 1, '1', any),
  Enum: parameterizeEnum,
  Pattern: createCountRule('Pattern', 1, most, '1 or more', parameterizePattern),
  URI: createCountRule('URI', 1, 1, '1', any),
  Variant: createCountRule('Variant', 1, most, '1 or more', parameterizeTypes),
  Tuple: createCountRule('Tuple', 1, most, '1 or more', any),
  Callable: (base, args) => {
    if (args.length > 1 && Array.isArray(args[0]) && args.length !== 2)
      return failParameterCount('callable', '2 when first parameter is an array', args)
    return parameterize(base, args) as Type
  },
  Struct: createCountRule('Struct', 1, 1, '1', (base, [only], refuseAll) =>
    only instanceof Hash ? (parameterize(base, [only]) as Type) : refuseAll(),
  ),
  Boolean: createCountRule('Boolean', 1, 1, '1', (_, [only]) =>
    typeof only === 'boolean'
      ? make.createBooleanType(only)
      : throwArgumentError('Boolean parameter must be true or false'),
  ),
  Integer: createCountRule('Integer', 1, 2, '1 or 2', createRangeRule(isInteger)),
  Float: createCountRule(
    'Float',
    1,
    2,
    '1 or 2',
    createRangeRule((value) => typeof value !== 'string' && !isType(value)),
  ),
  Object: createCountRule('Object', 1, 1, '1', any),
  TypeSet: createCountRule('Object', 1, 1, '1', (_, [only]) => makeTypeSet(only)),
  Init: (_, [type, ...rest], refuseAll) => (isType(type) ? createInitType(type, rest) : refuseAll()),
  Iterable: createCountRule('Iterable', 1, 1, '1', createContainedRule(make.createIterableType)),
  Iterator: createCountRule('Iterator', 1, 1, '1', createContainedRule(make.createIteratorType)),
  Sensitive: createCountRule(
    'Sensitive',
    0,
    1,
    '0 to 1',
    createContainedRule((type) => make.createSensitiveType(generalizeType(type))),
  ),
  Optional: createCountRule('Optional', 1, 1, '1', createContainedRule(make.createOptionalType, true)),
  NotUndef: createCountRule('NotUndef', 0, 1, '0 to 1', createContainedRule(make.createNotUndefType, true)),
  Type: createCountRule('Type', 1, 1, '1', createContainedRule(make.createTypeType)),
  Runtime: createCountRule('Runtime', 2, 2, '2', any),
  Timespan: createCountRule('Timespan', 0, 2, '0 to 2', any),
  Timestamp: createCountRule('Timestamp', 0, 2, '0 to 2', any),
  SemVer: createCountRule('SemVer', 1, most, '1 or more', any),
  // Puppet prints `TypeReference['…']` but cannot read it. Plumbline reads it, so that stored
  // catalogs can be loaded.
  TypeReference: (_, [text]) => make.createTypeReferenceType(String(text)),
}
