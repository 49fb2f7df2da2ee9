const header = 8
const memorySection = 5

/** The binary of a WebAssembly module, with a bound on its memory: more is refused to it, as a full machine would. */
export function limitMemory(binary: Uint8Array, mebibytes: number): Uint8Array {
  for (let at = header; at < binary.length; ) {
    const size = readNumber(binary, at + 1)
    const end = size.end + size.value
    if (binary[at] === memorySection) return withMaximum(binary, at, size.end, end, mebibytes * 16)
    at = end
  }
  return binary
}

/** A section is its number, its size, the count of memories, flags (1: with a maximum), and the pages at first. */
function withMaximum(binary: Uint8Array, start: number, body: number, end: number, pages: number): Uint8Array {
  const minimum = readNumber(binary, body + 2).value
  const content = [1, 1, ...writeNumber(minimum), ...writeNumber(Math.max(minimum, pages))]
  return Buffer.concat([
    binary.subarray(0, start),
    Uint8Array.of(memorySection, ...writeNumber(content.length), ...content),
    binary.subarray(end),
  ])
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
