/** A Buffer on the same memory, without a copy. */
export function bufferView({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}
