import { type Edit, readNumber, section, sectionHeader, sections, writeNumber } from './wasm-binary.ts'

const pagesInMebibyte = 16

/** A bound on the memory of a WebAssembly module: more is refused to it, as a full machine would. */
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

/** The flag of a memory that has a maximum beside its minimum. */
const withMaximum = 1
