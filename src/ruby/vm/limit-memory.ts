import { type Edit, readNumber, section, sectionHeader, sections, writeNumber } from './wasm-binary.ts'

const pagesInMebibyte = 16

/** Limits the memory of a WebAssembly module. Larger allocations fail, as on a machine without free memory. */
export function memoryLimit(binary: Uint8Array, mebibytes: number): Edit {
  const { header, start, end } = section(binary, sections.memory)
  const flags = readNumber(binary, start).end
  const minimum = readNumber(binary, flags + 1).value
  const content = [
    1,
    withMaximum,
    ...writeNumber(minimum),
    ...writeNumber(Math.max(minimum, mebibytes * pagesInMebibyte)),
  ]
  return { start: header, end, bytes: [...sectionHeader(sections.memory, content.length), ...content] }
}

/** Flag of a memory with a maximum. */
const withMaximum = 1
