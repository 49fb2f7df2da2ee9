import {
  decodeUnsigned,
  type Edit,
  encodeSectionHeader,
  encodeUnsigned,
  getSection,
  type Section,
  sections,
} from '../wasm-binary.ts'
import type { Code } from './wasm-code.ts'

/** The functions of a WebAssembly binary that imports nothing but functions. */
export class WasmFunctions {
  readonly #binary: Uint8Array
  readonly #imported: number
  readonly #types: Section
  readonly #code: Section

  constructor(binary: Uint8Array) {
    this.#binary = binary
    this.#imported = decodeUnsigned(binary, getSection(binary, sections.imports).start).value
    this.#types = getSection(binary, sections.functions)
    this.#code = getSection(binary, sections.code)
  }

  /** Number of functions in the binary, without the imported functions. */
  get count(): number {
    return decodeUnsigned(this.#binary, this.#types.start).value
  }

  /** Returns the index of a function's type, given the function's index. */
  type(index: number): number {
    let type = decodeUnsigned(this.#binary, decodeUnsigned(this.#binary, this.#types.start).end)
    for (let at = this.#imported; at < index; at++) type = decodeUnsigned(this.#binary, type.end)
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
    const count = decodeUnsigned(this.#binary, types.start)
    const originals = bodies.map(([index]) => this.#place(index))
    const replacements = bodies.map(([, body], position) =>
      addLengthPrefix(body(this.#imported + count.value + position)),
    )
    const added = originals.flatMap(({ header, end }) => [...this.#binary.subarray(header, end)])
    const grown = encodeUnsigned(count.value + bodies.length)
    const growth =
      added.length +
      replacements.reduce((sum, each, at) => sum + each.length - originals[at]!.end + originals[at]!.header, 0)
    const ofTypes = bodies.flatMap(([index]) => encodeUnsigned(this.type(index)))
    return [
      resizeSection(types, ofTypes.length, count.end, grown),
      { start: types.end, end: types.end, bytes: ofTypes },
      resizeSection(code, growth, decodeUnsigned(this.#binary, code.start).end, grown),
      ...originals.map(({ header, end }, at) => ({ start: header, end, bytes: replacements[at]! })),
      { start: code.end, end: code.end, bytes: added },
    ]
  }

  #place(index: number): { header: number; start: number; end: number } {
    let header = decodeUnsigned(this.#binary, this.#code.start).end
    for (let at = this.#imported; ; at++) {
      const size = decodeUnsigned(this.#binary, header)
      const end = size.end + size.value
      if (at === index) return { header, start: size.end, end }
      header = end
    }
  }
}

/** Returns the new header and count of a section that gets more entries. */
function resizeSection({ id, header, start, end }: Section, growth: number, countEnd: number, count: number[]): Edit {
  const size = end - start + growth + count.length - (countEnd - start)
  return { start: header, end: countEnd, bytes: [...encodeSectionHeader(id, size), ...count] }
}

function addLengthPrefix(code: Code): number[] {
  return [...encodeUnsigned(code.length), ...code]
}
