import {
  createCipheriv,
  createHmac,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  randomBytes,
} from 'node:crypto'
import { createX25519Key } from '../../../../src/compiler/hiera/age/age-identities.ts'

const alphabet = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const chunkBytes = 64 * 1024

/** An identity, as in a file of `age-keygen`, with the bytes of its public key. */
export interface WrittenIdentity {
  readonly line: string
  readonly recipient: string
  readonly publicKey: Buffer
}

/** Makes an identity. */
export function createIdentity(): WrittenIdentity {
  const { privateKey } = generateKeyPairSync('x25519')
  const bytes = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(16)
  const publicKey = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(12)
  return {
    line: encodeBech32('age-secret-key-', bytes).toUpperCase(),
    recipient: encodeBech32('age', publicKey),
    publicKey,
  }
}

/** Encrypts bytes for public keys, by the description of the format, as the reader is the one under test. */
export function encryptAge(plain: Buffer, publicKeys: readonly Buffer[]): Buffer {
  const fileKey = randomBytes(16)
  const stanzas = publicKeys.map((publicKey) => {
    const pair = generateKeyPairSync('x25519')
    const share = pair.publicKey.export({ format: 'der', type: 'spki' }).subarray(12)
    const secret = diffieHellman({ privateKey: pair.privateKey, publicKey: createX25519Key(publicKey) })
    const key = derive(secret, Buffer.concat([share, publicKey]), 'age-encryption.org/v1/X25519')
    return `-> X25519 ${raw(share)}\n${raw(seal(fileKey, key, Buffer.alloc(12)))}\n`
  })
  const header = `age-encryption.org/v1\n${stanzas.join('')}---`
  const mac = createHmac('sha256', derive(fileKey, Buffer.alloc(0), 'header'))
    .update(header)
    .digest()
  const nonce = randomBytes(16)
  const key = derive(fileKey, nonce, 'payload')
  const count = Math.max(1, Math.ceil(plain.length / chunkBytes))
  const chunks = Array.from({ length: count }, (_, at) => {
    const number = Buffer.alloc(12)
    number.writeUInt32BE(at, 7)
    number[11] = at === count - 1 ? 1 : 0
    return seal(plain.subarray(at * chunkBytes, (at + 1) * chunkBytes), key, number)
  })
  return Buffer.concat([Buffer.from(`${header} ${raw(mac)}\n`), nonce, ...chunks])
}

/** A file in armor. */
export function armored(bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN AGE ENCRYPTED FILE-----\n${lines.join('\n')}\n-----END AGE ENCRYPTED FILE-----\n`
}

function derive(secret: Buffer, salt: Buffer, info: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, 32))
}

function seal(plain: Buffer, key: Buffer, nonce: Buffer): Buffer {
  const cipher = createCipheriv('chacha20-poly1305', key, nonce, { authTagLength: 16 })
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

const raw = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')

function encodeBech32(prefix: string, bytes: Buffer): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
  const digits = (bits.match(/.{1,5}/g) ?? []).map((five) => Number.parseInt(five.padEnd(5, '0'), 2))
  const codes = Array.from(prefix, (each) => each.charCodeAt(0))
  const values = [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31), ...digits]
  const checksum = polymod([...values, 0, 0, 0, 0, 0, 0]) ^ 1
  const last = Array.from({ length: 6 }, (_, at) => (checksum >> (5 * (5 - at))) & 31)
  return `${prefix}1${[...digits, ...last].map((digit) => alphabet[digit]).join('')}`
}

function polymod(values: readonly number[]): number {
  const generators = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3]
  return values.reduce((checksum, value) => {
    const next = ((checksum & 0x1ffffff) << 5) ^ value
    return generators.reduce((sum, generator, bit) => ((checksum >> 25) & (1 << bit) ? sum ^ generator : sum), next)
  }, 1)
}
