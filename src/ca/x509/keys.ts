import { createHash, createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { getSystemErrorCode } from '../../base/system-error.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import { decodeBitString, getTag, parseDer, readSequence, tags } from './der.ts'

/** The kind of key to create. */
export type KeyKind =
  | { readonly type: 'rsa'; readonly bits: number }
  | { readonly type: 'ec' /** OpenSSL's name of the curve: `prime256v1`. */; readonly curve: string }

const issues = defineIssues({
  KEY_CURVE: { text: (a: { curve: string }) => `Unknown named curve '${a.curve}'` },
  PUBLIC_KEY_UNREADABLE: { text: (a: { why: string }) => `Could not read the public key: ${a.why}` },
  KEY_UNREADABLE: { text: (a: { why: string }) => `Could not read the private key: ${a.why}` },
})

/** Properties of a key that determine if the key is trusted. */
export type KeyStrength =
  | { readonly type: 'rsa'; readonly bits: number; readonly exponent: bigint }
  | { readonly type: 'ec' /** OpenSSL's name; undefined for explicit parameters. */; readonly curve?: string }
  | { readonly type: 'other'; readonly name: string }

/** Returns the algorithm and size of a public or private key. */
export function getKeyStrength(key: KeyObject): KeyStrength {
  const { modulusLength: bits = 0, publicExponent: exponent = 0n, namedCurve } = key.asymmetricKeyDetails ?? {}
  if (key.asymmetricKeyType === 'rsa') return { type: 'rsa', bits, exponent }
  if (key.asymmetricKeyType !== 'ec') return { type: 'other', name: key.asymmetricKeyType ?? 'unknown' }
  const [algorithm] = readSequence(parseDer(toPublicKeyDer(key)), 'public key')
  const [, parameters] = readSequence(algorithm, 'key algorithm')
  const isNamed = parameters !== undefined && getTag(parameters) === tags.oid
  return { type: 'ec', ...(isNamed && namedCurve !== undefined && { curve: namedCurve }) }
}

const generate = promisify(generateKeyPair)

/** Creates a private key; `createPublicKey` derives the public key. */
export async function generatePrivateKey(kind: KeyKind): Promise<KeyObject> {
  if (kind.type === 'rsa') return (await generate('rsa', { modulusLength: kind.bits })).privateKey
  try {
    return (await generate('ec', { namedCurve: kind.curve })).privateKey
  } catch (error) {
    if (getSystemErrorCode(error) === 'ERR_CRYPTO_INVALID_CURVE') throwIssue(issues.KEY_CURVE, { curve: kind.curve })
    throw error
  }
}

/** Exports a private key as PKCS#1 or SEC 1, as Puppet does; with a password, as encrypted PKCS#8. */
export function toPrivateKeyPem(key: KeyObject, password?: string): string {
  if (password !== undefined)
    return key.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: password }) as string
  return key.export({ type: key.asymmetricKeyType === 'rsa' ? 'pkcs1' : 'sec1', format: 'pem' }) as string
}

/** Parses a private key in PKCS#1, SEC 1 or PKCS#8, encrypted or not. Throws KEY_UNREADABLE. */
export function parsePrivateKey(pem: string, password?: string): KeyObject {
  try {
    return createPrivateKey({ key: pem, format: 'pem', passphrase: password })
  } catch (error) {
    return throwIssue(issues.KEY_UNREADABLE, { why: formatError(error) })
  }
}

/** Parses a public key. Throws PUBLIC_KEY_UNREADABLE. */
export function parsePublicKey(pem: string): KeyObject {
  try {
    return createPublicKey(pem)
  } catch (error) {
    return throwIssue(issues.PUBLIC_KEY_UNREADABLE, { why: formatError(error) })
  }
}

/** Exports the public key as `BEGIN PUBLIC KEY`. */
export function toPublicKeyPem(key: KeyObject): string {
  return toPublicKey(key).export({ type: 'spki', format: 'pem' }) as string
}

/** Exports the public key as SubjectPublicKeyInfo in DER. */
export function toPublicKeyDer(key: KeyObject): Buffer {
  return toPublicKey(key).export({ type: 'spki', format: 'der' })
}

/** Returns true if two keys, private or public, belong to one pair. */
export function isSameKeyPair(one: KeyObject, other: KeyObject): boolean {
  return toPublicKeyDer(one).equals(toPublicKeyDer(other))
}

/** Returns the SHA-1 of the public key's bits (RFC 5280, 4.2.1.2). */
export function computeKeyIdentifier(spki: Buffer): Buffer {
  const [, bits] = readSequence(parseDer(spki), 'public key')
  return createHash('sha1').update(decodeBitString(bits!)).digest()
}

function toPublicKey(key: KeyObject): KeyObject {
  return key.type === 'public' ? key : createPublicKey(key as never)
}
