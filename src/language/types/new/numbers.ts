import { throwArgumentError } from '../../ruby-semantics/argument-error.ts'
import { normalizeInteger } from '../../ruby-semantics/numbers/integer.ts'
import { Float } from '../../values/float.ts'
import { Hash } from '../../values/hash.ts'
import { Timespan, Timestamp } from '../../values/time.ts'
import { toSeconds } from '../../values/time-seconds.ts'
import { DEFAULT, type Value } from '../../values/value.ts'
import { createTypeAliasType } from '../constructors.ts'
import { parseType } from '../from-code/type-parser.ts'
import { generalizeType } from '../generalize.ts'
import { inferType } from '../infer.ts'
import { isInstance } from '../is-instance.ts'
import { describeMismatch } from '../mismatch/mismatch.ts'
import { printWithDefinition } from '../printing/print.ts'
import type { NewFunction } from './new-function.ts'
import { INTEGER_TEXT, NUMBER_TEXT } from './patterns.ts'

type Convertible = number | bigint | Float | boolean | string | Timespan | Timestamp

const describeFailure =
  (kind: string) =>
  (args: readonly Value[]): string =>
    typeof args[0] === 'string'
      ? `The string '${args[0]}' cannot be converted to ${kind}`
      : `Value of type ${printWithDefinition(generalizeType(inferType(args[0])))} cannot be converted to ${kind}`

/** Implements `Integer.new`. */
export const newInteger: NewFunction = {
  name: 'new',
  types: {
    Radix: 'Variant[Default, Integer[2,2], Integer[8,8], Integer[10,10], Integer[16,16]]',
    Convertible: `Variant[Numeric, Boolean, Pattern[/${INTEGER_TEXT}/], Timespan, Timestamp]`,
    NamedArgs: 'Struct[{from => Convertible, Optional[radix] => Radix, Optional[abs] => Boolean}]',
  },
  dispatches: [
    {
      parameters: ['Convertible from', 'Radix radix?', 'Boolean abs?'],
      run: ([from, radix, abs]) => createInteger(from, radix, abs),
    },
    {
      parameters: ['NamedArgs hash_args'],
      run: ([hash]: readonly Hash[]) =>
        createInteger(hash!.get('from') as Convertible, hash!.get('radix'), hash!.get('abs')),
    },
  ],
  mismatch: (args) => {
    const [from, radix, abs] = args
    if (from instanceof Hash && args.length === 1) return describeHash(from)
    if (args.length > 1 && radix !== DEFAULT && typeof radix !== 'number') return undefined
    if (args.length < 1 || args.length > 3 || (args.length > 2 && typeof abs !== 'boolean')) return undefined
    checkRadix(radix)
    return describeFailure('Integer')(args)
  },
}

const parseConvertible = () => parseType(newInteger.types!.Convertible!)

function describeHash(hash: Hash): string {
  if (hash.has('from') && !isInstance(parseConvertible(), hash.get('from')))
    return describeFailure('Integer')([hash.get('from')])
  checkRadix(hash.get('radix'))
  const named = parseType(newInteger.types!.NamedArgs!, (name) =>
    createTypeAliasType(name, () => parseType(newInteger.types![name]!)),
  )
  return throwArgumentError(describeMismatch('Integer.new has wrong type,', named, hash))
}

function checkRadix(radix: Value): void {
  if (radix === undefined || radix === DEFAULT || [2, 8, 10, 16].includes(radix as number)) return
  throwArgumentError(`Illegal radix: ${radix}, expected 2, 8, 10, 16, or default`)
}

function createInteger(from: Convertible, radix: Value, abs: Value): Value {
  const value = toBigint(from, radix)
  return normalizeInteger(abs === true && value < 0n ? -value : value)
}

function toBigint(from: Convertible, radix: Value): bigint {
  if (from instanceof Float) return truncateFloat(from.value)
  if (from instanceof Timespan || from instanceof Timestamp) return floorSeconds(from.nanoseconds)
  if (typeof from === 'boolean') return from ? 1n : 0n
  if (typeof from !== 'string') return BigInt(from)
  return parseInteger(from, radix === undefined || radix === DEFAULT ? undefined : Number(radix))
}

function truncateFloat(value: number): bigint {
  if (!Number.isFinite(value)) throwArgumentError(new Float(value).toString())
  return BigInt(Math.trunc(value))
}

function floorSeconds(nanoseconds: bigint): bigint {
  const seconds = nanoseconds / 1_000_000_000n
  return nanoseconds < 0n && nanoseconds % 1_000_000_000n !== 0n ? seconds - 1n : seconds
}

const prefixes: Readonly<Record<string, number>> = { '0x': 16, '0b': 2, '0o': 8 }

/** Parses like Ruby's `Integer(text, radix)`. */
function parseInteger(text: string, radix: number | undefined): bigint {
  const [, mark, digits = ''] = /^([+-]?)\s*(\w+)$/.exec(text) ?? []
  const prefix = digits.slice(0, 2).toLowerCase()
  const named = prefixes[prefix]
  const implied = named ?? (/^0[0-7]/.test(digits) || /^0\d/.test(digits) ? 8 : 10)
  const base = radix ?? implied
  const body = named !== undefined && named === base ? digits.slice(2) : digits
  const literal = base === 10 ? body.replace(/^0+(?=\d)/, '') : body
  const valid: Readonly<Record<number, RegExp>> = { 2: /^[01]+$/, 8: /^[0-7]+$/, 10: /^\d+$/, 16: /^[\da-f]+$/i }
  if (!valid[base]!.test(literal)) return throwArgumentError(`invalid value for Integer(): ${JSON.stringify(text)}`)
  const names: Readonly<Record<number, string>> = { 2: '0b', 8: '0o', 10: '', 16: '0x' }
  const value = BigInt(names[base] + literal)
  return mark === '-' ? -value : value
}

/** Implements `Float.new`. */
export const newFloat = withoutRadix('Float', 'Numeric', createFloat)

/** Implements `Numeric.new`. */
export const newNumeric = withoutRadix('Numeric', 'Integer, Float', createNumeric)

function withoutRadix(kind: string, numbers: string, convert: (from: Convertible, abs: Value) => Value): NewFunction {
  return {
    name: `new_${kind.toLowerCase()}`,
    types: {
      Convertible: `Variant[${numbers}, Boolean, Pattern[/${NUMBER_TEXT}/], Timespan, Timestamp]`,
      NamedArgs: 'Struct[{from => Convertible, Optional[abs] => Boolean}]',
    },
    dispatches: [
      { parameters: ['Convertible from', 'Boolean abs?'], run: ([from, abs]) => convert(from, abs) },
      {
        parameters: ['NamedArgs hash_args'],
        run: ([hash]: readonly Hash[]) => convert(hash!.get('from') as Convertible, hash!.get('abs')),
      },
    ],
    mismatch: createMismatch(kind),
  }
}

function createMismatch(kind: string): (args: readonly Value[]) => string | undefined {
  return (args) => {
    const [, abs] = args
    if (args.length < 1 || args.length > 2 || (abs !== undefined && typeof abs !== 'boolean')) return undefined
    return describeFailure(kind)(args)
  }
}

function createFloat(from: Convertible, abs: Value): Float {
  const value = toNumeric(from)
  return new Float(abs === true ? Math.abs(value) : value)
}

function toNumeric(from: Convertible): number {
  if (from instanceof Float) return from.value
  if (from instanceof Timespan || from instanceof Timestamp) return toSeconds(from)
  if (typeof from !== 'string') return Number(from)
  const [, mark, digits = ''] = /^([+-]?)\s*(.*)$/s.exec(from)!
  const value = /^0[xb]/i.test(digits) ? Number(digits) : Number.parseFloat(digits)
  return mark === '-' ? -value : value
}

function createNumeric(from: Convertible, abs: Value): Value {
  const isFloat =
    typeof from === 'string'
      ? /^[+-]?\s*\d+(?:\.\d|[eE])/.test(from) && !/^[+-]?\s*0[xX]/.test(from)
      : typeof from === 'object'
  return isFloat ? createFloat(from, abs) : createInteger(from, undefined, abs)
}

/** Implements `Boolean.new`. */
export const newBoolean: NewFunction = {
  name: 'new_boolean',
  dispatches: [
    {
      parameters: ["Variant[Integer, Float, Boolean, Enum['false','true','yes','no','y','n',true]] from"],
      run: ([from]) => toBoolean(from),
    },
  ],
  mismatch: (args) => (args.length === 1 ? describeFailure('Boolean')(args) : undefined),
}

function toBoolean(from: number | bigint | Float | boolean | string): boolean {
  if (from instanceof Float) return from.value !== 0
  if (typeof from === 'string') return !['false', 'no', 'n'].includes(from.toLowerCase())
  return Boolean(from)
}
