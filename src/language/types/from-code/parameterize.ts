import { throwIssue } from '../../../base/issue.ts'
import { getArticle } from '../../../base/text/article.ts'
import { throwArgumentError } from '../../ruby-semantics/argument-error.ts'
import { checkRegexp } from '../../ruby-semantics/regexp/match.ts'
import { flattenArrays } from '../../values/flatten.ts'
import { Float } from '../../values/float.ts'
import { Hash } from '../../values/hash.ts'
import { Regexp } from '../../values/regexp.ts'
import { SemVerRange } from '../../values/semver.ts'
import { type Bounds, isType, type Type } from '../../values/type.ts'
import { Uri } from '../../values/uri.ts'
import { DEFAULT, type Value } from '../../values/value.ts'
import { isBlockType } from '../block-type.ts'
import { findBuiltinType } from '../builtin-types.ts'
import * as make from '../constructors.ts'
import { generalizeType } from '../generalize.ts'
import { inferType } from '../infer.ts'
import { createInitType } from '../init-type.ts'
import { isInstance } from '../is-instance.ts'
import { createObjectType } from '../objects/make-object.ts'
import { makeTypeSet } from '../objects/make-type-set.ts'
import { assertValueType } from '../objects/object-initializer.ts'
import { parameterizeObject } from '../objects/object-parameters.ts'
import { getCapitalizedLabel, getLabelWithArticle } from '../printing/label.ts'
import { printType } from '../printing/print.ts'
import { getRubyClassName } from '../ruby-class.ts'
import { toType } from '../type-conversion.ts'
import { URI_PARAMETERS } from '../uri-parameters.ts'
import { toUriType } from '../uri-parts.ts'
import { URI_TEXT } from '../uri-pattern.ts'
import { makeStruct } from './make-struct.ts'
import { failAtKey, sliceIssues as issues, locateSliceIssues, type SlicePlace } from './parameterize-issues.ts'
import { createClassReferences, createResourceReferences } from './parameterize-references.ts'
import { toTimeBound } from './parameterize-time.ts'

/**
 * Evaluates `Type[a, b]`. Several titles or class names give an array of references. The evaluator handles resource
 * parameters such as `File['/x']['mode']`. If `place` is given, issues have a location, except those that Puppet raises
 * as ArgumentError. Puppet: evaluator/access_operator.rb.
 */
export function parameterize(type: Type | string, args: readonly Value[], place?: SlicePlace): Value {
  return locateSliceIssues(place, () => evaluateSlice(type, args))
}

function evaluateSlice(type: Type | string, args: readonly Value[]): Value {
  const base = typeof type === 'string' ? findBuiltinType(type) : type
  if (base === undefined) return throwIssue(issues.UNKNOWN_RESOURCE_TYPE, { name: String(type) })
  switch (base.kind) {
    case 'Resource':
      return createResourceReferences(base, args)
    case 'Class':
      return createClassReferences(base, args)
    case 'TypeReference':
      if (base.typeString === 'UnresolvedReference') return make.createTypeReferenceType(requireString(base, args))
      return throwIssue(issues.UNKNOWN_RESOURCE_TYPE, { name: base.typeString })
  }
  const rule = rules[base.kind]
  if (!rule) return throwIssue(issues.OPERATOR_NOT_APPLICABLE, { operator: '[]', what: getLabelWithArticle(base) })
  return rule(base, unflattened.has(base.kind) ? args : flattenArrays(args))
}

type Rule = (base: Type, args: readonly Value[]) => Type

/** Type of the second parameter in `Runtime[runtime, name]`: a name, or a pattern and its replacement. */
const nameOrPattern = make.createVariantType([
  make.NON_EMPTY_STRING,
  make.createTupleType([make.REGEXP, make.NON_EMPTY_STRING]),
])
const unflattened: ReadonlySet<Type['kind']> = new Set(['Callable', 'Struct', 'Init'])

const rules: { readonly [Kind in Type['kind']]?: Rule } = {
  Integer: parameterizeInteger,
  Float: parameterizeFloat,
  String: (_, args) => {
    if (args.length < 1 || args.length > 2) throwIssue(issues.BAD_STRING_SLICE_ARITY, { actual: args.length })
    return make.createStringType(parseSize(args))
  },
  Boolean: (base, args) => {
    checkArguments(base, args, 1, 'TrueClass or FalseClass', (arg) => typeof arg === 'boolean')
    return make.createBooleanType(args[0] as boolean)
  },
  Enum: (base, args) => {
    const last = args.at(-1)
    const values = typeof last === 'boolean' ? args.slice(0, -1) : args
    checkArguments(base, values, Number.POSITIVE_INFINITY, 'String', (arg) => typeof arg === 'string')
    return make.createEnumType(values as string[], last === true)
  },
  Pattern: parameterizePattern,
  Regexp: (base, args) => {
    const arity = { base: getCapitalizedLabel(base), min: 1, actual: args.length }
    if (args.length > 1) failAtKey(1, issues.BAD_TYPE_SLICE_ARITY, arity)
    if (args.length === 0) throwIssue(issues.BAD_TYPE_SLICE_ARITY, arity)
    checkArguments(base, args, 1, 'String or Regexp', (arg) => typeof arg === 'string' || arg instanceof Regexp)
    return make.createRegexpType(toRegexp(args[0] as string | Regexp))
  },
  Variant: (base, args) => {
    checkTypes(base, args)
    return make.createVariantType(args as Type[])
  },
  Collection: (_, args) => {
    if (args.length < 1 || args.length > 2) failArity('Collection-Type', 1, 2, args)
    return make.createCollectionType(parseSize(args))
  },
  Array: parameterizeArray,
  Hash: parameterizeHash,
  Tuple: parameterizeTuple,
  Struct: (base, args) => {
    checkArguments(base, args, 1, 'Hash', (arg) => arg instanceof Hash)
    return makeStruct(args[0] as Hash)
  },
  Callable: parameterizeCallable,
  Optional: (_, args) => make.createOptionalType(toTypeOrLiteral('Optional', args)),
  NotUndef: (_, args) => {
    if (args.length === 0) return make.NOT_UNDEF
    if (args.length > 1) failArity('NotUndef-Type', 0, 1, args)
    const [only] = args
    if (typeof only === 'string') return make.createNotUndefType(make.createLiteralStringType(only))
    if (!isType(only))
      return failAtKey(0, issues.BAD_NOT_UNDEF_SLICE_TYPE, { base: 'NotUndef-Type', actual: getRubyClassName(only) })
    return make.createNotUndefType(only)
  },
  Type: (_, args) => make.createTypeType(requireType('Type', args)),
  // The type is generalized, so that it does not reveal the secret value.
  Sensitive: (_, args) => make.createSensitiveType(generalizeType(requireType('Sensitive', args))),
  Iterable: (_, args) => make.createIterableType(requireType('Iterable', args)),
  Iterator: (_, args) => make.createIteratorType(requireType('Iterator', args)),
  Init: (_, [type, ...rest]) =>
    isType(type)
      ? createInitType(type, rest)
      : failAtKey(0, issues.BAD_TYPE_SLICE_TYPE, { base: 'Init-Type', actual: getRubyClassName(type) }),
  SemVer: (base, args) => {
    checkArguments(
      base,
      args,
      Number.POSITIVE_INFINITY,
      'String or SemanticPuppet::VersionRange',
      (arg) => typeof arg === 'string' || arg instanceof SemVerRange,
    )
    return make.createSemVerType((args as (string | SemVerRange)[]).map(toVersionRange))
  },
  Timestamp: (base, args) => {
    if (args.length > 2)
      throwIssue(issues.BAD_TYPE_SLICE_ARITY, { base: getCapitalizedLabel(base), min: 0, max: 2, actual: args.length })
    return make.createTimestampType(toTimeBound('Timestamp', args[0]), toTimeBound('Timestamp', args[1]))
  },
  Timespan: (base, args) => {
    if (args.length > 2)
      throwIssue(issues.BAD_TYPE_SLICE_ARITY, { base: getCapitalizedLabel(base), min: 0, max: 2, actual: args.length })
    return make.createTimespanType(toTimeBound('Timespan', args[0]), toTimeBound('Timespan', args[1]))
  },
  URI: (_, args) => {
    if (args.length !== 1) failArity('URI-Type', 1, 1, args)
    const [only] = args
    if (typeof only === 'string' && only !== '') {
      assertValueType('URI-Type parameter', URI_TEXT, only)
      return toUriType(Uri.parse(only))
    }
    if (!(only instanceof Hash) || !isInstance(URI_PARAMETERS, only))
      return failAtKey(0, issues.BAD_TYPE_SLICE_TYPE, { base: 'URI-Type', actual: getRubyClassName(only) })
    return only.size === 0 ? make.URI : make.createUriType(only)
  },
  Runtime: (base, args) => {
    if (args.length !== 2)
      throwIssue(issues.BAD_TYPE_SLICE_ARITY, { base: getCapitalizedLabel(base), min: 1, max: 2, actual: args.length })
    checkArguments(base, args, 2, 'String', (arg) => typeof arg === 'string')
    assertValueType("Runtime 'name_or_pattern'", nameOrPattern, args[1])
    return make.createRuntimeType(args[0] as string, args[1] as string)
  },
  Object: (base, args) => {
    if (base.kind === 'Object' && base.name !== undefined) return parameterizeObject(base, args)
    if (args.length !== 1) failArity('Object-Type', 1, 1, args)
    return createObjectType(args[0])
  },
  TypeSet: (_, args) => {
    if (args.length !== 1) failArity('TypeSet-Type', 1, 1, args)
    return makeTypeSet(args[0])
  },
}

function failArity(base: string, min: number, max: number, args: readonly Value[]): never {
  throwIssue(issues.BAD_TYPE_SLICE_ARITY, { base, min, max: max === min ? undefined : max, actual: args.length })
}

/** Checks that there are one to `max` arguments, each of an accepted type. */
function checkArguments(
  base: Type,
  args: readonly Value[],
  max: number,
  expected: string,
  accepts: (arg: Value) => boolean,
): void {
  if (args.length < 1 || args.length > max)
    throwIssue(issues.BAD_TYPE_SLICE_ARITY, { base: getCapitalizedLabel(base), min: 1, max, actual: args.length })
  const index = args.findIndex((arg) => !accepts(arg))
  if (index === -1) return
  const message = `Cannot use ${getValueName(args[index])} where ${expected} is expected`
  failAtKey(index, issues.BAD_TYPE_SPECIALIZATION, { type: getLabelWithArticle(base), message })
}

function checkTypes(base: Type, args: readonly Value[]): void {
  checkArguments(base, args, Number.POSITIVE_INFINITY, 'Any-Type', isType)
}

function getValueName(value: Value): string {
  if (value === undefined) return 'Undef'
  return value === DEFAULT ? 'Default' : printType(generalizeType(inferType(value)))
}

function requireString(base: Type, args: readonly Value[]): string {
  checkArguments(base, args, 1, 'String', (arg) => typeof arg === 'string')
  return args[0] as string
}

function requireType(kind: string, args: readonly Value[]): Type {
  if (args.length !== 1) failArity(`${kind}-Type`, 1, 1, args)
  const [only] = args
  return isType(only)
    ? only
    : failAtKey(0, issues.BAD_TYPE_SLICE_TYPE, { base: `${kind}-Type`, actual: getRubyClassName(only) })
}

function toTypeOrLiteral(kind: string, args: readonly Value[]): Type {
  return args.length === 1 && typeof args[0] === 'string'
    ? make.createLiteralStringType(args[0])
    : requireType(kind, args)
}

const isInteger = (value: Value): value is number | bigint => typeof value === 'number' || typeof value === 'bigint'
const isRangeEnd = (value: Value): boolean => isInteger(value) || value === DEFAULT || value === 'default'

function parameterizeInteger(_: Type, args: readonly Value[]): Type {
  if (args.length < 1 || args.length > 2)
    throwIssue(issues.BAD_INTEGER_SLICE_ARITY, { kind: 'Integer', actual: args.length })
  const [from, to] = args.map((arg, index) => {
    if (arg === DEFAULT) return undefined
    return isInteger(arg)
      ? arg
      : failAtKey(index, issues.BAD_INTEGER_SLICE_TYPE, {
          kind: 'Integer',
          numbers: 'integers',
          actual: getRubyClassName(arg),
        })
  })
  checkOrder(from, to, String)
  return make.createIntegerType(from, to)
}

function parameterizeFloat(_: Type, args: readonly Value[]): Type {
  if (args.length < 1 || args.length > 2)
    throwIssue(issues.BAD_INTEGER_SLICE_ARITY, { kind: 'Float', actual: args.length })
  const [from, to] = args.map((arg, index) => {
    if (arg === DEFAULT) return undefined
    if (isInteger(arg)) return Number(arg)
    return arg instanceof Float
      ? arg.value
      : failAtKey(index, issues.BAD_INTEGER_SLICE_TYPE, {
          kind: 'Float',
          numbers: 'floats, or integers',
          actual: getRubyClassName(arg),
        })
  })
  checkOrder(from, to, (value) => String(new Float(value as number)))
  return make.createFloatType(from, to)
}

function checkOrder(
  from: number | bigint | undefined,
  to: number | bigint | undefined,
  print: (value: number | bigint) => string,
): void {
  if (from !== undefined && to !== undefined && from > to)
    throwArgumentError(`'from' must be less or equal to 'to'. Got (${print(from)}, ${print(to)}`)
}

/** Parses the size in a parameter list: one Integer type, or one or two integers or `default`. */
function parseSize(args: readonly Value[], start = 0): Bounds<number> {
  const [first] = args
  if (args.length === 1 && isType(first) && first.kind === 'Integer') return toSizeBounds(first)
  const [from, to] = args.map((arg, index) => {
    if (arg === DEFAULT) return undefined
    if (isInteger(arg)) return arg
    const name = getRubyClassName(arg)
    const label = isType(arg) ? `${arg.kind}-Type` : name
    return failAtKey(start + index, issues.BAD_COLLECTION_SLICE_TYPE, { actual: `${getArticle(label)} ${label}` })
  })
  checkOrder(from, to, String)
  return toSizeBounds({ from, to })
}

function toSizeBounds({ from, to }: Bounds): Bounds<number> {
  return make.createSizeBounds(from === undefined ? undefined : Number(from), to === undefined ? undefined : Number(to))
}

function parameterizeArray(_: Type, args: readonly Value[]): Type {
  const [first, ...rest] = args
  if (args.length < 1 || args.length > 3) failArity('Array-Type', 1, 3, args)
  if (isType(first)) return make.createArrayType(first, rest.length === 0 ? make.UNBOUNDED : parseSize(rest, 1))
  if (args.length === 2) return make.createArrayType(make.ANY, parseSize(args))
  return failAtKey(0, issues.BAD_TYPE_SLICE_TYPE, { base: 'Array-Type', actual: getRubyClassName(first) })
}

function parameterizeHash(_: Type, args: readonly Value[]): Type {
  const [key, value, ...rest] = args
  if (args.length === 2 && isInteger(key) && isInteger(value))
    return make.createHashType(make.ANY, make.ANY, parseSize(args))
  const wrong = args.slice(0, 2).findIndex((arg) => !isType(arg))
  if (wrong !== -1)
    failAtKey(wrong, issues.BAD_TYPE_SLICE_TYPE, { base: 'Hash-Type', actual: getRubyClassName(args[wrong]) })
  if (args.length < 2 || args.length > 4) failArity('Hash-Type', 2, 4, args)
  return make.createHashType(key as Type, value as Type, rest.length === 0 ? make.UNBOUNDED : parseSize(rest, 2))
}

function parameterizeTuple(base: Type, args: readonly Value[]): Type {
  const { types, size } = splitSize(args)
  checkTypes(base, types)
  return make.createTupleType(types as Type[], size)
}

/** Separates element types from the size that can follow them. */
function splitSize(args: readonly Value[]): { types: readonly Value[]; size: Bounds<number> | undefined } {
  const ends =
    args.slice(-2).filter(isRangeEnd).length === 2 && args.length >= 2
      ? 2
      : args.length > 0 && isRangeEnd(args.at(-1))
        ? 1
        : 0
  if (ends === 0) return { types: args, size: undefined }
  const size = args.slice(-ends).map((arg) => (arg === 'default' ? DEFAULT : arg))
  return { types: args.slice(0, -ends), size: parseSize(size) }
}

function parameterizeCallable(base: Type, args: readonly Value[]): Type {
  const [first, result] = args
  if (!Array.isArray(first)) return makeCallable(args, undefined)
  if (args.length !== 2)
    throwIssue(issues.BAD_TYPE_SLICE_ARITY, { base: getCapitalizedLabel(base), min: 2, max: 2, actual: args.length })
  if (!isType(result)) checkArguments(base, [result], 1, 'Any-Type', isType)
  return makeCallable(first, result as Type)
}

function makeCallable(args: readonly Value[], returns: Type | undefined): Type {
  const last = args.at(-1)
  const block = isType(last) && isBlockType(last) ? last : undefined
  const { types, size } = splitSize(block ? args.slice(0, -1) : args)
  const parameters =
    types.length === 0 && size && (size.to === undefined || size.to > 0) ? [make.UNIT] : types.map(toType)
  return make.createCallableType(make.createTupleType(parameters, size), block, returns)
}

function parameterizePattern(base: Type, args: readonly Value[]): Type {
  const isPatternArgument = (arg: Value) =>
    typeof arg === 'string' ||
    arg instanceof Regexp ||
    (isType(arg) && (arg.kind === 'Pattern' || arg.kind === 'Regexp'))
  checkArguments(
    base,
    args,
    Number.POSITIVE_INFINITY,
    'String or Regexp or Pattern-Type or Regexp-Type',
    isPatternArgument,
  )
  return make.createPatternType(
    args.flatMap((arg) => {
      if (!isType(arg)) return [toRegexp(arg as string | Regexp)]
      if (arg.kind === 'Pattern') return arg.patterns
      return arg.kind === 'Regexp' && arg.pattern ? [arg.pattern] : []
    }),
  )
}

function toRegexp(given: string | Regexp): Regexp {
  const source = typeof given === 'string' ? given : given.source
  checkRegexp(source)
  return typeof given === 'string' ? new Regexp(given) : given
}

function toVersionRange(given: string | SemVerRange): SemVerRange {
  if (given instanceof SemVerRange) return given
  return SemVerRange.parse(given) ?? throwArgumentError(`Unparsable version range: "${given}"`)
}
