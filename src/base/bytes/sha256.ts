import { createHash, webcrypto } from 'node:crypto'

/** Bytes from which a digest is left to a thread: as many take a tenth of a millisecond. */
const leastForThread = 128 * 1024

/** The SHA-256 of bytes in hexadecimal; of many bytes, beside other work. */
export async function sha256(bytes: Uint8Array): Promise<string> {
  if (bytes.length < leastForThread) return createHash('sha256').update(bytes).digest('hex')
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)).toString('hex')
}
