import { writeNumber } from '../wasm-binary.ts'

/** Instructions of WebAssembly, all of whose values are 32-bit integers: an expression or a statement. */
export type Code = readonly number[]

/** Builds a function body with this number of local variables, in addition to its parameters. */
export function body(locals: number, ...statements: readonly Code[]): Code {
  return [1, ...writeNumber(locals), integer, ...statements.flat(), end]
}

/** A constant (`i32.const`). */
export function number(value: number): Code {
  return [0x41, ...writeSigned(value)]
}

/** The value of a local variable, by its number (`local.get`). */
export function get(local: number): Code {
  return [0x20, ...writeNumber(local)]
}

/** Puts a value into a local variable (`local.set`). */
export function set(local: number, value: Code): Code {
  return [...value, 0x21, ...writeNumber(local)]
}

/** The value of a global variable, by its number (`global.get`). */
export function getGlobal(global: number): Code {
  return [0x23, ...writeNumber(global)]
}

/** Puts a value into a global variable (`global.set`). */
export function setGlobal(global: number, value: Code): Code {
  return [...value, 0x24, ...writeNumber(global)]
}

/** The 32-bit value in memory at an address plus `offset` bytes (`i32.load`). */
export function load(address: Code, offset = 0): Code {
  return [...address, 0x28, alignment, ...writeNumber(offset)]
}

/** Writes a value to memory at an address plus `offset` bytes (`i32.store`). */
export function store(address: Code, offset: number, value: Code): Code {
  return [...address, ...value, 0x36, alignment, ...writeNumber(offset)]
}

/** Calls a function by its number in the binary (`call`). */
export function call(functionIndex: number, ...values: readonly Code[]): Code {
  return [...values.flat(), 0x10, ...writeNumber(functionIndex)]
}

/** Calls a function of this type through the function table, by its index (`call_indirect`). */
export function callPointer(type: number, pointer: Code, ...values: readonly Code[]): Code {
  return [...values.flat(), ...pointer, 0x11, ...writeNumber(type), 0]
}

/** The sum of two values (`i32.add`). */
export function add(left: Code, right: Code): Code {
  return [...left, ...right, 0x6a]
}

/** The difference of two values (`i32.sub`). */
export function subtract(left: Code, right: Code): Code {
  return [...left, ...right, 0x6b]
}

/** 1 for a value of 0, else 0 (`i32.eqz`). */
export function isZero(value: Code): Code {
  return [...value, 0x45]
}

/** 1 for equal values, else 0 (`i32.eq`). */
export function isEqual(left: Code, right: Code): Code {
  return [...left, ...right, 0x46]
}

/** 1 if the left value is less than the right one, both unsigned; otherwise 0 (`i32.lt_u`). */
export function isLess(left: Code, right: Code): Code {
  return [...left, ...right, 0x49]
}

/** 1 if all conditions are true; each is evaluated. */
export function all(first: Code, ...others: readonly Code[]): Code {
  return [...first, ...others.flatMap((each) => [...each, 0x71])]
}

/** Runs statements if a condition is not 0 (`if`). */
export function when(condition: Code, ...statements: readonly Code[]): Code {
  return [...condition, 0x04, nothing, ...statements.flat(), end]
}

/** Repeats statements while a condition is not 0 (`loop`). */
export function loopWhile(condition: Code, ...statements: readonly Code[]): Code {
  return [0x03, nothing, ...when(condition, ...statements, [0x0c, 1]), end]
}

/** Returns from a function without result. */
export const giveNothing: Code = [0x0f]

const end = 0x0b
const integer = 0x7f
const nothing = 0x40
/** Addresses are multiples of two to this power. */
const alignment = 2

/** Encodes a signed number in LEB128. */
function writeSigned(value: number): number[] {
  const low = value & 0x7f
  const rest = value >> 7
  const isLast = rest === ((low & 0x40) === 0 ? 0 : -1)
  return isLast ? [low] : [low | 0x80, ...writeSigned(rest)]
}
