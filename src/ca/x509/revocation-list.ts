import { defineIssues, PuppetError, throwIssue } from '../../base/issue.ts'
import { runCooperatively, runToEnd } from '../../base/threads/cooperative-tasks.ts'
import {
  type Der,
  decodeInteger,
  decodeTime,
  derIssues,
  encodeElement,
  encodeInteger,
  encodeSequence,
  encodeTime,
  getContextTag,
  getDerChildren,
  getDerContent,
  getLeafContent,
  parseDer,
  readSequence,
  splitDer,
  splitDerLazily,
  tags,
} from './der.ts'
import { type DistinguishedName, decodeDistinguishedName } from './distinguished-name.ts'
import {
  buildAuthorityKeyIdentifier,
  type Extension,
  encodeExtension,
  findExtension,
  parseExtension,
} from './extensions.ts'
import { oids } from './oids.ts'
import { parsePemBlocks, toPem } from './pem.ts'
import { encodeSignatureAlgorithm, type SignedData, type Signer, signDerWith, splitSigned } from './signature.ts'

/** A certificate revocation list (X.509 v2). */
export interface RevocationList extends SignedData {
  readonly issuer: DistinguishedName
  readonly thisUpdate: Date
  readonly nextUpdate: Date | undefined
  /** The CRLNumber extension, whose value increases with each new list. */
  readonly number: bigint | undefined
  /** Extensions of the list. */
  readonly extensions: readonly Extension[]
  /** The encoded entries; a new list copies them without parsing. */
  readonly entries: Buffer
  /** Hexadecimal serials of the revoked certificates, for fast lookups. */
  readonly revoked: ReadonlySet<string>
}

/** One revoked certificate. */
export interface Revocation {
  readonly serial: bigint
  readonly date: Date
  /** Reason code (RFC 5280, 5.3.1). */
  readonly reason: number | undefined
}

/** The reason code that Puppet uses. */
export const keyCompromise = 1

/** Issuer of revocation lists. */
export interface ListIssuer {
  readonly name: DistinguishedName
  readonly signer: Signer
  readonly keyIdentifier: Buffer
}

const issues = defineIssues({
  CRL_UNREADABLE: { text: (_: object) => 'Failed to parse CRLs as PEM' },
})

/** Builds a list with added entries. The existing entries and the number are copied from `previous`. */
export async function buildRevocationList(
  issuer: ListIssuer,
  change: {
    readonly previous?: RevocationList
    readonly added?: readonly Revocation[]
    readonly thisUpdate: Date
    readonly nextUpdate: Date
  },
): Promise<RevocationList> {
  const { previous, added = [], thisUpdate, nextUpdate } = change
  const entries = Buffer.concat([previous?.entries ?? Buffer.alloc(0), ...added.map(encodeEntry)])
  const number = previous ? (previous.number ?? 0n) + 1n : 0n
  const extensions: Extension[] = [
    buildAuthorityKeyIdentifier(issuer.keyIdentifier),
    { oid: oids.crlNumber, critical: false, value: encodeInteger(number) },
  ]
  const content = encodeSequence(
    encodeInteger(1),
    encodeSignatureAlgorithm(issuer.signer.publicKey),
    issuer.name.der,
    encodeTime(thisUpdate),
    encodeTime(nextUpdate),
    ...(entries.length > 0 ? [encodeSequence(entries)] : []),
    encodeElement(getContextTag(0), encodeSequence(...extensions.map(encodeExtension))),
  )
  // The result is not parsed again, since that would be slow for a long list, at each revocation.
  return {
    ...(await signDerWith(content, issuer.signer)),
    issuer: issuer.name,
    thisUpdate,
    nextUpdate,
    number,
    extensions,
    entries,
    revoked: new Set([...(previous?.revoked ?? []), ...added.map(({ serial }) => serial.toString(16))]),
  }
}

/** Returns the PEM text of a revocation list. */
export function toRevocationListPem({ der }: Pick<RevocationList, 'der'>): string {
  return toPem('X509 CRL', der)
}

/** Parses all lists of a PEM bundle. Throws CRL_UNREADABLE if a list is malformed or the bundle has no list. */
export function parseRevocationLists(pem: string): RevocationList[] {
  return runToEnd(readLists(pem))
}

/** Same as `parseRevocationLists`, but yields to other work, for lists of any length. */
export function parseRevocationListsAsync(pem: string): Promise<RevocationList[]> {
  return runCooperatively(readLists(pem))
}

function* readLists(pem: string): Generator<void, RevocationList[]> {
  const blocks = parsePemBlocks(pem).filter(({ label }) => label === 'X509 CRL')
  if (blocks.length === 0) throwIssue(issues.CRL_UNREADABLE, {})
  try {
    const lists: RevocationList[] = []
    for (const { der } of blocks) lists.push(yield* readList(der))
    return lists
  } catch (error) {
    if (error instanceof PuppetError || error instanceof TypeError || error instanceof RangeError)
      throwIssue(issues.CRL_UNREADABLE, {})
    throw error
  }
}

/** Selects entries by hexadecimal serial and position in the list. */
export type EntryFilter = (serial: string, index: number) => boolean

/** Returns a list with the selected entries only, for use as `previous` of a new list. */
export function filterEntries(list: RevocationList, isKept: EntryFilter): RevocationList {
  const kept = splitDer(encodeSequence(list.entries)).filter((entry, index) => isKept(readEntrySerial(entry), index))
  return { ...list, entries: Buffer.concat(kept), revoked: new Set(kept.map(readEntrySerial)) }
}

/** Returns the hexadecimal serials of all entries, including duplicates. */
export function listEntrySerials({ entries }: Pick<RevocationList, 'entries'>): string[] {
  return splitDer(encodeSequence(entries)).map(readEntrySerial)
}

/** Returns the DER of each entry by hexadecimal serial; yields to other work. */
export function indexEntriesBySerial({
  entries,
}: Pick<RevocationList, 'entries'>): Promise<ReadonlyMap<string, Buffer>> {
  return runCooperatively(
    (function* () {
      const found = new Map<string, Buffer>()
      for (const entry of splitDerLazily(encodeSequence(entries))) {
        found.set(readEntrySerial(entry), entry)
        if (found.size % entriesOfTurn === 0) yield
      }
      return found
    })(),
  )
}

/** Parses one entry of a list. */
export function parseRevocation(entry: Buffer): Revocation {
  const [serial, date, extensions] = readSequence(parseDer(entry), 'revoked certificate')
  return { serial: decodeInteger(serial!), date: decodeTime(date!), reason: findReason(extensions) }
}

/** Returns all entries of a list, parsed. */
export function listRevocations({ entries }: RevocationList): Revocation[] {
  return splitDer(encodeSequence(entries)).map(parseRevocation)
}

function encodeEntry({ serial, date, reason }: Revocation): Buffer {
  const value = reason === undefined ? undefined : encodeElement(tags.enumerated, Buffer.from([reason]))
  const extensions = value && encodeSequence(encodeExtension({ oid: oids.reasonCode, critical: false, value }))
  return encodeSequence(encodeInteger(serial), encodeTime(date), ...(extensions ? [extensions] : []))
}

function findReason(extensions: Der | undefined): number | undefined {
  if (!extensions) return undefined
  const reason = findExtension(getDerChildren(extensions).map(parseExtension), oids.reasonCode)
  return reason && getLeafContent(parseDer(reason.value))[0]
}

/**
 * Parses only the serials of the entries: a list may have a hundred thousand entries, and is parsed at each revocation.
 */
function* readList(der: Buffer): Generator<void, RevocationList> {
  const signed = splitSigned(der)
  const parts = splitDer(signed.content)
  let next = startsWith(parts[0], tags.integer) ? 2 : 1 // after the version (if present) and the algorithm
  const issuer = decodeDistinguishedName(parseDer(parts[next++] ?? noPart))
  const thisUpdate = decodeTime(parseDer(parts[next++] ?? noPart))
  const nextUpdate = startsWith(parts[next], tags.utcTime, tags.generalizedTime)
    ? decodeTime(parseDer(parts[next++]!))
    : undefined
  const list = startsWith(parts[next], tags.sequence) ? parts[next++] : undefined
  const explicit = parts.slice(next).find((part) => startsWith(part, getContextTag(0)))
  const extensions = explicit
    ? readSequence(getDerChildren(parseDer(explicit))[0], 'extensions').map(parseExtension)
    : []
  const number = findExtension(extensions, oids.crlNumber)
  return {
    ...signed,
    issuer,
    thisUpdate,
    nextUpdate,
    number: number && decodeInteger(parseDer(number.value)),
    extensions,
    entries: list === undefined ? Buffer.alloc(0) : getDerContent(list),
    revoked: list === undefined ? new Set() : yield* readSerials(list),
  }
}

/** Number of entries parsed between two checks of the time. */
const entriesOfTurn = 200

function* readSerials(list: Buffer): Generator<void, Set<string>> {
  const serials = new Set<string>()
  let count = 0
  for (const entry of splitDerLazily(list)) {
    serials.add(readEntrySerial(entry))
    if (++count % entriesOfTurn === 0) yield
  }
  return serials
}

const noPart = Buffer.alloc(0)

function startsWith(part: Buffer | undefined, ...wanted: readonly number[]): boolean {
  return part !== undefined && wanted.includes(part[0] ?? -1)
}

/** Returns the serial of an entry, in the format of `serial.toString(16)`. */
function readEntrySerial(entry: Buffer): string {
  const [serial] = splitDer(entry)
  if (!startsWith(entry, tags.sequence) || !startsWith(serial, tags.integer))
    throwIssue(derIssues.DER_MALFORMED, { why: 'the list of revoked certificates is empty' })
  return getDerContent(serial!)
    .toString('hex')
    .replace(/^0+(?=.)/, '')
}
