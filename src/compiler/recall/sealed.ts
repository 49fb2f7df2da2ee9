import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const cipher = 'aes-256-gcm'
const [nonceSize, tagSize] = [12, 16]

/** The bytes that a sealed text has more than the text. */
const sealSize = nonceSize + tagSize

/** A text under a key of 32 bytes: a nonce, the tag, the hidden text. */
export function seal(text: Uint8Array, key: Uint8Array): Buffer {
  const nonce = randomBytes(nonceSize)
  const work = createCipheriv(cipher, key, nonce)
  const hidden = [work.update(text), work.final()]
  return Buffer.concat([nonce, work.getAuthTag(), ...hidden])
}

/** The text; `undefined` where a bit of it is another, or the key. */
export function unseal(sealed: Buffer, key: Uint8Array): Buffer | undefined {
  if (sealed.length < sealSize) return undefined
  const work = createDecipheriv(cipher, key, sealed.subarray(0, nonceSize))
  work.setAuthTag(sealed.subarray(nonceSize, sealSize))
  const text = work.update(sealed.subarray(sealSize))
  try {
    work.final()
    return text
  } catch {
    return undefined
  }
}

/** Nonce and tag, which no two sealed texts share. */
export function sealOf(sealed: Buffer): string {
  return sealed.toString('base64', 0, sealSize)
}
