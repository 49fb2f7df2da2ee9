import { throwArgumentError } from '../ruby-semantics/argument-error.ts'
import type { InitAcceptance, InitType, TupleType, Type } from '../values/type.ts'
import type { Value } from '../values/value.ts'
import * as make from './constructors.ts'
import { inferDetailedType } from './infer.ts'
import { acceptsUndef, isAssignable } from './is-assignable.ts'
import { getNewParameters } from './new/new-parameters.ts'
import { printExpanded, printType } from './printing/print.ts'

/** Builds `Init[T, …]`. The types of accepted values are computed on first use. Puppet: p_init_type.rb. */
export function createInitType(type: Type, args: readonly Value[] = []): InitType {
  let acceptance: InitAcceptance | undefined
  const init = { kind: 'Init', type, arguments: Object.freeze([...args]) } as InitType
  const getAcceptance = () => {
    acceptance ??= computeAcceptance(init, type)
    return acceptance
  }
  // The property is not enumerable, so that it does not affect equality.
  return Object.freeze(Object.defineProperty(init, 'acceptance', { get: getAcceptance, enumerable: false }))
}

const unsuitable: ReadonlySet<Type['kind']> = new Set(['Init', 'Optional', 'NotUndef'])

/** Returns the types of the values that `Init[T, …]` accepts. Throws RUNTIME_ERROR if the type has no `new`. */
function computeAcceptance(init: InitType, type: Type): InitAcceptance {
  const tuples = unsuitable.has(type.kind) ? undefined : getNewParameters(type, acceptsUndef)
  if (!tuples) return throwArgumentError(`Creation of new instance of type '${printExpanded(type)}' is not supported`)
  if (init.arguments.length > 0) return computeArgumentAcceptance(init, type, tuples)
  const isSingle = ({ size }: TupleType) => size?.from === 1 && size.to === 1
  const several = tuples.filter((each) => !isSingle(each))
  return {
    single: make.createVariantType([type, ...tuples.filter(isSingle).map(({ types }) => types[0]!)]),
    several: several.length > 0 ? make.createVariantType(several) : undefined,
    oneOfSeveral: several.some(({ size }) => size?.from === 1),
  }
}

function computeArgumentAcceptance(init: InitType, type: Type, tuples: readonly TupleType[]): InitAcceptance {
  const given = init.arguments.map((each: Value) => inferDetailedType(each))
  const count = given.length + 1
  const fitting = tuples.filter(({ types, size }) => {
    const { from = 0, to = Number.POSITIVE_INFINITY } = size ?? {}
    if (count < from || count > to) return false
    return isAssignable(make.createTupleType(types, size), make.createTupleType([types[0]!, ...given]))
  })
  if (fitting.length === 0) {
    const subject = type.kind === 'Object' ? (type.name ?? 'Object') : type.kind
    return throwArgumentError(
      `The type '${printType(init)}' does not represent a valid set of parameters for ${subject}.new()`,
    )
  }
  const single = make.createVariantType([type, ...fitting.map(({ types }) => types[0]!)])
  return { single, several: undefined, oneOfSeveral: false }
}
