import { type CertificateStatus, createBrokenStatus } from '../certificate-status.ts'

/**
 * Encodes the status of a certificate as a line of JSON, a third of the usual size: digests are in base64, and repeated
 * and default values are omitted. The serial is a string, since it may exceed the range of JSON numbers.
 */
export function packStatus(status: CertificateStatus): string {
  const { name, serial_number: serial, not_before: from, not_after: to, problem } = status
  if (problem !== undefined) return JSON.stringify([name, problem])
  const { SHA1, SHA256, SHA512 } = status.fingerprints
  const digests = [SHA1, SHA256, SHA512].map((digest) =>
    Buffer.from(digest.replaceAll(':', ''), 'hex').toString('base64'),
  )
  const names = status.subject_alt_names
  const isUsual = names.length === 1 && names[0] === `DNS:${name}`
  const extensions = Object.entries(status.authorization_extensions)
  return JSON.stringify([name, String(serial), from, to, ...digests, isUsual ? 0 : names, extensions])
}

/** Decodes a line of `packStatus`; `undefined` for an invalid line. */
export function unpackStatus(line: string): CertificateStatus | undefined {
  const fields = parseFields(line)
  const [name, ...rest] = fields ?? []
  if (typeof name !== 'string') return undefined
  if (rest.length === 1 && typeof rest[0] === 'string') return createBrokenStatus(name, rest[0])
  const [serial, from, to, sha1, sha256, sha512, names, extensions] = rest
  const texts = [serial, from, to, sha1, sha256, sha512]
  if (!texts.every((each) => typeof each === 'string') || !/^\d+$/.test(texts[0]!)) return undefined
  const altNames = names === 0 ? [`DNS:${name}`] : Array.isArray(names) ? names.map(String) : undefined
  if (!altNames || !Array.isArray(extensions)) return undefined
  const number = BigInt(texts[0]!)
  const digest = formatDigest(texts[4]!)
  return {
    name,
    state: 'signed',
    dns_alt_names: altNames.filter((each) => each.startsWith('DNS:')),
    subject_alt_names: altNames,
    authorization_extensions: Object.fromEntries(extensions as [string, string][]),
    fingerprint: digest,
    fingerprints: { SHA1: formatDigest(texts[3]!), SHA256: digest, SHA512: formatDigest(texts[5]!), default: digest },
    serial_number: number <= Number.MAX_SAFE_INTEGER ? Number(number) : texts[0]!,
    not_before: texts[1]!,
    not_after: texts[2]!,
  }
}

function parseFields(line: string): readonly unknown[] | undefined {
  try {
    const fields: unknown = JSON.parse(line)
    return Array.isArray(fields) ? fields : undefined
  } catch {
    return undefined
  }
}

const hexDigits = Buffer.from('0123456789ABCDEF', 'latin1')
/** Length of the longest digest, in bytes. */
const longestDigest = 64
/** Reusable buffer with room for two hexadecimal digits and a colon per byte of a digest. */
const spelled = Buffer.alloc(3 * longestDigest, ':')

/**
 * Formats a digest as OpenSSL does. Reuses one buffer, since a large list contains hundreds of thousands of digests.
 */
function formatDigest(base64: string): string {
  const bytes = Buffer.from(base64, 'base64')
  const count = Math.min(bytes.length, longestDigest)
  for (let at = 0; at < count; at++) {
    spelled[3 * at] = hexDigits[bytes[at]! >> 4]!
    spelled[3 * at + 1] = hexDigits[bytes[at]! & 15]!
  }
  return spelled.toString('latin1', 0, Math.max(0, 3 * count - 1))
}
