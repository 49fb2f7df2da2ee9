import { refuse } from '../../ruby-semantics/argument-error.ts'
import { Hash } from '../../values/hash.ts'
import { Regexp } from '../../values/regexp.ts'
import { type IntegerType, isType, type Type } from '../../values/type.ts'
import { DEFAULT, type Value } from '../../values/value.ts'
import { generalize } from '../generalize.ts'
import * as make from '../make.ts'
import { initType } from '../make-init.ts'
import { makeTypeSet } from '../objects/make-type-set.ts'
import { rubyClass } from '../ruby-class.ts'
import { parameterize } from './parameterize.ts'

/** Throws the error for a parameter that is not a type. */
type Refuse = () => never

type Rule = (base: Type, args: readonly Value[], refuseAll: Refuse) => Type | undefined

/**
 * Applies parameters to a type without evaluating them. The error messages differ from those of the `[]` operator.
 * `undefined` if Puppet ignores the parameters. Puppet: type_parser.rb, `interpret_AccessExpression`.
 */
export function parametersFor(name: string, base: Type, args: readonly Value[], refuseAll: Refuse): Type | undefined {
  switch (base.kind) {
    case 'TypeReference':
    case 'TypeSet':
      return rules[base.kind]!(base, args, refuseAll)
    case 'Resource':
      if (base.typeName === undefined) return resource(args)
      if (args.length !== 1) count(name, '1', args)
      return make.resourceType(base.typeName, String(args[0]))
    case 'Object':
      if (base.name !== undefined) return parameterize(base, args) as Type
  }
  const rule = rules[base.kind]
  return rule ? rule(base, args, refuseAll) : refuse(`Not a parameterized type <${name}>`)
}

const isInteger = (value: Value): value is number | bigint => typeof value === 'number' || typeof value === 'bigint'
const isBound = (value: Value): boolean => isInteger(value) || value === DEFAULT || value === 'default'
const isIntegerType = (value: Value): value is IntegerType => isType(value) && value.kind === 'Integer'

function count(name: string, needed: string, args: readonly Value[]): never {
  return refuse(`Invalid number of type parameters specified: ${name} requires ${needed}, ${args.length} provided`)
}

/** Creates a rule for `min` to `max` parameters, by default with the rules of the `[]` operator. */
function between(name: string, min: number, max: number, needed: string, made: Rule = byOperator): Rule {
  return (base, args, refuseAll) =>
    args.length < min || args.length > max ? count(name, needed, args) : made(base, args, refuseAll)
}

const byOperator: Rule = (base, args) => parameterize(base, args) as Type

/** Creates a rule for exactly one type; if `literal` is true, a string is also valid. */
const contained =
  (create: (type: Type) => Type, literal = false): Rule =>
  (_, [only], refuseAll) => {
    if (literal && typeof only === 'string') return create(make.literalStringType(only))
    return isType(only) ? create(only) : refuseAll()
  }

/** Parses a size: one Integer type, or one or two bounds. */
function size(args: readonly Value[], refuseAll: Refuse): readonly Value[] {
  if (args.length === 1 && isIntegerType(args[0])) return args
  return args.every(isBound) ? args.map((arg) => (arg === 'default' ? DEFAULT : arg)) : refuseAll()
}

const sized: Rule = (base, args, refuseAll) => parameterize(base, size(args, refuseAll)) as Type

/** Rule for Array. As in Puppet, `Array[0, 1]` has the element type Default, like a hash. */
const array: Rule = (base, [first, ...rest], refuseAll) => {
  if (rest.length === 1 && !isType(first)) return array(base, [make.DEFAULT_TYPE, first, ...rest], refuseAll)
  if (!isType(first)) return refuseAll()
  return parameterize(base, [first, ...size(rest, refuseAll)]) as Type
}

const hash: Rule = (base, args, refuseAll) => {
  const [key, value, ...rest] = args
  if (args.length === 2 && !(isType(key) && isType(value)))
    return hash(base, [make.DEFAULT_TYPE, make.DEFAULT_TYPE, ...size(args, refuseAll)], refuseAll)
  const bounds = size(rest, refuseAll)
  return isType(key) && isType(value) ? (parameterize(base, [key, value, ...bounds]) as Type) : refuseAll()
}

/** Creates a rule for bounds. As in Puppet, an invalid bound is ignored without an error if it is the only one. */
const range =
  (isEnd: (value: Value) => boolean): Rule =>
  (base, args, refuseAll) =>
    args.every((arg) => isEnd(arg) || arg === DEFAULT)
      ? (parameterize(base, args) as Type)
      : args.length === 1
        ? undefined
        : refuseAll()

const enumeration: Rule = (base, args) => {
  const values = typeof args.at(-1) === 'boolean' ? args.slice(0, -1) : args
  if (values.length === 0) return count('Enum', '1 or more', values)
  if (!values.every((value) => typeof value === 'string'))
    return refuse('Enum parameters must be identifiers or strings')
  return parameterize(base, args) as Type
}

const pattern: Rule = (base, args) => {
  const wrong = args.find(
    (arg) =>
      !(typeof arg === 'string' || arg instanceof Regexp) &&
      !(isType(arg) && (arg.kind === 'Regexp' || arg.kind === 'Pattern')),
  )
  if (wrong === undefined && !args.includes(undefined)) return parameterize(base, args) as Type
  return refuse(`Only String, Regexp, Pattern-Type, and Regexp-Type are allowed: got '${rubyClass(wrong)}`)
}

const types: Rule = (base, args, refuseAll) => (args.every(isType) ? (parameterize(base, args) as Type) : refuseAll())

function resource(args: readonly Value[]): Type {
  const [given, title] = args
  if (args.length > 2) return count('Resource', '1 or 2', args)
  const type = isType(given) && given.kind === 'TypeReference' ? given.typeString : given
  if (isType(type) && type.kind === 'Resource')
    return make.resourceType(type.typeName, title === undefined ? undefined : String(title))
  if (typeof type !== 'string') return refuse(`The type name cannot be a ${rubyClass(type)}`)
  if (!/^(?:::)?[A-Za-z]\w*(?:::[A-Za-z]\w*)*$/.test(type)) return refuse(`Illegal type name '${type}'`)
  return make.resourceType(type, title === undefined ? undefined : String(title))
}

const most = Number.POSITIVE_INFINITY
const any: Rule = byOperator

const rules: { readonly [Kind in Type['kind']]?: Rule } = {
  Array: between('Array', 1, 3, '1 to 3', array),
  Hash: between('Hash', 2, 4, '2 to 4', hash),
  Collection: between('Collection', 1, 2, '1 to 2', sized),
  String: between('String', 1, 2, '1 to 2', sized),
  Class: between('Class', 1, 1, '1', any),
  Regexp: between('Regexp', 1, 1, '1', any),
  Enum: enumeration,
  Pattern: between('Pattern', 1, most, '1 or more', pattern),
  URI: between('URI', 1, 1, '1', any),
  Variant: between('Variant', 1, most, '1 or more', types),
  Tuple: between('Tuple', 1, most, '1 or more', any),
  Callable: (base, args) => {
    if (args.length > 1 && Array.isArray(args[0]) && args.length !== 2)
      return count('callable', '2 when first parameter is an array', args)
    return parameterize(base, args) as Type
  },
  Struct: between('Struct', 1, 1, '1', (base, [only], refuseAll) =>
    only instanceof Hash ? (parameterize(base, [only]) as Type) : refuseAll(),
  ),
  Boolean: between('Boolean', 1, 1, '1', (_, [only]) =>
    typeof only === 'boolean' ? make.booleanType(only) : refuse('Boolean parameter must be true or false'),
  ),
  Integer: between('Integer', 1, 2, '1 or 2', range(isInteger)),
  Float: between(
    'Float',
    1,
    2,
    '1 or 2',
    range((value) => typeof value !== 'string' && !isType(value)),
  ),
  Object: between('Object', 1, 1, '1', any),
  TypeSet: between('Object', 1, 1, '1', (_, [only]) => makeTypeSet(only)),
  Init: (_, [type, ...rest], refuseAll) => (isType(type) ? initType(type, rest) : refuseAll()),
  Iterable: between('Iterable', 1, 1, '1', contained(make.iterableType)),
  Iterator: between('Iterator', 1, 1, '1', contained(make.iteratorType)),
  Sensitive: between(
    'Sensitive',
    0,
    1,
    '0 to 1',
    contained((type) => make.sensitiveType(generalize(type))),
  ),
  Optional: between('Optional', 1, 1, '1', contained(make.optionalType, true)),
  NotUndef: between('NotUndef', 0, 1, '0 to 1', contained(make.notUndefType, true)),
  Type: between('Type', 1, 1, '1', contained(make.typeType)),
  Runtime: between('Runtime', 2, 2, '2', any),
  Timespan: between('Timespan', 0, 2, '0 to 2', any),
  Timestamp: between('Timestamp', 0, 2, '0 to 2', any),
  SemVer: between('SemVer', 1, most, '1 or more', any),
  // Puppet prints `TypeReference['…']` but cannot read it. Plumbline reads it, so that stored
  // catalogs can be loaded.
  TypeReference: (_, [text]) => make.typeReferenceType(String(text)),
}
