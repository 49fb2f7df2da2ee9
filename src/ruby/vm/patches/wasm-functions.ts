import { type Edit, readNumber, type Section, section, sectionHeader, sections, writeNumber } from '../wasm-binary.ts'
import type { Code } from './wasm-code.ts'

/** The functions of a WebAssembly binary that imports nothing but functions. */
export class WasmFunctions {
  readonly #binary: Uint8Array
  readonly #imported: number
  readonly #types: Section
  readonly #code: Section

  constructor(binary: Uint8Array) {
    this.#binary = binary
    this.#imported = readNumber(binary, section(binary, sections.imports).start).value
    this.#types = section(binary, sections.functions)
    this.#code = section(binary, sections.code)
  }

  /** Number of functions in the binary, without the imported functions. */
  get count(): number {
    return readNumber(this.#binary, this.#types.start).value
  }

  /** Returns the index of a function's type, given the function's index. */
  type(index: number): number {
    let type = readNumber(this.#binary, readNumber(this.#binary, this.#types.start).end)
    for (let at = this.#imported; at < index; at++) type = readNumber(this.#binary, type.end)
    return type.value
  }

  /** Returns the code of a function, given its index. */
  body(index: number): Uint8Array {
    const { start, end } = this.#place(index)
    return this.#binary.subarray(start, end)
  }

  /**
   * Replaces the bodies of functions, given in the order of their indices. Each new body is built from the index of a
   * copy with the original body.
   */
  replace(bodies: readonly (readonly [index: number, body: (original: number) => Code])[]): Edit[] {
    const [types, code] = [this.#types, this.#code]
    const count = readNumber(this.#binary, types.start)
    const originals = bodies.map(([index]) => this.#place(index))
    const replacements = bodies.map(([, body], position) => sized(body(this.#imported + count.value + position)))
    const added = originals.flatMap(({ header, end }) => [...this.#binary.subarray(header, end)])
    const grown = writeNumber(count.value + bodies.length)
    const growth =
      added.length +
      replacements.reduce((sum, each, at) => sum + each.length - originals[at]!.end + originals[at]!.header, 0)
    const ofTypes = bodies.flatMap(([index]) => writeNumber(this.type(index)))
    return [
      resized(types, ofTypes.length, count.end, grown),
      { start: types.end, end: types.end, bytes: ofTypes },
      resized(code, growth, readNumber(this.#binary, code.start).end, grown),
      ...originals.map(({ header, end }, at) => ({ start: header, end, bytes: replacements[at]! })),
      { start: code.end, end: code.end, bytes: added },
    ]
  }

  #place(index: number): { header: number; start: number; end: number } {
    let header = readNumber(this.#binary, this.#code.start).end
    for (let at = this.#imported; ; at++) {
      const size = readNumber(this.#binary, header)
      const end = size.end + size.value
      if (at === index) return { header, start: size.end, end }
      header = end
    }
  }
}

/** Returns the new header and count of a section that gets more entries. */
function resized({ id, header, start, end }: Section, growth: number, countEnd: number, count: number[]): Edit {
  const size = end - start + growth + count.length - (countEnd - start)
  return { start: header, end: countEnd, bytes: [...sectionHeader(id, size), ...count] }
}

function sized(code: Code): number[] {
  return [...writeNumber(code.length), ...code]
}
