import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { throwIssue } from '../../base/issue.ts'
import {
  type Der,
  decodeBitString,
  decodeOid,
  derIssues,
  encodeBitString,
  encodeOid,
  encodeSequence,
  expectTag,
  nullValue,
  parseDer,
  readSequence,
  splitDer,
  tags,
} from './der.ts'

/** Common structure of certificates, requests and revocation lists: content, algorithm, signature. */
export interface SignedData {
  readonly der: Buffer
  /** The original signed bytes. */
  readonly content: Buffer
  readonly algorithm: string
  readonly signature: Buffer
}

/** Signs with a private key, which may be outside this process. */
export interface Signer {
  readonly publicKey: KeyObject
  /** Returns the signature of the content, with the hash of `getSignatureHash`. */
  sign(content: Buffer): Promise<Buffer>
}

interface Algorithm {
  readonly oid: string
  readonly key: 'rsa' | 'ec' | 'ed25519'
  /** Name of the hash; `undefined` if the signature algorithm has a built-in hash. */
  readonly hash: string | undefined
}

const algorithms: readonly Algorithm[] = [
  { oid: '1.2.840.113549.1.1.11', key: 'rsa', hash: 'sha256' },
  { oid: '1.2.840.113549.1.1.12', key: 'rsa', hash: 'sha384' },
  { oid: '1.2.840.113549.1.1.13', key: 'rsa', hash: 'sha512' },
  { oid: '1.2.840.10045.4.3.2', key: 'ec', hash: 'sha256' },
  { oid: '1.2.840.10045.4.3.3', key: 'ec', hash: 'sha384' },
  { oid: '1.2.840.10045.4.3.4', key: 'ec', hash: 'sha512' },
  { oid: '1.3.101.112', key: 'ed25519', hash: undefined },
]

/** The hash for signatures with each curve. Other curves and RSA keys use SHA-256, as in Puppet. */
const hashOfCurve: Readonly<Record<string, string>> = { secp384r1: 'sha384', secp521r1: 'sha512' }

/** Returns the AlgorithmIdentifier for signatures with this key. */
export function encodeSignatureAlgorithm(key: KeyObject): Buffer {
  const { oid: id, key: type } = getAlgorithm(key)
  return type === 'rsa' ? encodeSequence(encodeOid(id), nullValue) : encodeSequence(encodeOid(id))
}

/** Returns a signer with a key in memory. */
export function createKeySigner(key: KeyObject): Signer {
  return { publicKey: createPublicKey(key as never), sign: async (content) => signContent(content, key) }
}

/** Returns the name of the hash for signatures with this key; `undefined` if the signature algorithm has a built-in hash. */
export function getSignatureHash(key: KeyObject): string | undefined {
  return getAlgorithm(key).hash
}

/** Signs content and returns content, algorithm and signature in one SEQUENCE. */
export function signDer(content: Buffer, key: KeyObject): SignedData {
  return joinSigned(content, key, signContent(content, key))
}

/** Same as `signDer`, with a private key that may be outside this process. */
export async function signDerWith(content: Buffer, signer: Signer): Promise<SignedData> {
  return joinSigned(content, signer.publicKey, await signer.sign(content))
}

/** Returns true if the signature of the content was made with the key, by the algorithm with which the key signs. */
export function isSignatureOf(content: Buffer, signature: Buffer, key: KeyObject): boolean {
  return verify(getAlgorithm(key).hash, content, key, signature)
}

function signContent(content: Buffer, key: KeyObject): Buffer {
  return sign(getAlgorithm(key).hash, content, key)
}

function joinSigned(content: Buffer, key: KeyObject, signature: Buffer): SignedData {
  const { oid: algorithm } = getAlgorithm(key)
  return {
    der: encodeSequence(content, encodeSignatureAlgorithm(key), encodeBitString(signature)),
    content,
    algorithm,
    signature,
  }
}

/** Parses the content, algorithm and signature, and the fields of the content. Throws DER_MALFORMED. */
export function parseSigned(der: Buffer): { signed: SignedData; fields: Der[] } {
  const signed = splitSigned(der)
  return { signed, fields: readSequence(parseDer(signed.content), 'signed content') }
}

/** Splits the DER into content, algorithm and signature without parsing the content. Throws DER_MALFORMED. */
export function splitSigned(der: Buffer): SignedData {
  const parts = splitDer(der)
  const [content, algorithm, signature] = parts
  if (der[0] !== tags.sequence || parts.length !== 3 || !content || !algorithm || !signature)
    throwIssue(derIssues.DER_MALFORMED, { why: 'it is not a signed structure' })
  const [id] = readSequence(parseDer(algorithm), 'signature algorithm')
  const bits = decodeBitString(expectTag(parseDer(signature), tags.bitString, 'signature'))
  return { der, content, algorithm: decodeOid(id), signature: bits }
}

/** Returns true if the object identifier belongs to a trusted signature algorithm; MD5 and SHA-1 are not trusted. */
export function isTrustedAlgorithm(algorithm: string): boolean {
  return algorithms.some(({ oid }) => oid === algorithm)
}

/** Returns true if the content was signed with the key; false for untrusted algorithms (MD5, SHA-1). */
export function isSignedBy({ content, algorithm, signature }: SignedData, key: KeyObject): boolean {
  const known = algorithms.find((each) => each.oid === algorithm)
  if (!known || known.key !== key.asymmetricKeyType) return false
  return verify(known.hash, content, key, signature)
}

function getAlgorithm(key: KeyObject): Algorithm {
  const hash = hashOfCurve[key.asymmetricKeyDetails?.namedCurve ?? ''] ?? 'sha256'
  const found = algorithms.find((each) => each.key === key.asymmetricKeyType && (each.hash ?? hash) === hash)
  if (!found) throw new TypeError(`Keys of type ${key.asymmetricKeyType} cannot sign certificates`)
  return found
}
