/** Bytes that replace a range of a binary. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly bytes: ArrayLike<number>
}

/** A section of a WebAssembly binary, with the offsets of its header, content and end. */
export interface Section {
  readonly id: number
  readonly header: number
  readonly start: number
  readonly end: number
}

/** Numbers of the sections in the WebAssembly format. */
export const sections = { custom: 0, imports: 2, functions: 3, memory: 5, code: 10 } as const

const firstSection = 8

/** Returns a section of a binary. Throws an Error if it is missing. */
export function getSection(binary: Uint8Array, id: number): Section {
  for (const each of iterateSections(binary)) if (each.id === id) return each
  throw new Error(`no section ${id} in the WebAssembly binary`)
}

/** Returns a custom section, with its content after its name. Throws an Error if it is missing. */
export function getCustomSection(binary: Uint8Array, name: string): Section {
  for (const each of iterateSections(binary)) {
    if (each.id !== sections.custom) continue
    const length = decodeUnsigned(binary, each.start)
    const start = length.end + length.value
    if (Buffer.from(binary.subarray(length.end, start)).toString() === name) return { ...each, start }
  }
  throw new Error(`no section ${name} in the WebAssembly binary`)
}

function* iterateSections(binary: Uint8Array): Generator<Section> {
  for (let header = firstSection; header < binary.length; ) {
    const size = decodeUnsigned(binary, header + 1)
    const end = size.end + size.value
    yield { id: binary[header]!, header, start: size.end, end }
    header = end
  }
}

/** Returns the header of a section with content of this size. */
export function encodeSectionHeader(id: number, size: number): number[] {
  return [id, ...encodeUnsigned(size)]
}

/**
 * Applies edits in place. The edits are in ascending order and do not overlap. `room` free bytes precede the binary,
 * and the parts before an edit move into them, so the result begins within the free bytes.
 */
export function applyEdits(buffer: Uint8Array, room: number, edits: readonly Edit[]): Uint8Array {
  const growth = edits.reduce((sum, { start, end, bytes }) => sum + bytes.length - (end - start), 0)
  if (growth > room) throw new Error(`no room for ${growth} bytes in front of the WebAssembly binary`)
  let from = room
  let to = room - growth
  for (const { start, end, bytes } of edits) {
    buffer.copyWithin(to, from, room + start)
    to += room + start - from
    buffer.set(bytes, to)
    to += bytes.length
    from = room + end
  }
  return buffer.subarray(room - growth)
}

/** Decodes an unsigned LEB128 number. */
export function decodeUnsigned(binary: Uint8Array, start: number): { value: number; end: number } {
  let value = 0
  for (let at = start, shift = 0; ; at++, shift += 7) {
    const byte = binary[at]!
    value += (byte & 0x7f) * 2 ** shift
    if (byte < 0x80) return { value, end: at + 1 }
  }
}

/** Encodes an unsigned LEB128 number. */
export function encodeUnsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value % 0x80) | 0x80, ...encodeUnsigned(Math.floor(value / 0x80))]
}
