import { isIP } from 'node:net'
import { defineIssues, fail } from '../../base/issue.ts'
import {
  bitString,
  bitsOf,
  boolean,
  bytesOf,
  childrenOf,
  contentOf,
  contextTag,
  type Der,
  element,
  expectTag,
  innerDer,
  integer,
  octetString,
  oid,
  oidOf,
  readDer,
  sequence,
  sequenceOf,
  tagOf,
  tags,
  textOf,
  utf8String,
} from './der.ts'
import type { Name } from './name.ts'
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
export function extensionDer({ oid: id, critical, value }: Extension): Buffer {
  return sequence(oid(id), ...(critical ? [boolean(true)] : []), octetString(value))
}

/** Parses an extension. Throws DER_MALFORMED. */
export function parseExtension(der: Der): Extension {
  const [id, ...rest] = sequenceOf(der, 'extension')
  const critical = isTrue(rest[0])
  const value = contentOf(expectTag(rest.at(-1), tags.octetString, 'value of an extension'))
  return { oid: oidOf(id), critical, value }
}

/** Returns the extension with this object identifier; `undefined` if it is missing. */
export function findExtension(extensions: readonly Extension[], id: string): Extension | undefined {
  return extensions.find((each) => each.oid === id)
}

/** Builds one of Puppet's extensions, whose value is a UTF8String. */
export function textExtension(id: string, value: string): Extension {
  return { oid: id, critical: false, value: utf8String(value) }
}

/**
 * Returns the text of one of Puppet's extensions. A value that is not DER is returned as text, since old agents sent
 * plain text.
 */
export function extensionText({ value }: Extension): string {
  try {
    return textOf(readDer(value)) ?? value.toString('utf8')
  } catch {
    return value.toString('utf8')
  }
}

/** Builds the extension `subjectAltName`. Each name is `DNS:host`, `IP:address`, or a DNS name without prefix. */
export function subjectAltName(names: readonly string[]): Extension {
  return { oid: oids.subjectAltName, critical: false, value: sequence(...names.map(generalName)) }
}

/** Returns the alternative names as `DNS:host` and `IP:address`, and names of other kinds as `OTHER:hex`. */
export function subjectAltNames(extensions: readonly Extension[]): string[] {
  const extension = findExtension(extensions, oids.subjectAltName)
  if (!extension) return []
  return childrenOf(readDer(extension.value)).map((name) => {
    const tag = tagOf(name)
    if (tag === contextTag(2, 'primitive')) return `DNS:${contentOf(name).toString('latin1')}`
    if (tag === contextTag(7, 'primitive') && isAddress(contentOf(name))) return `IP:${addressText(contentOf(name))}`
    return `OTHER:${bytesOf(name).toString('hex')}`
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
export function typedAltNames(
  extensions: readonly Extension[],
): { readonly kind: AltNameKind; readonly name: string }[] {
  const extension = findExtension(extensions, oids.subjectAltName)
  if (!extension) return []
  return sequenceOf(readDer(extension.value), 'subject alternative names').map((der) => {
    const tag = [1, 2, 6, 7].find((each) => tagOf(der) === contextTag(each, 'primitive')) as keyof typeof altNameKinds
    const kind = tag && altNameKinds[tag]
    if (kind === undefined || (kind === 'ip' && !isAddress(contentOf(der))))
      return { kind: 'other', name: bytesOf(der).toString('hex') }
    return { kind, name: kind === 'ip' ? longAddress(contentOf(der)) : contentOf(der).toString('latin1') }
  })
}

/**
 * Formats an IPv6 address without abbreviations, as Java does: `0:0:0:0:0:0:0:1`; formats an IPv4-mapped address as
 * IPv4.
 */
function longAddress(bytes: Buffer): string {
  const mapped = Buffer.from('00000000000000000000ffff', 'hex')
  if (bytes.length === 16 && bytes.subarray(0, 12).equals(mapped)) return [...bytes.subarray(12)].join('.')
  if (bytes.length === 4) return [...bytes].join('.')
  return Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(index * 2).toString(16)).join(':')
}

/**
 * Returns the text of an extension's value: a UTF8String, which Puppet writes, or plain ASCII, which old agents wrote.
 * Returns `undefined` for other values, since Puppet Server decodes an IA5String differently.
 */
export function extensionString({ value }: Extension): string | undefined {
  try {
    const der = readDer(value)
    return tagOf(der) === tags.utf8String ? textOf(der) : undefined
  } catch {
    return /^[ -~]*$/.test(value.toString('latin1')) ? value.toString('latin1') : undefined
  }
}

function generalName(name: string): Buffer {
  const [, kind = 'DNS', value = ''] = /^(?:(DNS|IP):)?(.*)$/s.exec(name.trim()) ?? []
  if (kind === 'IP' && isIP(value)) return element(contextTag(7, 'primitive'), addressBytes(value))
  if (kind !== 'DNS' || !/^[\x21-\x7e]+$/.test(value) || value.includes(':')) fail(issues.ALT_NAME_FORM, { name })
  return element(contextTag(2, 'primitive'), Buffer.from(value, 'latin1'))
}

function addressBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number))
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [head = '', tail] = groups.split('::')
  const words = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((word) => Number.parseInt(word, 16))
  const zeros = tail === undefined ? 0 : 8 - words(head).length - words(tail).length
  const all = [...words(head), ...Array<number>(zeros).fill(0), ...words(tail ?? '')]
  return Buffer.from(all.flatMap((word) => [word >> 8, word & 0xff]))
}

function isAddress({ length }: Buffer): boolean {
  return length === 4 || length === 16
}

function addressText(bytes: Buffer): string {
  if (bytes.length === 4) return [...bytes].join('.')
  const words = Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(index * 2).toString(16))
  return new URL(`http://[${words.join(':')}]`).hostname.slice(1, -1)
}

/** Builds critical basic constraints: `CA:TRUE` for a CA. */
export function basicConstraints(authority: boolean): Extension {
  return { oid: oids.basicConstraints, critical: true, value: sequence(...(authority ? [boolean(true)] : [])) }
}

/** Returns true if the extensions mark the certificate of a CA, which may sign other certificates. */
export function isAuthority(extensions: readonly Extension[]): boolean {
  const extension = findExtension(extensions, oids.basicConstraints)
  const [first] = extension ? sequenceOf(readDer(extension.value), 'basic constraints') : []
  return isTrue(first)
}

/** Bit numbers of key usages. */
const usageBits = { digitalSignature: 0, keyEncipherment: 2, keyCertSign: 5, cRLSign: 6 } as const

/** Builds a critical key usage extension. */
export function keyUsage(...uses: readonly (keyof typeof usageBits)[]): Extension {
  const bits: number[] = uses.map((use) => usageBits[use])
  const byte = bits.reduce((sum, bit) => sum | (0x80 >> bit), 0)
  return { oid: oids.keyUsage, critical: true, value: bitString(Buffer.from([byte]), 7 - Math.max(...bits)) }
}

/** Builds an extended key usage extension, which is critical, as in Puppet. */
export function extendedKeyUsage(...uses: readonly string[]): Extension {
  return { oid: oids.extendedKeyUsage, critical: true, value: sequence(...uses.map(oid)) }
}

/** Returns the names of the key usages in the extension. */
export function keyUsesOf({ value }: Extension): string[] {
  const [byte = 0] = bitsOf(readDer(value))
  return Object.entries(usageBits)
    .filter(([, bit]) => byte & (0x80 >> bit))
    .map(([use]) => use)
}

/** Returns the object identifiers in an extended key usage extension. */
export function extendedKeyUsesOf({ value }: Extension): string[] {
  return childrenOf(readDer(value)).map(oidOf)
}

/** Builds the extension for Netscape's comment, which Puppet's certificates contain. */
export function netscapeComment(comment: string): Extension {
  return { oid: oids.netscapeComment, critical: false, value: element(tags.ia5String, Buffer.from(comment, 'latin1')) }
}

/** Builds the identifier of the subject's key. */
export function subjectKeyIdentifier(id: Buffer): Extension {
  return { oid: oids.subjectKeyIdentifier, critical: false, value: octetString(id) }
}

/** Returns the identifier of the subject's key; `undefined` if it is missing. */
export function subjectKeyIdentifierOf(extensions: readonly Extension[]): Buffer | undefined {
  const extension = findExtension(extensions, oids.subjectKeyIdentifier)
  return extension && contentOf(readDer(extension.value))
}

/**
 * Builds the identifier of the issuer's key. In certificates, it also contains the name and serial of the issuer's
 * certificate.
 */
export function authorityKeyIdentifier(
  id: Buffer,
  issuer?: { readonly name: Name; readonly serial: bigint },
): Extension {
  const named = issuer && [
    element(contextTag(1), element(contextTag(4), issuer.name.der)),
    element(contextTag(2, 'primitive'), innerDer(integer(issuer.serial))),
  ]
  return {
    oid: oids.authorityKeyIdentifier,
    critical: false,
    value: sequence(element(contextTag(0, 'primitive'), id), ...(named ?? [])),
  }
}

/** Returns the identifier of the issuer's key; `undefined` if it is missing. */
export function authorityKeyIdentifierOf(extensions: readonly Extension[]): Buffer | undefined {
  const extension = findExtension(extensions, oids.authorityKeyIdentifier)
  if (!extension) return undefined
  const id = childrenOf(readDer(extension.value)).find((field) => tagOf(field) === contextTag(0, 'primitive'))
  return id && contentOf(id)
}

function isTrue(der: Der | undefined): boolean {
  return der !== undefined && tagOf(der) === tags.boolean && contentOf(der)[0] !== 0
}
