import { createDecipheriv, createHmac, diffieHellman, hkdfSync, timingSafeEqual } from 'node:crypto'
import { budgets } from '../../../base/budgets/budgets.ts'
import { throwIssue } from '../../../base/issue.ts'
import { type AgeStanza, failHeader, parseAgeHeader } from './age-header.ts'
import { type AgeIdentity, createX25519Key } from './age-identities.ts'
import { decodeRawBase64 } from './base64.ts'
import { ageIssues } from './issues.ts'

const tagBytes = 16
const fileKeyBytes = 16
const chunkBytes = 64 * 1024

/** The attempts with an identity and a recipient that remain; shared by all age files that a file contains. */
export interface AgeAttempts {
  left: number
}

/** Starts to count attempts. */
export function createAgeAttempts(): AgeAttempts {
  return { left: budgets.secret.ageAttempts.bound }
}

/**
 * Decrypts an age file that is encrypted for X25519 recipients. Synchronous, since Node has all its algorithms; the
 * package age-encryption is asynchronous, and the compiler is not. Throws AGE_….
 */
export function decryptAgeFile(
  bytes: Buffer,
  identities: readonly AgeIdentity[],
  attempts: AgeAttempts = createAgeAttempts(),
): Buffer {
  const { stanzas, mac, protected: header, payload } = parseAgeHeader(bytes)
  if (stanzas.length > 1 && stanzas.some(({ type }) => type === 'scrypt'))
    failHeader('a passphrase and other recipients exclude each other')
  const fileKey = unwrapFileKey(stanzas, identities, attempts) ?? throwIssue(ageIssues.AGE_NO_MATCH, {})
  const computed = createHmac('sha256', deriveKey(fileKey, Buffer.alloc(0), 'header'))
    .update(header)
    .digest()
  if (!timingSafeEqual(computed, mac)) throwIssue(ageIssues.AGE_CHANGED, {})
  return decryptPayload(payload, fileKey)
}

function unwrapFileKey(
  stanzas: readonly AgeStanza[],
  identities: readonly AgeIdentity[],
  attempts: AgeAttempts,
): Buffer | undefined {
  for (const identity of identities)
    for (const stanza of stanzas) {
      if (stanza.type !== 'X25519') continue
      if (--attempts.left < 0) throwIssue(ageIssues.AGE_ATTEMPTS, { most: budgets.secret.ageAttempts.bound })
      const fileKey = unwrapWithX25519(stanza, identity)
      if (fileKey) return fileKey
    }
  return undefined
}

/** Decrypts the file key with an identity; undefined if the stanza is for another recipient. */
function unwrapWithX25519({ words, body }: AgeStanza, { privateKey, publicKey }: AgeIdentity): Buffer | undefined {
  const share = words.length === 1 ? decodeRawBase64(words[0]!) : undefined
  if (share?.length !== 32 || body.length !== fileKeyBytes + tagBytes)
    return failHeader('a recipient of type X25519 is malformed')
  const secret = computeSharedSecret()
  const key = deriveKey(secret, Buffer.concat([share, publicKey]), 'age-encryption.org/v1/X25519')
  return openChunk(body, key, Buffer.alloc(12))

  function computeSharedSecret(): Buffer {
    try {
      return diffieHellman({ privateKey, publicKey: createX25519Key(share!) })
    } catch {
      // OpenSSL rejects the shares for which the secret is zero.
      return failHeader('a recipient of type X25519 has a share of low order')
    }
  }
}

function decryptPayload(payload: Buffer, fileKey: Buffer): Buffer {
  const nonce = payload.subarray(0, 16)
  if (nonce.length !== 16) throwIssue(ageIssues.AGE_PAYLOAD, {})
  const key = deriveKey(fileKey, nonce, 'payload')
  const chunks: Buffer[] = []
  let at = nonce.length
  for (let counter = 0; ; counter++) {
    const end = Math.min(at + chunkBytes + tagBytes, payload.length)
    const isLast = end === payload.length
    const chunk = openChunk(payload.subarray(at, end), key, createChunkNonce(counter, isLast))
    // Only the last chunk may be shorter, and it is only empty if the whole file is empty.
    if (!chunk || (chunk.length === 0 && counter > 0)) return throwIssue(ageIssues.AGE_PAYLOAD, {})
    chunks.push(chunk)
    if (isLast) return Buffer.concat(chunks)
    at = end
  }
}

function createChunkNonce(counter: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(counter, 5, 6)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

function openChunk(sealed: Buffer, key: Buffer, nonce: Buffer): Buffer | undefined {
  if (sealed.length < tagBytes) return undefined
  const decipher = createDecipheriv('chacha20-poly1305', key, nonce, { authTagLength: tagBytes })
  decipher.setAuthTag(sealed.subarray(-tagBytes))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(0, -tagBytes)), decipher.final()])
  } catch {
    return undefined
  }
}

function deriveKey(secret: Buffer, salt: Buffer, info: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, 32))
}
