import { constants, createDecipheriv, type KeyObject, privateDecrypt } from 'node:crypto'
import { isIssue, throwIssue } from '../../../base/issue.ts'
import {
  type Der,
  derIssues,
  expectTag,
  getContextTag,
  getDerChildren,
  getLeafContent,
  parseDer,
  readSequence,
  tags,
} from '../../../ca/x509/der.ts'
import { eyamlIssues } from './issues.ts'

/** Ciphers that hiera-eyaml uses, by object identifier in DER, as hexadecimal. RFC 3565, RFC 3370. */
const ciphers: Readonly<Record<string, { readonly name: string; readonly keyLength: number }>> = {
  '2a864886f70d0307': { name: 'des-ede3-cbc', keyLength: 24 },
  '60864801650304012a': { name: 'aes-256-cbc', keyLength: 32 },
  '608648016503040116': { name: 'aes-192-cbc', keyLength: 24 },
  '608648016503040102': { name: 'aes-128-cbc', keyLength: 16 },
}
const envelopedData = '2a864886f70d010703'
const rsaEncryption = '2a864886f70d010101'

/**
 * Decrypts PKCS#7 enveloped data (RFC 2315, section 10) with the first key that fits a recipient. Throws
 * EYAML_MALFORMED, EYAML_WRONG_KEY.
 */
export function openEnvelope(bytes: Buffer, keys: Iterable<KeyObject>): Buffer {
  const envelope = wrapDerErrors(() => readEnvelope(bytes))
  let tried = 0
  for (const key of keys) {
    const content = openWithKey(envelope, key)
    if (content) return content
    tried++
  }
  return throwIssue(eyamlIssues.EYAML_WRONG_KEY, { keys: tried })
}

function openWithKey({ recipients, cipher, iv, content }: Envelope, key: KeyObject): Buffer | undefined {
  for (const encryptedKey of recipients) {
    const sessionKey = decryptSessionKey(encryptedKey, key)
    if (sessionKey?.length !== cipher.keyLength) continue
    try {
      const decipher = createDecipheriv(cipher.name, sessionKey, iv)
      return Buffer.concat([decipher.update(content), decipher.final()])
    } catch {
      // Wrong padding is reported like a wrong key, so that the error is no padding oracle.
    }
  }
  return undefined
}

interface Envelope {
  /** The encrypted session key for each recipient. */
  readonly recipients: readonly Buffer[]
  readonly cipher: { readonly name: string; readonly keyLength: number }
  readonly iv: Buffer
  readonly content: Buffer
}

function readEnvelope(bytes: Buffer): Envelope {
  const [type, wrapped] = readSequence(parseDer(bytes), 'content info')
  if (toHexOid(type) !== envelopedData) failMalformed('its content is of another type')
  const [outer] = getDerChildren(expectTag(wrapped, getContextTag(0), 'content'))
  const [, recipients, encrypted] = readSequence(outer, 'enveloped data')
  const [, algorithm, content] = readSequence(encrypted, 'encrypted content')
  const [cipherType, iv] = readSequence(algorithm, 'content encryption algorithm')
  return {
    recipients: getDerChildren(expectTag(recipients, tags.set, 'recipients')).flatMap(findSessionKeys),
    cipher: ciphers[toHexOid(cipherType)] ?? failMalformed('the cipher is unknown'),
    iv: getLeafContent(expectTag(iv, tags.octetString, 'initialization vector')),
    content: getLeafContent(expectTag(content, getContextTag(0, 'primitive'), 'encrypted bytes')),
  }
}

/** Returns the encrypted session key for a recipient, if the recipient has an RSA key; otherwise an empty list. */
function findSessionKeys(recipient: Der): Buffer[] {
  const [, , algorithm, encryptedKey] = readSequence(recipient, 'recipient')
  if (toHexOid(readSequence(algorithm, 'key encryption algorithm')[0]) !== rsaEncryption) return []
  return [getLeafContent(expectTag(encryptedKey, tags.octetString, 'encrypted key'))]
}

/**
 * Decrypts the session key. Removes the PKCS #1 v1.5 padding itself, since Node refuses to remove it with OpenSSL
 * before 3.2 (CVE-2023-46809). Node refuses to prevent padding oracles; here, wrong padding and a wrong cipher cause
 * the same error.
 */
function decryptSessionKey(encrypted: Buffer, key: KeyObject): Buffer | undefined {
  try {
    const block = privateDecrypt({ key, padding: constants.RSA_NO_PADDING }, encrypted)
    const end = block.indexOf(0, 2)
    return block[0] === 0 && block[1] === 2 && end >= 10 ? block.subarray(end + 1) : undefined
  } catch {
    return undefined
  }
}

function toHexOid(oid: Der | undefined): string {
  return getLeafContent(expectTag(oid, tags.oid, 'object identifier')).toString('hex')
}

function wrapDerErrors<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (!isIssue(error, derIssues.DER_MALFORMED)) throw error
    return failMalformed(error.diagnostic.message)
  }
}

function failMalformed(why: string): never {
  return throwIssue(eyamlIssues.EYAML_MALFORMED, { why })
}
