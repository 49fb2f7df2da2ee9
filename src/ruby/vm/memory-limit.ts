import { decodeUnsigned, type Edit, encodeSectionHeader, encodeUnsigned, getSection, sections } from './wasm-binary.ts'

const pagesInMebibyte = 16

/** Limits the memory of a WebAssembly module. Larger allocations fail, as on a machine without free memory. */
export function createMemoryLimitEdit(binary: Uint8Array, mebibytes: number): Edit {
  const { header, start, end } = getSection(binary, sections.memory)
  const flags = decodeUnsigned(binary, start).end
  const minimum = decodeUnsigned(binary, flags + 1).value
  const content = [
    1,
    withMaximum,
    ...encodeUnsigned(minimum),
    ...encodeUnsigned(Math.max(minimum, mebibytes * pagesInMebibyte)),
  ]
  return { start: header, end, bytes: [...encodeSectionHeader(sections.memory, content.length), ...content] }
}

/** Flag of a memory with a maximum. */
const withMaximum = 1
