import { Wasi, type World } from '../wasi/wasi.ts'
import { RubyCrash } from './ruby-engine.ts'

/** Exports of the binary; pointers are memory addresses, handles are numbers of the host. */
interface Exports {
  readonly memory: WebAssembly.Memory
  _initialize(): void
  cabi_realloc(old: number, oldSize: number, align: number, size: number): number
  'canonical_abi_drop_rb-abi-value'(pointer: number): void
  'ruby-init: func(args: list<string>) -> ()'(list: number, length: number): void
  'rb-eval-string-protect: func(str: string) -> tuple<handle<rb-abi-value>, s32>'(at: number, length: number): number
  'rb-funcallv-protect: func(recv: handle<rb-abi-value>, mid: u32, args: list<handle<rb-abi-value>>) -> tuple<handle<rb-abi-value>, s32>'(
    receiver: number,
    method: number,
    list: number,
    length: number,
  ): number
  'rb-intern: func(name: string) -> u32'(at: number, length: number): number
  'rb-errinfo: func() -> handle<rb-abi-value>'(): number
  'rb-clear-errinfo: func() -> ()'(): void
  'rstring-ptr: func(value: handle<rb-abi-value>) -> string'(handle: number): number
  'cabi_post_rstring-ptr'(result: number): void
}

/** The address of an object in Ruby's memory. Ruby keeps the object until it is dropped. */
export type Pointer = number

/** A Ruby exception that was not rescued. */
export class RubyFailure extends Error {}

/**
 * CRuby as a WebAssembly instance, through its C API only. Synchronous. Any error except
 * RubyFailure makes it unusable.
 */
export class Interpreter {
  readonly wasi: Wasi
  readonly #exports: Exports
  /** Ruby objects by the handles with which the binary refers to them. */
  readonly #objects: (Pointer | undefined)[] = []

  constructor(module: WebAssembly.Module, world: World, receive: (message: Uint8Array) => void) {
    this.wasi = new Wasi(world, receive)
    const instance = new WebAssembly.Instance(module, {
      wasi_snapshot_preview1: this.wasi.imports,
      'rb-js-abi-host': stubJavaScriptImports(module, (at, length) => this.wasi.text(at, length)),
      canonical_abi: {
        'resource_drop_js-abi-value': () => {},
        'resource_new_rb-abi-value': (pointer: Pointer) => this.#number(pointer),
        'resource_get_rb-abi-value': (handle: number) => this.#objects[handle],
      },
    })
    this.#exports = instance.exports as unknown as Exports
    this.wasi.attach(this.#exports.memory)
  }

  get memory(): WebAssembly.Memory {
    return this.#exports.memory
  }

  /** Starts Ruby without a snapshot, which takes 0.3 s; a restored interpreter is already started. */
  boot(): void {
    this.#exports._initialize()
    const words = ['ruby.wasm', '--disable-gems', '-EUTF-8', '-e_=0'].map((word) => this.#lower(`${word}\0`))
    const list = this.#exports.cabi_realloc(0, 0, 4, words.length * 8)
    words.forEach(([at, length], index) => {
      this.wasi.view.setUint32(list + index * 8, at, true)
      this.wasi.view.setUint32(list + index * 8 + 4, length, true)
    })
    this.#exports['ruby-init: func(args: list<string>) -> ()'](list, words.length)
  }

  /** Evaluates Ruby code; the caller must drop the result. Throws RubyFailure. */
  eval(code: string): Pointer {
    const [at, length] = this.#lower(`${code}\0`)
    return this.#result(
      this.#exports['rb-eval-string-protect: func(str: string) -> tuple<handle<rb-abi-value>, s32>'](at, length),
    )
  }

  /** Runs Ruby code for its side effects. */
  run(code: string): void {
    this.drop(this.eval(code))
  }

  /** Returns Ruby's ID of a method name. */
  symbol(name: string): number {
    const [at, length] = this.#lower(`${name}\0`)
    return this.#exports['rb-intern: func(name: string) -> u32'](at, length) >>> 0
  }

  /** Calls a method without arguments; the caller must drop the result. Throws RubyFailure. */
  call(receiver: Pointer, method: number): Pointer {
    const handle = this.#number(receiver)
    try {
      const callProtected =
        this.#exports[
          'rb-funcallv-protect: func(recv: handle<rb-abi-value>, mid: u32, args: list<handle<rb-abi-value>>) -> tuple<handle<rb-abi-value>, s32>'
        ]
      return this.#result(callProtected(handle, method, 0, 0))
    } finally {
      this.#objects[handle] = undefined
    }
  }

  drop(pointer: Pointer): void {
    this.#exports['canonical_abi_drop_rb-abi-value'](pointer)
  }

  /** Returns the text of a Ruby String. */
  readRubyString(pointer: Pointer): string {
    const handle = this.#number(pointer)
    const result = this.#exports['rstring-ptr: func(value: handle<rb-abi-value>) -> string'](handle)
    this.#objects[handle] = undefined
    const text = this.wasi.text(this.wasi.view.getInt32(result, true), this.wasi.view.getInt32(result + 4, true))
    this.#exports['cabi_post_rstring-ptr'](result)
    return text
  }

  #result(result: number): Pointer {
    const handle = this.wasi.view.getInt32(result, true)
    const status = this.wasi.view.getInt32(result + 4, true)
    const pointer = this.#objects[handle]!
    this.#objects[handle] = undefined
    if (status === 0) return pointer
    this.drop(pointer)
    throw new RubyFailure(this.#failure())
  }

  #failure(): string {
    const handle = this.#exports['rb-errinfo: func() -> handle<rb-abi-value>']()
    const error = this.#objects[handle]!
    this.#objects[handle] = undefined
    this.#exports['rb-clear-errinfo: func() -> ()']()
    const message = this.call(error, this.symbol('full_message'))
    const text = this.readRubyString(message)
    this.drop(message)
    this.drop(error)
    return text
  }

  #number(pointer: Pointer): number {
    const free = this.#objects.indexOf(undefined)
    const handle = free === -1 ? this.#objects.length : free
    this.#objects[handle] = pointer
    return handle
  }

  #lower(text: string): [at: number, length: number] {
    const bytes = Buffer.from(text)
    const at = this.#exports.cabi_realloc(0, 0, 1, bytes.length || 1)
    this.wasi.bytes.set(bytes, at)
    return [at, bytes.length]
  }
}

/** Stubs the binary's imports for JavaScript objects, which we never use. */
function stubJavaScriptImports(
  module: WebAssembly.Module,
  text: (at: number, length: number) => string,
): Record<string, unknown> {
  const names = WebAssembly.Module.imports(module).filter((each) => each.module === 'rb-js-abi-host')
  const stubs = names.map(({ name }) => [
    name,
    () => {
      throw new RubyCrash(`Ruby called ${name}`)
    },
  ])
  return {
    ...Object.fromEntries(stubs),
    rb_wasm_throw_prohibit_rewind_exception: (at: number, length: number) => {
      throw new RubyCrash(text(at, length))
    },
  }
}
