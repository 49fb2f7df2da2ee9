import { DebugInfo } from './debug-info.ts'
import { type Code, emitCall, emitConst, emitGlobalGet, emitGlobalSet, emitLoad, emitStore } from './wasm-code.ts'
import { WasmFunctions } from './wasm-functions.ts'

/** The C files of CRuby whose structures, variables and enumerators the patches name. */
const units = /\/(?:vm|cont|wasm\/(?:setjmp|machine))\.c$/

/** A function's new body, given the index under which the original body remains. */
export type FunctionReplacement = readonly [index: number, body: (original: number) => Code]

/** A fault of CRuby on WebAssembly, and the functions that fix it. */
export interface Patch {
  readonly name: string
  readonly purpose: string
  /** Returns true if this release of CRuby has fixed the fault. */
  isFixed?(ruby: RubyBinary): boolean
  /** Throws an Error that names what the binary lacks. */
  replacements(ruby: RubyBinary): readonly FunctionReplacement[]
}

/**
 * CRuby's binary, with its parts found by their names in CRuby's source. The names come from the
 * package's debug binary of the same program. Each lookup throws an Error that names the missing
 * part.
 */
export class RubyBinary {
  readonly functions: WasmFunctions
  readonly #info: DebugInfo
  readonly #named: WasmFunctions

  constructor(binary: Uint8Array, debugBinary: Uint8Array) {
    this.functions = new WasmFunctions(binary)
    this.#named = new WasmFunctions(debugBinary)
    if (this.functions.count !== this.#named.count) throw new Error('the binary for debuggers is of another program')
    this.#info = new DebugInfo(debugBinary, units)
  }

  /** Returns the index of a function with the same type in both binaries. */
  function(name: string): number {
    const index = this.#info.functionIndex(name)
    if (this.functions.type(index) === this.#named.type(index)) return index
    throw new Error(`function ${name} has another type in the binary for debuggers`)
  }

  /** Returns the index of a function's type. */
  type(name: string): number {
    return this.functions.type(this.function(name))
  }

  call(name: string, ...values: readonly Code[]): Code {
    return emitCall(this.function(name), ...values)
  }

  /** Returns the address of a variable, as a constant. */
  address(path: string): Code {
    return emitConst(this.#info.address(path))
  }

  /** Returns the value of a 32-bit variable. */
  variable(path: string): Code {
    return emitLoad(this.address(path))
  }

  setVariable(path: string, value: Code): Code {
    return emitStore(this.address(path), 0, value)
  }

  /** Returns the offset in bytes of a member in a structure. */
  offset(path: string): number {
    return this.#info.offset(path)
  }

  hasMember(path: string): boolean {
    try {
      return this.offset(path) >= 0
    } catch {
      return false
    }
  }

  hasFunction(name: string): boolean {
    return this.#info.hasFunction(name)
  }

  /** Returns the size of a structure in bytes. */
  size(name: string): number {
    return this.#info.size(name)
  }

  /** Returns the value of an enumerator, as a constant. */
  constant(name: string): Code {
    return emitConst(this.#info.constant(name))
  }

  /** The pointer to the end of C's stack in memory. */
  get stackPointer(): Code {
    return emitGlobalGet(this.#stackPointer)
  }

  setStackPointer(value: Code): Code {
    return emitGlobalSet(this.#stackPointer, value)
  }

  /** Asyncify's state: see `asyncifyStates`. */
  get asyncifyState(): Code {
    return emitGlobalGet(this.#globalIn('asyncify_start_unwind', [...emitConst(asyncifyStates.unwinding), globalSet]))
  }

  get #stackPointer(): number {
    const noLocals = 0x00
    return this.#globalIn('rb_wasm_get_stack_pointer', [noLocals, globalGet])
  }

  /** Throws unless a function contains this code. */
  expectCode(name: string, code: Code): void {
    if (Buffer.from(this.functions.body(this.function(name))).indexOf(Uint8Array.from(code)) === -1)
      throw new Error(`the code of function ${name} is not as expected`)
  }

  /**
   * Returns the number of the global variable that follows some code in a function; numbers are
   * below 128.
   */
  #globalIn(name: string, code: Code): number {
    this.expectCode(name, code)
    const body = Buffer.from(this.functions.body(this.function(name)))
    return body[body.indexOf(Uint8Array.from(code)) + code.length]!
  }
}

/** Instructions `global.get` and `global.set`, which a global's number follows. */
const [globalGet, globalSet] = [0x23, 0x24]

/** While unwinding, only code that saves or restores a function's local variables runs. */
export const asyncifyStates = { running: 0, unwinding: 1 } as const
