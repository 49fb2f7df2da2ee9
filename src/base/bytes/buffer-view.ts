/** Returns a Buffer that shares the memory of a typed array. */
export function toBufferView({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}
