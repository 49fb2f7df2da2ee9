const header = 8
const memorySection = 5

/** Bytes that have to be free in front of a binary, for `limitMemory`. */
export const limitRoom = 8

/**
 * Sets, in the bytes themselves, a bound on the memory of a WebAssembly module: more is refused to it, as a full machine
 * would. The binary begins after `limitRoom` bytes; the one that is given back begins within them.
 */
export function limitMemory(bytes: Uint8Array, mebibytes: number): Uint8Array {
  const binary = bytes.subarray(limitRoom)
  for (let at = header; at < binary.length; ) {
    const size = readNumber(binary, at + 1)
    const end = size.end + size.value
    if (binary[at] === memorySection) {
      const section = sectionWith(readNumber(binary, size.end + 2).value, mebibytes * 16)
      const start = limitRoom + end - at - section.length
      bytes.copyWithin(start, limitRoom, limitRoom + at)
      bytes.set(section, start + at)
      return bytes.subarray(start)
    }
    at = end
  }
  return binary
}

/** A section is its number, its size, the count of memories, flags (1: with a maximum), and the pages at first. */
function sectionWith(minimum: number, pages: number): number[] {
  const content = [1, 1, ...writeNumber(minimum), ...writeNumber(Math.max(minimum, pages))]
  return [memorySection, ...writeNumber(content.length), ...content]
}

/** LEB128, without a sign. */
function readNumber(binary: Uint8Array, start: number): { value: number; end: number } {
  let value = 0
  for (let at = start, shift = 0; ; at++, shift += 7) {
    const byte = binary[at]!
    value += (byte & 0x7f) * 2 ** shift
    if (byte < 0x80) return { value, end: at + 1 }
  }
}

function writeNumber(value: number): number[] {
  return value < 0x80 ? [value] : [(value % 0x80) | 0x80, ...writeNumber(Math.floor(value / 0x80))]
}
