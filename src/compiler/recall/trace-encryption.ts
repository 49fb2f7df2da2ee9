import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const cipher = 'aes-256-gcm'
const [nonceSize, tagSize] = [12, 16]

/** Number of bytes that encryption adds to a text. */
const sealSize = nonceSize + tagSize

/** Encrypts a text with a 32-byte key. Layout: nonce, tag, ciphertext. */
export function sealText(text: Uint8Array, key: Uint8Array): Buffer {
  const nonce = randomBytes(nonceSize)
  const work = createCipheriv(cipher, key, nonce)
  const hidden = [work.update(text), work.final()]
  return Buffer.concat([nonce, work.getAuthTag(), ...hidden])
}

/** Decrypts a text; `undefined` if the text was modified or the key is wrong. */
export function unsealText(sealed: Buffer, key: Uint8Array): Buffer | undefined {
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

/** Returns the nonce and tag, which are unique for each encrypted text. */
export function getSeal(sealed: Buffer): string {
  return sealed.toString('base64', 0, sealSize)
}
