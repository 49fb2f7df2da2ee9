import { isIP } from 'node:net'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import {
  type Der,
  decodeBitString,
  decodeOid,
  decodeText,
  encodeBitString,
  encodeBoolean,
  encodeElement,
  encodeInteger,
  encodeOctetString,
  encodeOid,
  encodeSequence,
  encodeUtf8String,
  expectTag,
  getContextTag,
  getDerChildren,
  getDerContent,
  getLeafContent,
  getTag,
  parseDer,
  readSequence,
  tags,
  toDerBytes,
} from './der.ts'
import type { DistinguishedName } from './distinguished-name.ts'
import { oids } from './oids.ts'

/** An extension of a certificate, a request or a revocation list. */
export interface Extension {
  readonly oid: string
  readonly critical: boolean
  /** The DER inside the OCTET STRING. */
  readonly value: Buffer
}

const issues = defineIssues({
  ALT_NAME_FORM: {
    text: (a: { name: string }) => `Subject alternative name '${a.name}' must be DNS:name or IP:address`,
  },
})

/** Encodes an extension in DER. */
export function encodeExtension({ oid: id, critical, value }: Extension): Buffer {
  return encodeSequence(encodeOid(id), ...(critical ? [encodeBoolean(true)] : []), encodeOctetString(value))
}

/** Parses an extension. Throws DER_MALFORMED. */
export function parseExtension(der: Der): Extension {
  const [id, ...rest] = readSequence(der, 'extension')
  const critical = isTrueBoolean(rest[0])
  const value = getLeafContent(expectTag(rest.at(-1), tags.octetString, 'value of an extension'))
  return { oid: decodeOid(id), critical, value }
}

/** Returns the extension with this object identifier; `undefined` if it is missing. */
export function findExtension(extensions: readonly Extension[], id: string): Extension | undefined {
  return extensions.find((each) => each.oid === id)
}

/** Builds one of Puppet's extensions, whose value is a UTF8String. */
export function buildTextExtension(id: string, value: string): Extension {
  return { oid: id, critical: false, value: encodeUtf8String(value) }
}

/**
 * Returns the text of one of Puppet's extensions. A value that is not DER is returned as text, since old agents sent
 * plain text.
 */
export function getExtensionText({ value }: Extension): string {
  try {
    return decodeText(parseDer(value)) ?? value.toString('utf8')
  } catch {
    return value.toString('utf8')
  }
}

/**
 * Builds the extension `subjectAltName`. Each name is `DNS:host`, `IP:address`, or a DNS name
 * without prefix.
 */
export function buildSubjectAltName(names: readonly string[]): Extension {
  return { oid: oids.subjectAltName, critical: false, value: encodeSequence(...names.map(encodeGeneralName)) }
}

/** Returns the alternative names as `DNS:host` and `IP:address`, and names of other kinds as `OTHER:hex`. */
export function listSubjectAltNames(extensions: readonly Extension[]): string[] {
  const extension = findExtension(extensions, oids.subjectAltName)
  if (!extension) return []
  return getDerChildren(parseDer(extension.value)).map((name) => {
    const tag = getTag(name)
    if (tag === getContextTag(2, 'primitive')) return `DNS:${getLeafContent(name).toString('latin1')}`
    if (tag === getContextTag(7, 'primitive') && isIpAddress(getLeafContent(name)))
      return `IP:${formatIpAddress(getLeafContent(name))}`
    return `OTHER:${toDerBytes(name).toString('hex')}`
  })
}

/** Kinds of subject alternative names with a text form, by tag (RFC 5280, 4.2.1.6). */
const altNameKinds = { 1: 'email', 2: 'dns', 6: 'uri', 7: 'ip' } as const

/** Kind of a subject alternative name; the kind `other` has no text form. */
export type AltNameKind = (typeof altNameKinds)[keyof typeof altNameKinds] | 'other'

/**
 * Returns subject alternative names with their kinds. The text of a name of kind `other` is its DER in hexadecimal.
 * Throws DER_MALFORMED.
 */
export function listTypedAltNames(
  extensions: readonly Extension[],
): { readonly kind: AltNameKind; readonly name: string }[] {
  const extension = findExtension(extensions, oids.subjectAltName)
  if (!extension) return []
  return readSequence(parseDer(extension.value), 'subject alternative names').map((der) => {
    const tag = [1, 2, 6, 7].find(
      (each) => getTag(der) === getContextTag(each, 'primitive'),
    ) as keyof typeof altNameKinds
    const kind = tag && altNameKinds[tag]
    if (kind === undefined || (kind === 'ip' && !isIpAddress(getLeafContent(der))))
      return { kind: 'other', name: toDerBytes(der).toString('hex') }
    return {
      kind,
      name: kind === 'ip' ? formatLongAddress(getLeafContent(der)) : getLeafContent(der).toString('latin1'),
    }
  })
}

/**
 * Formats an IPv6 address without abbreviations, as Java does: `0:0:0:0:0:0:0:1`; formats an IPv4-mapped address as
 * IPv4.
 */
function formatLongAddress(bytes: Buffer): string {
  const mapped = Buffer.from('00000000000000000000ffff', 'hex')
  if (bytes.length === 16 && bytes.subarray(0, 12).equals(mapped)) return [...bytes.subarray(12)].join('.')
  if (bytes.length === 4) return [...bytes].join('.')
  return Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(index * 2).toString(16)).join(':')
}

/**
 * Returns the text of an extension's value: a UTF8String, which Puppet writes, or plain ASCII, which old agents wrote.
 * Returns `undefined` for other values, since Puppet Server decodes an IA5String differently.
 */
export function findExtensionString({ value }: Extension): string | undefined {
  try {
    const der = parseDer(value)
    return getTag(der) === tags.utf8String ? decodeText(der) : undefined
  } catch {
    return /^[ -~]*$/.test(value.toString('latin1')) ? value.toString('latin1') : undefined
  }
}

function encodeGeneralName(name: string): Buffer {
  const [, kind = 'DNS', value = ''] = /^(?:(DNS|IP):)?(.*)$/s.exec(name.trim()) ?? []
  if (kind === 'IP' && isIP(value)) return encodeElement(getContextTag(7, 'primitive'), encodeIpAddress(value))
  if (kind !== 'DNS' || !/^[\x21-\x7e]+$/.test(value) || value.includes(':')) throwIssue(issues.ALT_NAME_FORM, { name })
  return encodeElement(getContextTag(2, 'primitive'), Buffer.from(value, 'latin1'))
}

function encodeIpAddress(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number))
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [head = '', tail] = groups.split('::')
  const parseWords = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((word) => Number.parseInt(word, 16))
  const zeros = tail === undefined ? 0 : 8 - parseWords(head).length - parseWords(tail).length
  const all = [...parseWords(head), ...Array<number>(zeros).fill(0), ...parseWords(tail ?? '')]
  return Buffer.from(all.flatMap((word) => [word >> 8, word & 0xff]))
}

function isIpAddress({ length }: Buffer): boolean {
  return length === 4 || length === 16
}

function formatIpAddress(bytes: Buffer): string {
  if (bytes.length === 4) return [...bytes].join('.')
  const words = Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(index * 2).toString(16))
  return new URL(`http://[${words.join(':')}]`).hostname.slice(1, -1)
}

/** Builds critical basic constraints: `CA:TRUE` for a CA. */
export function buildBasicConstraints(authority: boolean): Extension {
  return {
    oid: oids.basicConstraints,
    critical: true,
    value: encodeSequence(...(authority ? [encodeBoolean(true)] : [])),
  }
}

/** Returns true if the extensions mark the certificate of a CA, which may sign other certificates. */
export function isAuthority(extensions: readonly Extension[]): boolean {
  const extension = findExtension(extensions, oids.basicConstraints)
  const [first] = extension ? readSequence(parseDer(extension.value), 'basic constraints') : []
  return isTrueBoolean(first)
}

/** Bit numbers of key usages. */
const usageBits = { digitalSignature: 0, keyEncipherment: 2, keyCertSign: 5, cRLSign: 6 } as const

/** Builds a critical key usage extension. */
export function buildKeyUsage(...uses: readonly (keyof typeof usageBits)[]): Extension {
  const bits: number[] = uses.map((use) => usageBits[use])
  const byte = bits.reduce((sum, bit) => sum | (0x80 >> bit), 0)
  return { oid: oids.keyUsage, critical: true, value: encodeBitString(Buffer.from([byte]), 7 - Math.max(...bits)) }
}

/** Builds an extended key usage extension, which is critical, as in Puppet. */
export function buildExtendedKeyUsage(...uses: readonly string[]): Extension {
  return { oid: oids.extendedKeyUsage, critical: true, value: encodeSequence(...uses.map(encodeOid)) }
}

/** Returns the names of the key usages in the extension. */
export function listKeyUses({ value }: Extension): string[] {
  const [byte = 0] = decodeBitString(parseDer(value))
  return Object.entries(usageBits)
    .filter(([, bit]) => byte & (0x80 >> bit))
    .map(([use]) => use)
}

/** Returns the object identifiers in an extended key usage extension. */
export function listExtendedKeyUses({ value }: Extension): string[] {
  return getDerChildren(parseDer(value)).map(decodeOid)
}

/** Builds the extension for Netscape's comment, which Puppet's certificates contain. */
export function buildNetscapeComment(comment: string): Extension {
  return {
    oid: oids.netscapeComment,
    critical: false,
    value: encodeElement(tags.ia5String, Buffer.from(comment, 'latin1')),
  }
}

/** Builds the identifier of the subject's key. */
export function buildSubjectKeyIdentifier(id: Buffer): Extension {
  return { oid: oids.subjectKeyIdentifier, critical: false, value: encodeOctetString(id) }
}

/** Returns the identifier of the subject's key; `undefined` if it is missing. */
export function findSubjectKeyIdentifier(extensions: readonly Extension[]): Buffer | undefined {
  const extension = findExtension(extensions, oids.subjectKeyIdentifier)
  return extension && getLeafContent(parseDer(extension.value))
}

/**
 * Builds the identifier of the issuer's key. In certificates, it also contains the name and serial of the issuer's
 * certificate.
 */
export function buildAuthorityKeyIdentifier(
  id: Buffer,
  issuer?: { readonly name: DistinguishedName; readonly serial: bigint },
): Extension {
  const named = issuer && [
    encodeElement(getContextTag(1), encodeElement(getContextTag(4), issuer.name.der)),
    encodeElement(getContextTag(2, 'primitive'), getDerContent(encodeInteger(issuer.serial))),
  ]
  return {
    oid: oids.authorityKeyIdentifier,
    critical: false,
    value: encodeSequence(encodeElement(getContextTag(0, 'primitive'), id), ...(named ?? [])),
  }
}

/** Returns the identifier of the issuer's key; `undefined` if it is missing. */
export function findAuthorityKeyIdentifier(extensions: readonly Extension[]): Buffer | undefined {
  const extension = findExtension(extensions, oids.authorityKeyIdentifier)
  if (!extension) return undefined
  const id = getDerChildren(parseDer(extension.value)).find((field) => getTag(field) === getContextTag(0, 'primitive'))
  return id && getLeafContent(id)
}

function isTrueBoolean(der: Der | undefined): boolean {
  return der !== undefined && getTag(der) === tags.boolean && getLeafContent(der)[0] !== 0
}
