import { createCipheriv, createHash, type Hash, randomBytes } from 'node:crypto'
import { armored, encryptAge } from '../age/age-writer.ts'

/** Plain data of a file, as JSON. */
export type Plain = null | boolean | number | string | readonly Plain[] | { readonly [key: string]: Plain }

/** How a file is written. */
export interface WriterOptions {
  /** The groups of public keys for age; one group in the simplest case. */
  readonly groups: readonly (readonly Buffer[])[]
  readonly threshold?: number
  /** Further recipients of a part of the data key, by kind, such as `kms`. */
  readonly services?: (part: Buffer, group: number) => Readonly<Record<string, Plain>>
  /** Further metadata, such as `encrypted_regex`. */
  readonly metadata?: Readonly<Record<string, Plain>>
  /** True for the keys below which values are encrypted; by default those without the suffix `_unencrypted`. */
  readonly isEncrypted?: (path: readonly string[]) => boolean
}

const lastModified = '2026-11-29T12:00:00Z'

/** Encrypts data as SOPS does, in JSON, by the description of its format: the reader is the one under test. */
export function writeSopsJson(data: { readonly [key: string]: Plain }, options: WriterOptions): string {
  const key = randomBytes(32)
  const { groups, threshold = 0, metadata = {}, services } = options
  const isEncrypted = options.isEncrypted ?? ((path) => !path.some((name) => name.endsWith('_unencrypted')))
  const isPartial = metadata['mac_only_encrypted'] === true
  const mac = createHash('sha512')
  if (isPartial) mac.update(createHash('sha256').update('sops').digest())
  const encrypted = encryptNode(data, [], { key, mac, isEncrypted, isPartial }) as { [key: string]: Plain }
  const digest = mac.digest('hex').toUpperCase()
  const parts = groups.length > 1 ? splitSecret(key, groups.length, threshold) : [key]
  const written = groups.map((group, at) => ({
    age: group.map((publicKey) => ({ recipient: 'age1…', enc: armored(encryptAge(parts[at]!, [publicKey])) })),
    ...services?.(parts[at]!, at),
  }))
  const keys = groups.length > 1 ? { key_groups: written, shamir_threshold: threshold } : written[0]
  const sops = { ...keys, lastmodified: lastModified, mac: encryptText(digest, 'str', key, lastModified), ...metadata }
  return JSON.stringify({ ...encrypted, sops: { ...sops, version: '3.13.1' } }, undefined, 2)
}

interface Writing {
  readonly key: Buffer
  readonly mac: Hash
  readonly isEncrypted: (path: readonly string[]) => boolean
  readonly isPartial: boolean
}

function encryptNode(node: Plain, path: readonly string[], writing: Writing): Plain {
  if (node === null) return null
  if (Array.isArray(node)) return node.map((item: Plain) => encryptNode(item, path, writing))
  if (typeof node === 'object')
    return Object.fromEntries(
      Object.entries(node).map(([name, item]) => [name, encryptNode(item as Plain, [...path, name], writing)]),
    )
  const isEncrypted = writing.isEncrypted(path)
  const text = typeof node === 'boolean' ? (node ? 'True' : 'False') : String(node)
  if (isEncrypted || !writing.isPartial) writing.mac.update(text)
  if (!isEncrypted) return node
  return text === '' ? '' : encryptText(text, typeName(node), writing.key, `${path.join(':')}:`)
}

function typeName(value: boolean | number | string): string {
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float'
  return typeof value === 'boolean' ? 'bool' : 'str'
}

/** An encrypted value, as SOPS writes it. */
export function encryptText(text: string | Buffer, type: string, key: Buffer, path: string): string {
  const iv = randomBytes(32)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(path))
  const data = Buffer.concat([cipher.update(text), cipher.final()])
  const [value, nonce, tag] = [data, iv, cipher.getAuthTag()].map((bytes) => bytes.toString('base64'))
  return `ENC[AES256_GCM,data:${value},iv:${nonce},tag:${tag},type:${type}]`
}

/** Splits a secret into shares, by logarithms in the field of AES. */
export function splitSecret(secret: Buffer, parts: number, threshold: number): Buffer[] {
  const polynomials = Array.from(secret, (byte) => [byte, ...randomBytes(threshold - 1)])
  return Array.from({ length: parts }, (_, index) => {
    const x = index + 1
    const ys = polynomials.map((each) => each.reduceRight((sum, coefficient) => multiply(sum, x) ^ coefficient, 0))
    return Buffer.from([...ys, x])
  })
}

const powers: number[] = [1]
for (let at = 1; at < 255; at++) {
  const last = powers[at - 1]!
  powers.push((last << 1) ^ last ^ (last & 0x80 ? 0x11b : 0))
}

function multiply(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : powers[(powers.indexOf(a) + powers.indexOf(b)) % 255]!
}
