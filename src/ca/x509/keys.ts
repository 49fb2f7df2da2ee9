import { createHash, createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { defineIssues, fail } from '../../base/issue.ts'
import { systemCode } from '../../base/system-error.ts'
import { errorText } from '../../language/ruby-semantics/errno.ts'
import { bitsOf, readDer, sequenceOf, tagOf, tags } from './der.ts'

/** The kind of key to create. */
export type KeyKind =
  | { readonly type: 'rsa'; readonly bits: number }
  | { readonly type: 'ec' /** OpenSSL's name of the curve: `prime256v1`. */; readonly curve: string }

const issues = defineIssues({
  KEY_CURVE: { text: (a: { curve: string }) => `The named curve '${a.curve}' is not known` },
  KEY_UNREADABLE: { text: (a: { why: string }) => `Could not read the private key: ${a.why}` },
})

/** Properties of a key that determine if the key is trusted. */
export type KeyStrength =
  | { readonly type: 'rsa'; readonly bits: number; readonly exponent: bigint }
  | { readonly type: 'ec' /** OpenSSL's name; undefined for explicit parameters. */; readonly curve?: string }
  | { readonly type: 'other'; readonly name: string }

/** Returns the algorithm and size of a public or private key. */
export function keyStrength(key: KeyObject): KeyStrength {
  const { modulusLength: bits = 0, publicExponent: exponent = 0n, namedCurve } = key.asymmetricKeyDetails ?? {}
  if (key.asymmetricKeyType === 'rsa') return { type: 'rsa', bits, exponent }
  if (key.asymmetricKeyType !== 'ec') return { type: 'other', name: key.asymmetricKeyType ?? 'unknown' }
  const [algorithm] = sequenceOf(readDer(publicKeyDer(key)), 'public key')
  const [, parameters] = sequenceOf(algorithm, 'algorithm of a key')
  const isNamed = parameters !== undefined && tagOf(parameters) === tags.oid
  return { type: 'ec', ...(isNamed && namedCurve !== undefined && { curve: namedCurve }) }
}

const generate = promisify(generateKeyPair)

/** Creates a private key; `createPublicKey` derives the public key. */
export async function newKey(kind: KeyKind): Promise<KeyObject> {
  if (kind.type === 'rsa') return (await generate('rsa', { modulusLength: kind.bits })).privateKey
  try {
    return (await generate('ec', { namedCurve: kind.curve })).privateKey
  } catch (error) {
    if (systemCode(error) === 'ERR_CRYPTO_INVALID_CURVE') fail(issues.KEY_CURVE, { curve: kind.curve })
    throw error
  }
}

/** Exports a private key as PKCS#1 or SEC 1, as Puppet does; with a password, as encrypted PKCS#8. */
export function privateKeyPem(key: KeyObject, password?: string): string {
  if (password !== undefined)
    return key.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: password }) as string
  return key.export({ type: key.asymmetricKeyType === 'rsa' ? 'pkcs1' : 'sec1', format: 'pem' }) as string
}

/** Parses a private key in PKCS#1, SEC 1 or PKCS#8, encrypted or not. Throws KEY_UNREADABLE. */
export function parsePrivateKey(pem: string, password?: string): KeyObject {
  try {
    return createPrivateKey({ key: pem, format: 'pem', passphrase: password })
  } catch (error) {
    return fail(issues.KEY_UNREADABLE, { why: errorText(error) })
  }
}

/** Exports the public key as `BEGIN PUBLIC KEY`. */
export function publicKeyPem(key: KeyObject): string {
  return publicKeyOf(key).export({ type: 'spki', format: 'pem' }) as string
}

/** Exports the public key as SubjectPublicKeyInfo in DER. */
export function publicKeyDer(key: KeyObject): Buffer {
  return publicKeyOf(key).export({ type: 'spki', format: 'der' })
}

/** Returns true if two keys, private or public, belong to one pair. */
export function isSamePair(one: KeyObject, other: KeyObject): boolean {
  return publicKeyDer(one).equals(publicKeyDer(other))
}

/** Returns the SHA-1 of the public key's bits (RFC 5280, 4.2.1.2). */
export function keyIdentifier(spki: Buffer): Buffer {
  const [, bits] = sequenceOf(readDer(spki), 'public key')
  return createHash('sha1').update(bitsOf(bits!)).digest()
}

function publicKeyOf(key: KeyObject): KeyObject {
  return key.type === 'public' ? key : createPublicKey(key as never)
}
