import { Float } from '../../values/float.ts'
import { Hash } from '../../values/hash.ts'
import { ObjectValue } from '../../values/object.ts'
import { quoteForCode as quote } from '../../values/quote.ts'
import { SemVer, SemVerRange } from '../../values/semver.ts'
import { Timespan, Timestamp } from '../../values/time.ts'
import type * as T from '../../values/type.ts'
import { type Bounds, isType, type Type } from '../../values/type.ts'
import { Uri } from '../../values/uri.ts'
import type { Value } from '../../values/value.ts'
import { createBounds } from '../constructors.ts'
import { acceptsUndef } from '../is-assignable.ts'
import { getInitParameters } from '../objects/init-parameters.ts'
import { toInitHash } from '../objects/object-hash.ts'
import { getTypeParameters } from '../objects/object-inheritance.ts'
import { findNameInSet } from '../objects/type-set-names.ts'

/** Options for printing a type. */
export interface PrintOptions {
  /** True to print the definitions of aliases, Object types and type sets: `Name = Type`. */
  readonly expanded?: boolean
  /** Aliases being expanded. */
  readonly within?: readonly string[]
  /** The type set being printed. Its types are printed by their local names. */
  readonly typeSet?: T.TypeSetType
}

/** Prints a type as Puppet does. Puppet: types/type_formatter.rb. */
export function printType(type: Type, options: PrintOptions = {}): string {
  return (printers[type.kind] as (type: Type, options: PrintOptions) => string)(type, options)
}

/** Prints a type with aliases expanded, as in messages. */
export function printExpanded(type: Type): string {
  return printType(type, { expanded: true })
}

const expandable: ReadonlySet<Type['kind']> = new Set(['TypeAlias', 'Object', 'TypeSet'])

/** Prints a type; a named type is printed with its definition. */
export function printWithDefinition(type: Type): string {
  return expandable.has(type.kind) ? printExpanded(type) : printType(type)
}

/** Prints a value as a type parameter. */
export function printValue(value: Value, options: PrintOptions = {}): string {
  if (value === undefined) return 'undef'
  if (typeof value === 'string') return quote(value)
  if (typeof value !== 'object') return String(value)
  if (Array.isArray(value)) return `[${value.map((each) => printValue(each, options)).join(', ')}]`
  if (isType(value)) return printType(value, options)
  if (value instanceof Hash) return printHash(value, options)
  if (value instanceof ObjectValue) return `${getObjectTypeName(value)}(${printHash(toInitHash(value), options)})`
  if (value instanceof Uri) return `URI(${quote(value.text)})`
  if (value instanceof SemVer || value instanceof SemVerRange) return `'${value}'`
  if (value instanceof Timestamp || value instanceof Timespan) return `'${value}'`
  return String(value)
}

/** Name of an object's type as printed with the object. Has no namespaces if the type is parameterized. */
export function getObjectTypeName({ type }: ObjectValue): string {
  return getTypeParameters(type).size > 0 ? getSimpleName(type) : (type.name ?? 'Object')
}

function getSimpleName({ name = 'Object' }: T.ObjectType): string {
  return name.split('::').at(-1)!
}

/** Capitalizes each segment of the name of a resource type or class: `a::b` becomes `A::B`. */
export function capitalizeSegments(name: string): string {
  const known = capitalized.get(name)
  if (known !== undefined) return known
  const made = name
    .split('::')
    .map((segment) => segment.charAt(0).toUpperCase() + segment.slice(1))
    .join('::')
  if (capitalized.size >= 10_000) capitalized.clear()
  capitalized.set(name, made)
  return made
}

/** Cache of capitalized names. There are few names, and every resource needs one. */
const capitalized = new Map<string, string>()

type Printers = {
  readonly [Kind in Type['kind']]: (type: Extract<Type, { kind: Kind }>, options: PrintOptions) => string
}

const printKind = ({ kind }: Type): string => kind
const printContaining = ({ kind, type }: Extract<Type, { type: Type }>, options: PrintOptions): string =>
  type.kind === 'Any' ? kind : `${kind}[${printType(type, options)}]`
/** Prints the contained type, and thus distinguishes `Type[Any]` from the bare `Type`. */
const printContainingAny = (outer: Extract<Type, { isBare?: true }>, options: PrintOptions): string =>
  outer.isBare ? outer.kind : `${outer.kind}[${printType(outer.type, options)}]`
/** Prints the contained type; prints a literal string type as its string. */
const printContainingLiteral = (outer: T.OptionalType | T.NotUndefType, options: PrintOptions): string =>
  outer.type.kind === 'String' && outer.type.value !== undefined
    ? `${outer.kind}[${quote(outer.type.value)}]`
    : outer.kind === 'Optional'
      ? printContainingAny(outer, options)
      : printContaining(outer, options)

const printers: Printers = {
  Any: printKind,
  Unit: printKind,
  Undef: printKind,
  Default: printKind,
  Scalar: printKind,
  ScalarData: printKind,
  Numeric: printKind,
  CatalogEntry: printKind,
  SemVerRange: printKind,
  Binary: printKind,
  Integer: (type) => printParameterized('Integer', printRange(type)),
  Float: (type) => printParameterized('Float', printRange(createBounds(formatFloat(type.from), formatFloat(type.to)))),
  Timestamp: (type) =>
    printParameterized(
      'Timestamp',
      printTimes(type, (nanoseconds) => new Timestamp(nanoseconds)),
    ),
  Timespan: (type) =>
    printParameterized(
      'Timespan',
      printTimes(type, (nanoseconds) => new Timespan(nanoseconds)),
    ),
  Boolean: ({ value }) => (value === undefined ? 'Boolean' : `Boolean[${value}]`),
  String: ({ size }) => printParameterized('String', printRange(size)),
  Enum: ({ values, caseInsensitive }) =>
    printParameterized('Enum', values.length > 0 ? [...values.map(quote), ...(caseInsensitive ? ['true'] : [])] : []),
  Pattern: ({ patterns }) => printParameterized('Pattern', patterns.map(String)),
  Regexp: ({ pattern }) => printParameterized('Regexp', pattern ? [String(pattern)] : []),
  Collection: ({ size }) => printParameterized('Collection', printRange(size)),
  Array: ({ element, size }, options) => {
    if (isZero(size)) return 'Array[0, 0]'
    if (element.kind === 'Any' && printRange(size).length === 0) return 'Array'
    return printParameterized('Array', [printType(element, options), ...printRange(size)])
  },
  Hash: ({ key, value, size }, options) => {
    if (isZero(size)) return 'Hash[0, 0]'
    if (key.kind === 'Any' && value.kind === 'Any' && printRange(size).length === 0) return 'Hash'
    return printParameterized('Hash', [printType(key, options), printType(value, options), ...printRange(size)])
  },
  Tuple: ({ types, size }, options) =>
    printParameterized(
      'Tuple',
      types.length === 0 ? [] : [...printTypeList(types, options), ...(size ? printRange(size) : [])],
    ),
  Struct: ({ elements }, options) =>
    elements.length === 0 ? 'Struct' : `Struct[{${elements.map((each) => printElement(each, options)).join(', ')}}]`,
  Variant: ({ types }, options) => printParameterized('Variant', printTypeList(types, options)),
  Callable: printCallable,
  Optional: printContainingLiteral,
  NotUndef: printContainingLiteral,
  Type: printContainingAny,
  Sensitive: printContaining,
  Iterable: printContainingAny,
  Iterator: printContainingAny,
  Init: ({ type, arguments: args }, options) =>
    printParameterized(
      'Init',
      type ? [printType(type, options), ...args.map((each) => printValue(each, options))] : [],
    ),
  SemVer: ({ ranges }) =>
    printParameterized(
      'SemVer',
      ranges.map((each) => `'${each}'`),
    ),
  URI: ({ parameters }) => (parameters === undefined ? 'URI' : `URI[${printValue(parameters)}]`),
  Runtime: ({ runtime, name }) =>
    printParameterized('Runtime', runtime === undefined ? [] : [runtime, printValue(name)]),
  Resource: ({ typeName, title }) => {
    if (typeName === undefined) return 'Resource'
    return printParameterized(capitalizeSegments(typeName), title === undefined ? [] : [quote(title)])
  },
  Class: ({ className }) => printParameterized('Class', className === undefined ? [] : [className]),
  TypeAlias: printAlias,
  TypeReference: ({ typeString }) => `TypeReference[${quote(typeString)}]`,
  Object: printObject,
  TypeSet: printTypeSet,
}

const builtinAliases: ReadonlySet<string> = new Set([
  'Data',
  'RichData',
  'RichDataKey',
  'Puppet::LookupKey',
  'Puppet::LookupValue',
])

function printParameterized(name: string, parameters: readonly string[]): string {
  return parameters.length === 0 ? name : `${name}[${parameters.join(', ')}]`
}

function printTypeList(types: readonly Type[], options: PrintOptions): string[] {
  return types.map((type) => printType(type, options))
}

/** Bounds as type parameters; empty if unbounded. */
function printRange({ from, to }: Bounds<unknown>): string[] {
  if (from === undefined && to === undefined) return []
  const start = from === undefined ? 'default' : String(from)
  return to === undefined ? [start] : [start, String(to)]
}

function formatFloat(value: number | undefined): Float | undefined {
  return value === undefined ? undefined : new Float(value)
}

/** Prints bounds in time. Equal bounds are printed once. */
function printTimes<Time>({ from, to }: Bounds<bigint>, time: (nanoseconds: bigint) => Time): string[] {
  if (from === undefined && to === undefined) return []
  const start = from === undefined ? 'default' : `'${time(from)}'`
  return to === undefined || to === from ? [start] : [start, `'${time(to)}'`]
}

function isZero({ from, to }: Bounds<number>): boolean {
  return (from ?? 0) === 0 && to === 0
}

function printElement({ name, optional, value }: T.StructElement, options: PrintOptions): string {
  const key = quote(name)
  const implied = acceptsUndef(value)
  const printed = optional === implied ? key : `${optional ? 'Optional' : 'NotUndef'}[${key}]`
  return `${printed} => ${printType(value, options)}`
}

function printCallable({ parameters, block, returns }: T.CallableType, options: PrintOptions): string {
  if (!parameters) return returns ? `Callable[[], ${printType(returns, options)}]` : 'Callable'
  const types = parameters.types.filter(({ kind }) => kind !== 'Unit')
  const size = parameters.types.length === 0 ? ['0', '0'] : parameters.size ? printRange(parameters.size) : []
  const all = [...printTypeList(types, options), ...size, ...(block ? [printType(block, options)] : [])].join(', ')
  return returns ? `Callable[[${all}], ${printType(returns, options)}]` : `Callable[${all}]`
}

function printAlias(alias: T.TypeAliasType, options: PrintOptions): string {
  const { name, resolved } = alias
  const { expanded, within = [], typeSet } = options
  const isShort = !expanded || within.includes(name)
  if (typeSet) {
    const local = findNameInSet(typeSet, alias)
    const isOwn = local !== undefined && typeSet.types.get(local) === alias
    return isShort || !isOwn ? (local ?? name) : printType(resolved, { ...options, within: [...within, name] })
  }
  if (isShort || builtinAliases.has(name)) return name
  return `${name} = ${printType(resolved, { ...options, within: [...within, name] })}`
}

function printTypeSet(typeSet: T.TypeSetType, options: PrintOptions): string {
  const entries = Array.from(typeSet.initHash, ([key, value]) => {
    if (key === 'types') return `types => ${printTypes(typeSet, options)}`
    const printed =
      key === 'references' && value instanceof Hash ? `{${printEntries(value, options)}}` : printValue(value, options)
    return `${key} => ${printed}`
  })
  return `TypeSet[{${entries.join(', ')}}]`
}

function printTypes(typeSet: T.TypeSetType, options: PrintOptions): string {
  const inside = { ...options, typeSet }
  const entries = Array.from(typeSet.types, ([name, type]) => {
    const printed = type instanceof Hash ? printObjectHash(type, inside) : printType(type, inside)
    return `${name} => ${printed}`
  })
  return `{${entries.join(', ')}}`
}

function printObject(type: T.ObjectType, options: PrintOptions): string {
  const { name, initHash = Hash.empty, parameters } = type
  const { expanded, typeSet } = options
  if (parameters) return `${getSimpleName(type)}[${printParameters(type, options)}]`
  const shown = (typeSet && findNameInSet(typeSet, type)) ?? name ?? 'Object'
  if (!expanded) return shown
  const isOwn = typeSet !== undefined && [...typeSet.types.values()].includes(type)
  return printObjectHash(isOwn ? Hash.of([...initHash].filter(([key]) => key !== 'name')) : initHash, options)
}

function printParameters(type: T.ObjectType, options: PrintOptions): string {
  const parameters = getInitParameters(type)
  if (parameters instanceof Hash) return printHash(parameters, options)
  return parameters.map((each) => printValue(each, options)).join(', ')
}

/** Prints the hash of an Object type. Types in the hash are not expanded. */
function printObjectHash(initHash: Hash, options: PrintOptions): string {
  const plainly = { ...options, expanded: false }
  const entries = Array.from(initHash, ([key, value]) => {
    const isMembers = key === 'attributes' || key === 'functions'
    return `${key} => ${isMembers ? printMembers(value, plainly) : printValue(value, plainly)}`
  })
  return `Object[{${entries.join(', ')}}]`
}

function printMembers(members: Value, options: PrintOptions): string {
  if (!(members instanceof Hash)) return printValue(members, options)
  const entries = Array.from(members, ([name, member]) => `${printValue(name)} => ${printMember(member, options)}`)
  return `{${entries.join(', ')}}`
}

function printMember(member: Value, options: PrintOptions): string {
  if (!(member instanceof Hash)) return printValue(member, options)
  const entries = Array.from(
    member,
    ([key, value]) => `${key} => ${key === 'kind' ? value : printValue(value, options)}`,
  )
  return `{${entries.join(', ')}}`
}

/** Prints entries with names as keys. */
function printEntries(hash: Hash, options: PrintOptions): string {
  return Array.from(hash, ([key, value]) => `${key} => ${printValue(value, options)}`).join(', ')
}

function printHash(hash: Hash, options: PrintOptions): string {
  const entries = Array.from(hash, ([key, value]) => `${printValue(key, options)} => ${printValue(value, options)}`)
  return `{${entries.join(', ')}}`
}
