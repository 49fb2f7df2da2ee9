import type { Json } from '../../base/json/json-checks.ts'
import { withProgramFile } from '../../base/program/program-files.ts'

/** A header followed by bytes in one file. */
export interface PackedFile<Header> {
  readonly header: Header
  readonly bytes: Uint8Array
}

const lengthBytes = 4

/** Encodes a header and bytes for `readPackedFile`. */
export function encodePackedFile(header: Json, bytes: Uint8Array): Buffer {
  const text = Buffer.from(JSON.stringify(header))
  const length = Buffer.alloc(lengthBytes)
  length.writeUInt32LE(text.length)
  return Buffer.concat([length, text, bytes])
}

/** Reads a packed file into memory that threads can share. */
export function readPackedFile<Header>(file: URL): PackedFile<Header> {
  return withProgramFile(file, (read, size) => {
    const length = read(new Uint8Array(lengthBytes), 0)
    const start = lengthBytes + Buffer.from(length).readUInt32LE()
    const header = read(new Uint8Array(start - lengthBytes), lengthBytes)
    const bytes = read(new Uint8Array(new SharedArrayBuffer(size - start)), start)
    return { header: JSON.parse(Buffer.from(header).toString()) as Header, bytes }
  })
}

/** Reads a file into a buffer with `room` free bytes before the content. */
export function readFileWithHeadroom(room: number, file: string): Uint8Array {
  return withProgramFile(file, (read, size) => {
    const bytes = new Uint8Array(room + size)
    read(bytes.subarray(room), 0)
    return bytes
  })
}
