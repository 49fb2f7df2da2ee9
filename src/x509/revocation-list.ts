import type { KeyObject } from 'node:crypto'
import { defineIssues, fail, PuppetError } from '../base/issue.ts'
import {
  childrenOf,
  contextTag,
  type Der,
  dateOf,
  element,
  integer,
  integerOf,
  readDer,
  sequence,
  sequenceOf,
  tags,
  time,
} from './der.ts'
import { authorityKeyIdentifier, type Extension, extensionDer, findExtension, parseExtension } from './extensions.ts'
import { type Name, parseName } from './name.ts'
import { oids } from './oids.ts'
import { pemBlocks, toPem } from './pem.ts'
import { parseSigned, type Signed, signatureAlgorithm, signDer } from './signed.ts'

/** A certificate revocation list (X.509 v2). */
export interface RevocationList extends Signed {
  readonly issuer: Name
  readonly thisUpdate: Date
  readonly nextUpdate: Date | undefined
  /** CRLNumber: counts up with each new list. */
  readonly number: bigint | undefined
  /** Of the issuer's key. */
  readonly extensions: readonly Extension[]
  /** The entries as they stand, one after the other: a new list takes them over without reading each. */
  readonly entries: Buffer
}

/** One revoked certificate. */
export interface Revocation {
  readonly serial: bigint
  readonly date: Date
  /** RFC 5280, 5.3.1. */
  readonly reason: number | undefined
}

/** The reason that Puppet gives. */
export const keyCompromise = 1

/** Who issues lists. */
export interface ListIssuer {
  readonly name: Name
  readonly key: KeyObject
  readonly keyIdentifier: Buffer
}

const issues = defineIssues({
  CRL_UNREADABLE: { text: (_: object) => 'Failed to parse CRLs as PEM' },
})

/** A list with these entries; `previous` gives those it already has, and its number. */
export function buildRevocationList(
  issuer: ListIssuer,
  content: {
    readonly previous?: RevocationList
    readonly added?: readonly Revocation[]
    readonly thisUpdate: Date
    readonly nextUpdate: Date
  },
): RevocationList {
  const { previous, added = [], thisUpdate, nextUpdate } = content
  const entries = Buffer.concat([previous?.entries ?? Buffer.alloc(0), ...added.map(entryDer)])
  const number = previous ? (previous.number ?? 0n) + 1n : 0n
  const extensions: Extension[] = [
    authorityKeyIdentifier(issuer.keyIdentifier),
    { oid: oids.crlNumber, critical: false, value: integer(number) },
  ]
  const der = sequence(
    integer(1),
    signatureAlgorithm(issuer.key),
    issuer.name.der,
    time(thisUpdate),
    time(nextUpdate),
    ...(entries.length > 0 ? [sequence(entries)] : []),
    element(contextTag(0), sequence(...extensions.map(extensionDer))),
  )
  return listOf(signDer(der, issuer.key))
}

export function revocationListPem({ der }: Pick<RevocationList, 'der'>): string {
  return toPem('X509 CRL', der)
}

/** Every list of a PEM bundle, at least one. Throws CRL_UNREADABLE. */
export function parseRevocationLists(pem: string): RevocationList[] {
  const blocks = pemBlocks(pem).filter(({ label }) => label === 'X509 CRL')
  if (blocks.length === 0) fail(issues.CRL_UNREADABLE, {})
  try {
    return blocks.map(({ der }) => listOf(der))
  } catch (error) {
    if (error instanceof PuppetError || error instanceof TypeError || error instanceof RangeError)
      fail(issues.CRL_UNREADABLE, {})
    throw error
  }
}

/** All its entries. */
export function revocations({ entries }: RevocationList): Revocation[] {
  return childrenOf({ tag: tags.sequence, content: entries, bytes: entries }).map((entry) => {
    const [serial, date, extensions] = sequenceOf(entry, 'revoked certificate')
    return { serial: integerOf(serial!), date: dateOf(date!), reason: reasonOf(extensions) }
  })
}

/** Hexadecimal serials of all that it revokes: quick to ask, for lists of any length. */
export function revokedSerials({ entries }: RevocationList): ReadonlySet<string> {
  const serials = childrenOf({ tag: tags.sequence, content: entries, bytes: entries }).map((entry) =>
    integerOf(childrenOf(entry)[0]!).toString(16),
  )
  return new Set(serials)
}

function entryDer({ serial, date, reason }: Revocation): Buffer {
  const value = reason === undefined ? undefined : element(tags.enumerated, Buffer.from([reason]))
  const extensions = value && sequence(extensionDer({ oid: oids.reasonCode, critical: false, value }))
  return sequence(integer(serial), time(date), ...(extensions ? [extensions] : []))
}

function reasonOf(extensions: Der | undefined): number | undefined {
  if (!extensions) return undefined
  const reason = findExtension(childrenOf(extensions).map(parseExtension), oids.reasonCode)
  return reason && readDer(reason.value).content[0]
}

function listOf(der: Buffer): RevocationList {
  const signed = parseSigned(der)
  const fields = childrenOf(signed.content)
  if (fields[0]?.tag === tags.integer) fields.shift()
  const [, issuer, thisUpdate, ...rest] = fields
  const isTime = (field: Der | undefined) => field?.tag === tags.utcTime || field?.tag === tags.generalizedTime
  const nextUpdate = isTime(rest[0]) ? rest.shift() : undefined
  const entries = rest[0]?.tag === tags.sequence ? rest.shift() : undefined
  const extensionsDer = rest.find(({ tag }) => tag === contextTag(0))
  const extensions = extensionsDer ? sequenceOf(childrenOf(extensionsDer)[0], 'extensions').map(parseExtension) : []
  const number = findExtension(extensions, oids.crlNumber)
  return {
    ...signed,
    issuer: parseName(issuer),
    thisUpdate: dateOf(thisUpdate!),
    nextUpdate: nextUpdate && dateOf(nextUpdate),
    number: number && integerOf(readDer(number.value)),
    extensions,
    entries: entries?.content ?? Buffer.alloc(0),
  }
}
