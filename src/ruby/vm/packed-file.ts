import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import type { Json } from '../../base/json/json-checks.ts'

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
  return withOpenFile(file, (descriptor, size) => {
    const length = readFully(descriptor, new Uint8Array(lengthBytes), 0)
    const start = lengthBytes + Buffer.from(length).readUInt32LE()
    const header = readFully(descriptor, new Uint8Array(start - lengthBytes), lengthBytes)
    const bytes = readFully(descriptor, new Uint8Array(new SharedArrayBuffer(size - start)), start)
    return { header: JSON.parse(Buffer.from(header).toString()) as Header, bytes }
  })
}

/** Reads a file into a buffer with `room` free bytes before the content. */
export function readFileWithHeadroom(room: number, file: string): Uint8Array {
  return withOpenFile(file, (descriptor, size) => {
    const bytes = new Uint8Array(room + size)
    readFully(descriptor, bytes.subarray(room), 0)
    return bytes
  })
}

function withOpenFile<Result>(file: URL | string, work: (descriptor: number, size: number) => Result): Result {
  const descriptor = openSync(file, 'r')
  try {
    return work(descriptor, fstatSync(descriptor).size)
  } finally {
    closeSync(descriptor)
  }
}

function readFully(descriptor: number, into: Uint8Array, start: number): Uint8Array {
  for (let at = 0; at < into.length; ) {
    const read = readSync(descriptor, into, at, into.length - at, start + at)
    if (read === 0) throw new Error('the file is truncated')
    at += read
  }
  return into
}
