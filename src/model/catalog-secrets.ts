import {
  constants,
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hash,
  hkdfSync,
  type KeyObject,
  privateDecrypt,
  publicEncrypt,
  randomBytes,
  X509Certificate,
} from 'node:crypto'
import { defineIssues, PuppetError, throwIssue } from '../base/issue.ts'
import {
  createExactObject,
  type ExactJson,
  type ExactObject,
  getEntries,
  getMember,
  isExactObject,
} from '../base/json/exact-json.ts'
import { checkJsonObject, checkJsonString } from '../base/json/json-checks.ts'
import { formatExactJson, parseJson } from '../base/json/json-text.ts'
import { toPublicKeyDer } from '../ca/x509/keys.ts'
import { redactSecrets } from './secret-redaction.ts'

const issues = defineIssues({
  CATALOG_SECRETS_NO_KEY: {
    text: (_: object) => 'The secrets of the catalog are encrypted, and the private key of this node does not exist',
  },
  CATALOG_SECRETS_KEY_TYPE: {
    text: (a: { type: string }) =>
      `The secrets of the catalog cannot be encrypted for the certificate of the node, whose key has the type ${a.type}`,
    hint: () => 'Use a node key with RSA or an elliptic curve, or set catalog_secrets = plain.',
  },
  CATALOG_SECRETS_OTHER_KEY: {
    text: (_: object) => 'The secrets of the catalog are encrypted for another key',
    hint: () => 'The next catalog from the server replaces this catalog.',
  },
  CATALOG_SECRETS_BROKEN: {
    text: (a: { reference: string; parameter: string }) =>
      `Could not decrypt a secret of ${a.reference}, parameter ${a.parameter}: it was changed`,
  },
})

/** Member of a catalog with the key of its secrets, encrypted for the node. */
const member = 'encrypted_secrets'
/** Type tag of an encrypted value. */
const tag = 'EncryptedSecret'
const [ivSize, tagSize] = [12, 16]

/**
 * Encrypts the Sensitive values of a catalog for the key in a certificate. The text of a catalog without such values is
 * returned unchanged. Each value is encrypted with AES-256-GCM and a key of the catalog, and is bound to its resource
 * and parameter. The key is encrypted with RSA-OAEP (SHA-256), or derived by ECDH with a key pair of the catalog and
 * HKDF (SHA-256).
 */
export function encryptCatalogSecrets(text: Uint8Array, certificate: Uint8Array): Uint8Array {
  const bytes = Buffer.from(text.buffer, text.byteOffset, text.byteLength)
  if (!bytes.includes('"sensitive_parameters"') && !bytes.includes('"__ptype":"Sensitive"')) return text
  const { key, header } = createContentKey(new X509Certificate(certificate).publicKey)
  const catalog = transformSecrets(parseJson(bytes.toString()) as ExactJson, (value, context) => {
    if (isEncrypted(value)) return value
    return createExactObject([
      ['__ptype', tag],
      ['__pvalue', encryptValue(formatExactJson(value), key, context).toString('base64')],
    ])
  })
  return new TextEncoder().encode(formatExactJson(createExactObject([...listMembers(catalog), [member, header]])))
}

/**
 * Decrypts the secrets of a catalog with the private key of the node, as PEM. A catalog without encrypted secrets is
 * returned unchanged. Throws CATALOG_SECRETS_….
 */
export async function decryptCatalogSecrets(
  wire: ExactJson,
  readKey: () => Promise<string | undefined>,
): Promise<ExactJson> {
  const header = getMember(wire, member)
  if (header === undefined) return wire
  const pem = (await readKey()) ?? throwIssue(issues.CATALOG_SECRETS_NO_KEY, {})
  const key = openContentKey(header, createPrivateKey(pem))
  return transformSecrets(wire, (value, context) => {
    if (!isEncrypted(value)) return value
    return decryptValue(Buffer.from(String(getMember(value, '__pvalue')), 'base64'), key, context)
  })
}

/** The parameter that contains a secret. */
interface SecretContext {
  readonly reference: string
  readonly parameter: string
  /** Indexes and keys that lead to the value within the parameter, each after a slash. */
  readonly path: string
}

type Transform = (value: ExactJson, context: SecretContext) => ExactJson

/** Replaces the value of each sensitive parameter, and of each Sensitive value within other parameters. */
function transformSecrets(catalog: ExactJson, transform: Transform): ExactJson {
  return replaceMember(catalog, 'resources', (resources) =>
    Array.isArray(resources)
      ? resources.map((resource: ExactJson) => transformResource(resource, transform))
      : resources,
  )
}

function transformResource(resource: ExactJson, transform: Transform): ExactJson {
  const reference = `${String(getMember(resource, 'type'))}[${String(getMember(resource, 'title'))}]`
  const listed = getMember(resource, 'sensitive_parameters')
  const sensitive = new Set(Array.isArray(listed) ? (listed as readonly ExactJson[]) : [])
  return replaceMember(resource, 'parameters', (parameters) => {
    if (!isExactObject(parameters)) return parameters
    return mapMembers(parameters, (parameter, value) => {
      const change = (secret: ExactJson, path: string) => transform(secret, { reference, parameter, path })
      if (sensitive.has(parameter)) return change(value, '')
      return redactSecrets(value, (secret = null, path) => ({ __ptype: 'Sensitive', __pvalue: change(secret, path) }))
    })
  })
}

function replaceMember(object: ExactJson, name: string, replace: (value: ExactJson) => ExactJson): ExactJson {
  return isExactObject(object) ? mapMembers(object, (key, value) => (key === name ? replace(value) : value)) : object
}

function mapMembers(object: ExactObject, change: (key: string, value: ExactJson) => ExactJson): ExactObject {
  return createExactObject(listMembers(object).map(([key, value]) => [key, change(key, value)]))
}

function listMembers(object: ExactJson): readonly (readonly [string, ExactJson])[] {
  return isExactObject(object) ? Array.from(getEntries(object), ([key, value = null]) => [key, value]) : []
}

function isEncrypted(value: ExactJson): boolean {
  return isExactObject(value) && getMember(value, '__ptype') === tag
}

/** Creates the key of a catalog's secrets, and the form in which the catalog contains the key. */
function createContentKey(recipient: KeyObject): { readonly key: Uint8Array; readonly header: ExactJson } {
  const recipient_key = computeKeyDigest(recipient)
  if (recipient.asymmetricKeyType === 'rsa') {
    const key = randomBytes(32)
    const wrapped = publicEncrypt(
      { key: recipient, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' },
      key,
    )
    return { key, header: { alg: 'RSA-OAEP-256', recipient_key, key: wrapped.toString('base64') } }
  }
  const { asymmetricKeyType: type = 'unknown', asymmetricKeyDetails: { namedCurve } = {} } = recipient
  if (type !== 'ec' || namedCurve === undefined) return throwIssue(issues.CATALOG_SECRETS_KEY_TYPE, { type })
  const own = generateKeyPairSync('ec', { namedCurve })
  const key = deriveKey(own.privateKey, recipient)
  const shown = toPublicKeyDer(own.publicKey).toString('base64')
  return { key, header: { alg: 'ECDH-ES', recipient_key, key: shown } }
}

function openContentKey(given: ExactJson, key: KeyObject): Uint8Array {
  try {
    const header = checkJsonObject(given, member)
    const wrapped = Buffer.from(checkJsonString(header.key, `${member}.key`), 'base64')
    if (header.recipient_key !== computeKeyDigest(key)) return throwIssue(issues.CATALOG_SECRETS_OTHER_KEY, {})
    if (header.alg === 'RSA-OAEP-256')
      return privateDecrypt({ key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' }, wrapped)
    return deriveKey(key, createPublicKey({ key: wrapped, type: 'spki', format: 'der' }))
  } catch (error) {
    if (error instanceof PuppetError) throw error
    return throwIssue(issues.CATALOG_SECRETS_OTHER_KEY, {})
  }
}

function deriveKey(privateKey: KeyObject, publicKey: KeyObject): Uint8Array {
  const shared = diffieHellman({ privateKey, publicKey })
  return new Uint8Array(hkdfSync('sha256', shared, Buffer.alloc(0), 'plumb-catalog-secrets', 32))
}

/** Returns the SHA-256 of the public key of a pair, in hexadecimal. */
function computeKeyDigest(key: KeyObject): string {
  return hash('sha256', toPublicKeyDer(key))
}

function encryptValue(text: string, key: Uint8Array, context: SecretContext): Buffer {
  const iv = randomBytes(ivSize)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(formatContext(context))
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), encrypted])
}

function decryptValue(bytes: Buffer, key: Uint8Array, context: SecretContext): ExactJson {
  try {
    const [iv, authTag] = [bytes.subarray(0, ivSize), bytes.subarray(ivSize, ivSize + tagSize)]
    const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: tagSize })
    decipher.setAAD(formatContext(context)).setAuthTag(authTag)
    return parseJson(decipher.update(bytes.subarray(ivSize + tagSize), undefined, 'utf8') + decipher.final('utf8'))
  } catch {
    return throwIssue(issues.CATALOG_SECRETS_BROKEN, { ...context })
  }
}

function formatContext({ reference, parameter, path }: SecretContext): Buffer {
  return Buffer.from(`${reference}\0${parameter}\0${path}`)
}
