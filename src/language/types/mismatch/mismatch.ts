import type { Callable } from '../../values/callable.ts'
import { ObjectValue } from '../../values/object.ts'
import type { CallableType, Type } from '../../values/type.ts'
import type { Value } from '../../values/value.ts'
import { isBlockType } from '../block-type.ts'
import * as make from '../constructors.ts'
import { generalizeType } from '../generalize.ts'
import { inferDetailedType } from '../infer.ts'
import { acceptsUndef, containsBounds, getTupleSize, isAssignable } from '../is-assignable.ts'
import { isInstance } from '../is-instance.ts'
import { printWithDefinition } from '../printing/print.ts'
import { describeMismatches, mergeDescriptions } from './describe.ts'
import { formatMismatch, type Mismatch, pathSteps } from './message.ts'

/**
 * Explains why a value is not an instance: `subject expects an Integer value, got String`. Empty if the value is an
 * instance.
 */
export function describeMismatch(subject: string, expected: Type, value: Value): string {
  return isInstance(expected, value) ? '' : describeTypeMismatch(subject, expected, inferDetailedType(value))
}

/** Returns the keys and indexes on the path to the first part of a value that has the wrong type. */
export function findMismatchPath(expected: Type, value: Value): readonly (string | number)[] {
  const [first] = describeMismatches(expected, inferDetailedType(value), [])
  if (!first) return []
  const steps = first.path.flatMap(({ step }) => (step === undefined ? [] : [step]))
  return first.kind === 'ExtraneousKey' ? [...steps, first.key] : steps
}

/** Explains why a type is not assignable. Empty if the type is assignable. */
export function describeTypeMismatch(subject: string, expected: Type, actual: Type): string {
  const described = describeMismatches(expected, actual, [pathSteps.named(subject)])
  return described.length === 1 ? formatMismatch(described[0]!).trim() : described.map(formatMismatch).join('\n ')
}

/** A declared parameter of a class, defined type or template. */
export interface ParameterSpec {
  readonly name: string
  /** The declared type; `undefined` if the parameter has no type. */
  readonly type: Type | undefined
  /** True if the parameter has a default or accepts undef. */
  readonly optional: boolean
}

/**
 * Explains why the parameters of a class or defined type are invalid: `Class[A]: parameter 'x' expects …`; `undefined`
 * if they are valid. The type of a Deferred is the type that `returnTypeOf` returns; if that is unknown, the Deferred
 * matches every type.
 */
export function describeParameters(
  subject: string,
  parameters: readonly ParameterSpec[],
  given: ReadonlyMap<string, Value>,
  { missingOk = false, returnTypeOf = (_: ObjectValue): Type | undefined => undefined } = {},
): string | undefined {
  const all: Mismatch[] = []
  let taken = 0
  for (const { name, type, optional } of parameters) {
    if (given.has(name)) {
      taken++
      if (type !== undefined) all.push(...describeParameter(name, type, given.get(name), returnTypeOf))
    } else if (!missingOk && !optional) all.push({ kind: 'MissingParameter', path: [], key: name })
  }
  if (taken < given.size) all.unshift(...listUnknownParameters(parameters, given))
  return formatUnderSubject(subject, all)
}

function listUnknownParameters(parameters: readonly ParameterSpec[], given: ReadonlyMap<string, Value>): Mismatch[] {
  const known = new Set(parameters.map(({ name }) => name))
  return [...given.keys()].filter((key) => !known.has(key)).map((key) => ({ kind: 'InvalidParameter', path: [], key }))
}

function describeParameter(
  name: string,
  type: Type,
  value: Value,
  returnTypeOf: (deferred: ObjectValue) => Type | undefined,
): readonly Mismatch[] {
  if (value instanceof ObjectValue && value.type.name === 'Deferred') {
    const returned = returnTypeOf(value)
    if (returned === undefined || isAssignable(generalizeType(type), generalizeType(returned))) return []
    return describeMismatches(type, returned, [pathSteps.parameter(name)])
  }
  return isInstance(type, value) ? [] : describeMismatches(type, inferDetailedType(value), [pathSteps.parameter(name)])
}

function formatUnderSubject(subject: string, all: readonly Mismatch[]): string | undefined {
  if (all.length === 0) return undefined
  if (all.length === 1) return `${subject}:${formatMismatch(all[0]!)}`
  return `${subject}:\n ${all.map(formatMismatch).join('\n ')}`
}

/**
 * Explains why no signature accepts the arguments: `'f' expects 2 arguments, got 1`; `undefined` if a signature accepts
 * them. Messages name a `lambda` as `block`.
 */
export function describeCallMismatch(
  functionName: string,
  signatures: readonly CallableType[],
  parameterNames: readonly (readonly string[])[],
  args: readonly Value[],
  block?: Callable,
): string | undefined {
  const types = args.map(inferDetailedType)
  const blockType = block && getBlockType(block)
  let all = signatures.map((signature, index) => describeArguments(signature, parameterNames[index] ?? [], types))
  if (all.some((each) => each.length === 0)) {
    const blocks = signatures.map((signature) => describeBlock(signature, blockType))
    if (blocks.every((each) => each.length > 0)) all = blocks
    else all = all.map((each, index) => (each.length === 0 ? blocks[index]! : each))
  }
  const label = functionName === 'lambda' ? 'block' : `'${functionName}'`
  const merged = mergeDescriptions(undefined, 'Count', all)
  if (merged.length === 0) return undefined
  if (merged.length === 1) return `${label}${formatMismatch(merged[0]!)}`
  return listSignatures(label, signatures, parameterNames, all)
}

function getBlockType(block: Callable): Type {
  return make.createVariantType(block.signatures)
}

function listSignatures(
  label: string,
  signatures: readonly CallableType[],
  names: readonly (readonly string[])[],
  all: readonly (readonly Mismatch[])[],
): string {
  const formatRejection = (index: number, margin: string) =>
    all[index]!.map((each) => `${margin}rejected:${formatMismatch(each)}`)
  if (signatures.length === 1)
    return [`${label} expects (${formatSignature(signatures[0]!, names[0] ?? [])})`, ...formatRejection(0, '  ')].join(
      '\n',
    )
  const lines = signatures.flatMap((signature, index) => [
    `  (${formatSignature(signature, names[index] ?? [])})`,
    ...formatRejection(index, '    '),
  ])
  return [`The function ${label} was called with arguments it does not accept. It expects one of:`, ...lines].join('\n')
}

function describeArguments({ parameters }: CallableType, names: readonly string[], types: readonly Type[]): Mismatch[] {
  if (!parameters) return []
  const expected = getTupleSize(parameters)
  const actual = make.createBounds(types.length, types.length)
  if (!containsBounds({ from: expected.from ?? 0, to: expected.to }, actual))
    return [{ kind: 'Count', path: [], expected, actual }]
  for (const [index, type] of types.entries()) {
    const at = Math.min(index, parameters.types.length - 1)
    const wanted = parameters.types[at]
    if (!wanted || isAssignable(wanted, type)) continue
    const described = describeMismatches(wanted, type, [pathSteps.parameter(names[at] ?? '')])
    if (described.length > 0) return described
  }
  return []
}

function describeBlock({ block }: CallableType, given: Type | undefined): Mismatch[] {
  if (given && isBlockType(given))
    return block
      ? describeMismatches(block, given, [pathSteps.named('block')])
      : [{ kind: 'UnexpectedBlock', path: [] }]
  return !block || acceptsUndef(block) ? [] : [{ kind: 'MissingBlock', path: [] }]
}

/** Text of a signature: `Integer x, String y?`. */
function formatSignature({ parameters, block }: CallableType, names: readonly string[]): string {
  const parts: string[] = []
  const { from = 0, to } = parameters ? getTupleSize(parameters) : { from: 0, to: undefined }

  if (from === 0 && to === 0) return ''
  const types = parameters?.types ?? []
  const all = names.length > 0 ? names : types.map(() => '')
  for (const [index, name] of all.entries()) {
    let type = types[index] ?? types.at(-1) ?? make.ANY
    let mark = ''
    if (to === undefined && index === all.length - 1) mark = from === all.length ? '+' : '*'
    else if (index + 1 > from) {
      mark = '?'
      if (type.kind === 'Optional') type = type.type
    }
    parts.push(`${printWithDefinition(type)} ${name}${mark}`)
  }
  if (block?.kind === 'Optional') parts.push(`${printWithDefinition(block.type)} block?`)
  else if (block?.kind === 'Callable') parts.push(`${printWithDefinition(block)} block`)
  return parts.join(', ')
}
