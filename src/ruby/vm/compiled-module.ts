import { writeFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { encodePackedFile, readPackedFile } from './packed-file.ts'

/**
 * V8 options that delay optimization. V8 counts the bytes of machine code that backward jumps span. The loops of an
 * interpreter span 0.3 MB, so that V8's default budget of 1.8 MB would optimize them almost at once, using a second of
 * CPU time and 30 MB in each compiler thread. This larger budget lasts for about a second of running Ruby; then V8
 * optimizes one function at a time.
 */
const optimizing = ['--wasm-tiering-budget=1000000000', '--wasm-num-compilation-tasks=1']

/** The values of these options in Node 20. */
const usual = ['--wasm-tiering-budget=1800000', '--wasm-num-compilation-tasks=128']

interface Header {
  /** Identifies the bytes of the WebAssembly binary. */
  readonly identity: string
  readonly size: number
}

/** Delays optimization in this process. */
export function delayOptimization(): void {
  for (const flag of optimizing) setFlagsFromString(flag)
}

/**
 * Creates a module that delays optimization, and keeps doing so. V8 rejects code caches that were written with other
 * options, so the options of the process are restored.
 */
export function withDelayedOptimization<Result>(create: () => Result): Result {
  delayOptimization()
  try {
    return create()
  } finally {
    for (const flag of usual) setFlagsFromString(flag)
  }
}

/**
 * Returns a module with stored machine code; functions without stored code are compiled at their first call. Undefined
 * if the code is missing, was compiled from another binary, or by a V8 of another version, with other options, or for
 * another processor.
 */
export function readCompiledModule(file: URL, identity: string, binary: Uint8Array): WebAssembly.Module | undefined {
  try {
    const { header, bytes } = readPackedFile<Header>(file)
    if (header.identity !== identity || header.size !== bytes.length) return undefined
    const module = callNative('%DeserializeWasmModule(code, binary)', { code: bytes.buffer, binary })
    return module instanceof WebAssembly.Module ? module : undefined
  } catch {
    return undefined // Not stored, or refused by an option of Node.
  }
}

/** Stores the optimized machine code of a module. V8 ends the process if there is none. */
export function writeCompiledModule(file: URL, identity: string, module: WebAssembly.Module): void {
  const code = callNative('%SerializeWasmModule(module)', { module }) as ArrayBuffer
  const header = { identity, size: code.byteLength } satisfies Header
  writeFileSync(file, encodePackedFile(header, new Uint8Array(code)))
}

/** Calls a function of V8 that Node does not offer, with these variables. */
function callNative(code: string, variables: Readonly<Record<string, unknown>>): unknown {
  setFlagsFromString('--allow-natives-syntax')
  try {
    return new Function(...Object.keys(variables), `return ${code}`)(...Object.values(variables))
  } finally {
    setFlagsFromString('--no-allow-natives-syntax')
  }
}
