/** Returns a Buffer that shares the memory of a typed array. */
export function bufferView({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}
