import { encodeUnsigned } from '../wasm-binary.ts'

/** Instructions of WebAssembly, all of whose values are 32-bit integers: an expression or a statement. */
export type Code = readonly number[]

/** Builds a function body with this number of local variables, in addition to its parameters. */
export function emitFunctionBody(locals: number, ...statements: readonly Code[]): Code {
  return [1, ...encodeUnsigned(locals), integer, ...statements.flat(), end]
}

/** A constant (`i32.const`). */
export function emitConst(value: number): Code {
  return [0x41, ...encodeSigned(value)]
}

/** The value of a local variable, by its number (`local.get`). */
export function emitLocalGet(local: number): Code {
  return [0x20, ...encodeUnsigned(local)]
}

/** Puts a value into a local variable (`local.set`). */
export function emitLocalSet(local: number, value: Code): Code {
  return [...value, 0x21, ...encodeUnsigned(local)]
}

/** The value of a global variable, by its number (`global.get`). */
export function emitGlobalGet(global: number): Code {
  return [0x23, ...encodeUnsigned(global)]
}

/** Puts a value into a global variable (`global.set`). */
export function emitGlobalSet(global: number, value: Code): Code {
  return [...value, 0x24, ...encodeUnsigned(global)]
}

/** The 32-bit value in memory at an address plus `offset` bytes (`i32.load`). */
export function emitLoad(address: Code, offset = 0): Code {
  return [...address, 0x28, alignment, ...encodeUnsigned(offset)]
}

/** Writes a value to memory at an address plus `offset` bytes (`i32.store`). */
export function emitStore(address: Code, offset: number, value: Code): Code {
  return [...address, ...value, 0x36, alignment, ...encodeUnsigned(offset)]
}

/** Calls a function by its number in the binary (`call`). */
export function emitCall(functionIndex: number, ...values: readonly Code[]): Code {
  return [...values.flat(), 0x10, ...encodeUnsigned(functionIndex)]
}

/** Calls a function of this type through the function table, by its index (`call_indirect`). */
export function emitCallIndirect(type: number, pointer: Code, ...values: readonly Code[]): Code {
  return [...values.flat(), ...pointer, 0x11, ...encodeUnsigned(type), 0]
}

/** The sum of two values (`i32.add`). */
export function emitAdd(left: Code, right: Code): Code {
  return [...left, ...right, 0x6a]
}

/** The difference of two values (`i32.sub`). */
export function emitSubtract(left: Code, right: Code): Code {
  return [...left, ...right, 0x6b]
}

/** 1 for a value of 0, else 0 (`i32.eqz`). */
export function emitIsZero(value: Code): Code {
  return [...value, 0x45]
}

/** 1 for equal values, else 0 (`i32.eq`). */
export function emitEqual(left: Code, right: Code): Code {
  return [...left, ...right, 0x46]
}

/** 1 if the left value is less than the right one, both unsigned; otherwise 0 (`i32.lt_u`). */
export function emitIsLess(left: Code, right: Code): Code {
  return [...left, ...right, 0x49]
}

/** 1 if all conditions are true; each is evaluated. */
export function emitAll(first: Code, ...others: readonly Code[]): Code {
  return [...first, ...others.flatMap((each) => [...each, 0x71])]
}

/** Runs statements if a condition is not 0 (`if`). */
export function emitIf(condition: Code, ...statements: readonly Code[]): Code {
  return [...condition, 0x04, nothing, ...statements.flat(), end]
}

/** Repeats statements while a condition is not 0 (`loop`). */
export function emitWhile(condition: Code, ...statements: readonly Code[]): Code {
  return [0x03, nothing, ...emitIf(condition, ...statements, [0x0c, 1]), end]
}

/** Returns from a function without result. */
export const emitReturn: Code = [0x0f]

const end = 0x0b
const integer = 0x7f
const nothing = 0x40
/** Addresses are multiples of two to this power. */
const alignment = 2

/** Encodes a signed number in LEB128. */
function encodeSigned(value: number): number[] {
  const low = value & 0x7f
  const rest = value >> 7
  const isLast = rest === ((low & 0x40) === 0 ? 0 : -1)
  return isLast ? [low] : [low | 0x80, ...encodeSigned(rest)]
}
