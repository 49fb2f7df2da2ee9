import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import { mends, touched } from '../../src/ruby/vm/mends.ts'
import { readNumber } from '../../src/ruby/vm/wasm-binary.ts'
import { WasmFunctions } from '../../src/ruby/vm/wasm-functions.ts'

const fileOf = (name: string) => createRequire(import.meta.url).resolve(`@ruby/3.4-wasm-wasi/dist/${name}`)

/** The names of functions, by index, from the section that a debugger reads: its first part that is not the module's name. */
function functionNames(binary: Uint8Array): Map<number, string> {
  const text = (start: number, length: number) =>
    Buffer.from(binary.buffer, binary.byteOffset + start, length).toString()
  const names = new Map<number, string>()
  const ofFunctions = 1
  for (let at = nameSection(binary, text); ; ) {
    const size = readNumber(binary, at + 1)
    if (binary[at] !== ofFunctions) {
      at = size.end + size.value
      continue
    }
    const count = readNumber(binary, size.end)
    let entry = count.end
    for (let each = 0; each < count.value; each++) {
      const index = readNumber(binary, entry)
      const length = readNumber(binary, index.end)
      names.set(index.value, text(length.end, length.value))
      entry = length.end + length.value
    }
    return names
  }
}

function nameSection(binary: Uint8Array, text: (start: number, length: number) => string): number {
  for (let at = 8; ; ) {
    const size = readNumber(binary, at + 1)
    const length = readNumber(binary, size.end)
    if (binary[at] === 0 && text(length.end, length.value) === 'name') return length.end + length.value
    at = size.end + size.value
  }
}

describe("the mends of Ruby's binary", () => {
  it('touch the functions that the binary for debuggers names so', () => {
    const names = functionNames(readFileSync(fileOf('ruby.debug+stdlib.wasm')))
    const found = Object.values(touched).map(([index]) => names.get(index))
    expect(found).toEqual(Object.keys(touched))
  })

  it('are not made where one of these is another function', () => {
    const binary = Uint8Array.from(readFileSync(fileOf('ruby.wasm')))
    expect(mends(binary)).toBeDefined()
    for (const [index] of Object.values(touched)) {
      const code = new WasmFunctions(binary).body(index)
      const middle = code.length >> 1
      code[middle]! ^= 1
      expect(mends(binary)).toBeUndefined()
      code[middle]! ^= 1
    }
  })
})
