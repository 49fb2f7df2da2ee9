import { createHash, webcrypto } from 'node:crypto'

/** Minimum size in bytes for hashing on another thread; hashing that many bytes takes 0.1 ms. */
const leastForThread = 128 * 1024

/** SHA-256 in hexadecimal; large input is hashed on a thread of Node's pool. */
export async function computeSha256(bytes: Uint8Array): Promise<string> {
  if (bytes.length < leastForThread) return createHash('sha256').update(bytes).digest('hex')
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)).toString('hex')
}
