import {
  type Der,
  decodeOid,
  decodeText,
  encodeOid,
  encodeSequence,
  encodeSet,
  encodeUtf8String,
  getDerChildren,
  readSequence,
  toDerBytes,
} from './der.ts'
import { oids } from './oids.ts'

/** A distinguished name, with its original bytes: names are compared by bytes. */
export interface DistinguishedName {
  readonly der: Buffer
  /** Object identifiers with their texts, in order. */
  readonly attributes: readonly (readonly [oid: string, value: string])[]
}

const shortNames: Readonly<Record<string, string>> = {
  '2.5.4.3': 'CN',
  '2.5.4.6': 'C',
  '2.5.4.7': 'L',
  '2.5.4.8': 'ST',
  '2.5.4.10': 'O',
  '2.5.4.11': 'OU',
  '1.2.840.113549.1.9.1': 'emailAddress',
}

/** Builds the name `CN=value`; Puppet's names have no other parts. */
export function createDistinguishedName(commonName: string): DistinguishedName {
  const der = encodeSequence(encodeSet(encodeSequence(encodeOid(oids.commonName), encodeUtf8String(commonName))))
  return { der, attributes: [[oids.commonName, commonName]] }
}

/** Parses a distinguished name. Throws DER_MALFORMED. */
export function decodeDistinguishedName(der: Der | undefined): DistinguishedName {
  const attributes = readSequence(der, 'distinguished name').flatMap((relative) =>
    getDerChildren(relative).map((pair): [string, string] => {
      const [type, value] = readSequence(pair, 'name attribute')
      return [decodeOid(type), value ? (decodeText(value) ?? '') : '']
    }),
  )
  return { der: toDerBytes(der!), attributes }
}

/** Returns the last common name, which OpenSSL treats as the most specific one. */
export function findCommonName(name: DistinguishedName): string | undefined {
  return name.attributes.findLast(([type]) => type === oids.commonName)?.[1]
}

/** Formats a name as readable text: `CN=a,O=b`. */
export function formatDistinguishedName(name: DistinguishedName): string {
  return name.attributes.map(([type, value]) => `${shortNames[type] ?? type}=${value}`).join(',')
}

/** Formats a name as in the inventory: `/CN=a`. */
export function formatSlashedName(name: DistinguishedName): string {
  return name.attributes.map(([type, value]) => `/${shortNames[type] ?? type}=${value}`).join('')
}
