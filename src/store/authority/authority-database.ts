import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { throwIssue } from '../../base/issue.ts'
import { mapCooperatively } from '../../base/threads/cooperative-tasks.ts'
import { toCertificateStatus, toRequestStatus, tryReadStatus } from '../../ca/certificate-status.ts'
import { formatInventoryTime, type InventoryEntry } from '../../ca/inventory.ts'
import { authorityFaults } from '../../ca/issues.ts'
import type {
  AuthorityRecords,
  AuthorityStorage,
  Inventory,
  PendingRequests,
  SignedCertificates,
} from '../../ca/storage/authority-storage.ts'
import { packStatus, unpackStatus } from '../../ca/storage/status-encoding.ts'
import { parseCertificate } from '../../ca/x509/certificate.ts'
import { parseCertificateRequest } from '../../ca/x509/certificate-request.ts'
import { isCertname } from '../../machine/settings/certname.ts'
import { formatDatabaseName } from '../database/postgresql.ts'
import { AuthorityConnection, type AuthorityQueries } from './authority-connection.ts'
import { AuthorityDocuments } from './authority-documents.ts'
import { createAuthorityTables, hasAuthorityTables } from './authority-tables.ts'

/** Number of rows in one slice. */
const slice = 1000
/** Number of cached serials that were issued. An issued serial stays issued. */
const maxIssued = 10_000

/** Caches of a storage, which its changes share. */
interface Caches {
  readonly documents: AuthorityDocuments
  readonly issued: LRUCache<string, true>
}

/**
 * Opens the CA in a PostgreSQL database, which several servers can share. A change is a transaction that holds an
 * advisory lock. The tables are created with the CA.
 */
export async function openAuthorityDatabase(url: string): Promise<AuthorityStorage> {
  const place = `postgresql://${formatDatabaseName(url)}`
  const connection = await AuthorityConnection.open(url, place)
  const caches = { documents: new AuthorityDocuments(place), issued: new LRUCache<string, true>({ max: maxIssued }) }
  const records = openRecords(connection.queries, caches)
  const hasAuthority = async (queries: AuthorityQueries) =>
    (await hasAuthorityTables(queries)) && (await openRecords(queries, caches).certificates.version()) !== undefined
  return {
    ...records,
    place,
    change: (work) => connection.change((queries) => work(openRecords(queries, caches))),
    exists: () => hasAuthority(connection.queries),
    create: ({ certificates, privateKey, revocationLists, serial }, fill) =>
      connection.change(async (queries) => {
        if (await hasAuthority(queries)) throwIssue(authorityFaults.CA_EXISTS, { file: place })
        if (!(await hasAuthorityTables(queries))) await createAuthorityTables(queries)
        const created = openRecords(queries, caches)
        await created.certificates.write(certificates)
        await created.revocationLists.write(revocationLists)
        if (privateKey !== undefined) await created.privateKey.write(privateKey)
        await caches.documents.open(queries, 'serial').write(serial.toString(16))
        await fill?.(created)
      }),
    tidy: async () => {},
    close: () => connection.close(),
  }
}

function openRecords(queries: AuthorityQueries, { documents, issued }: Caches): AuthorityRecords {
  const serial = documents.open(queries, 'serial')
  const nextSerial = async () => {
    const found = (await serial.read()) ?? throwIssue(authorityFaults.CA_MISSING, { file: serial.place })
    return BigInt(`0x${found.pem}`)
  }
  return {
    certificates: documents.open(queries, 'certificates'),
    privateKey: documents.open(queries, 'private key'),
    revocationLists: documents.open(queries, 'revocation lists'),
    signed: openSignedCertificates(queries),
    requests: openPendingRequests(queries),
    inventory: openInventory(queries, issued),
    nextSerial,
    async allocateSerial() {
      const next = await nextSerial()
      await serial.write((next + 1n).toString(16))
      return next
    },
  }
}

function openSignedCertificates(queries: AuthorityQueries): SignedCertificates {
  return {
    read: (name) => readPem(queries, 'ca_certificates', name),
    async write(name, pem) {
      const status = packStatus(tryReadStatus(name, () => toCertificateStatus(name, parseCertificate(pem))))
      await queries.run(sql`insert into ca_certificates (name, pem, status)
        values (${checkCertname(name)}, ${pem}, ${status})
        on conflict (name) do update set pem = excluded.pem, status = excluded.status`)
    },
    remove: (name) => removeRow(queries, 'ca_certificates', name),
    findPresent: (names) => findPresent(queries, 'ca_certificates', names),
    async status(name) {
      const line = await readColumn(queries, 'ca_certificates', 'status', name)
      return line === undefined ? undefined : unpackStatus(line)
    },
    async *slices() {
      for await (const rows of readSlices<{ name: string; status: string }>(queries, 'status')) {
        const statuses = await mapCooperatively(rows, ({ status }) => unpackStatus(status))
        yield statuses.filter((status) => status !== undefined)
      }
    },
    texts: () => readSlices<{ name: string; pem: string }>(queries, 'pem'),
    lookThrough: async () => {},
  }
}

function openPendingRequests(queries: AuthorityQueries): PendingRequests {
  return {
    read: (name) => readPem(queries, 'ca_requests', name),
    async write(name, pem) {
      const status = tryReadStatus(name, () => toRequestStatus(name, parseCertificateRequest(pem)))
      await queries.run(sql`insert into ca_requests (name, pem, status, undecided)
        values (${checkCertname(name)}, ${pem}, ${JSON.stringify(status)}, true)
        on conflict (name) do update set pem = excluded.pem, status = excluded.status, undecided = true`)
    },
    async isUndecided(name) {
      const rows = await queries.all(sql`select 1 from ca_requests where name = ${name} and undecided`)
      return rows.length > 0
    },
    async settle(name) {
      await queries.run(sql`update ca_requests set undecided = false where name = ${name}`)
    },
    remove: (name) => removeRow(queries, 'ca_requests', name),
    async names() {
      const rows = await queries.all<{ name: string }>(sql`select name from ca_requests order by name`)
      return rows.map(({ name }) => name)
    },
    async count() {
      const [row] = await queries.all<{ count: number }>(sql`select count(*) as count from ca_requests`)
      return row?.count ?? 0
    },
    findPresent: (names) => findPresent(queries, 'ca_requests', names),
    async status(name) {
      const status = await readColumn(queries, 'ca_requests', 'status', name)
      return status === undefined ? undefined : JSON.parse(status)
    },
    async statuses() {
      const rows = await queries.all<{ status: string }>(sql`select status from ca_requests order by name`)
      return mapCooperatively(rows, ({ status }) => JSON.parse(status))
    },
  }
}

function openInventory(queries: AuthorityQueries, issued: LRUCache<string, true>): Inventory {
  return {
    async append(entries) {
      const column = (read: (entry: InventoryEntry) => string) => sql`${entries.map(read)}::text[]`
      await queries.run(sql`insert into ca_inventory (serial, not_before, not_after, subject)
        select * from unnest(${column(({ serial }) => serial.toString(16))}, ${column(({ notBefore }) => notBefore)},
          ${column(({ notAfter }) => notAfter)}, ${column(({ subject }) => subject)})`)
    },
    async has(serial) {
      const digits = serial.toString(16)
      if (issued.has(digits)) return true
      const rows = await queries.all(sql`select 1 from ca_inventory where serial = ${digits}`)
      if (rows.length > 0) issued.set(digits, true)
      return rows.length > 0
    },
    listSerials: (names) => {
      const subjects = names.filter(isCertname).map((name) => `/CN=${name}`)
      return listSerials(queries, sql`subject = any(${subjects}::text[])`)
    },
    listExpired: (now) => listSerials(queries, sql`not_after < ${formatInventoryTime(now)}`),
    async *entries() {
      for (let last = 0; ; ) {
        const rows = await queries.all<EntryRow>(sql`select * from ca_inventory
          where position > ${last} order by position limit ${slice}`)
        if (rows.length > 0) yield rows.map(toEntry)
        if (rows.length < slice) return
        last = rows.at(-1)!.position
      }
    },
  }
}

interface EntryRow {
  readonly serial: string
  readonly not_before: string
  readonly not_after: string
  readonly subject: string
  readonly position: number
}

function toEntry({ serial, not_before: notBefore, not_after: notAfter, subject }: EntryRow): InventoryEntry {
  return { serial: BigInt(`0x${serial}`), notBefore, notAfter, subject }
}

async function listSerials(queries: AuthorityQueries, condition: ReturnType<typeof sql>): Promise<bigint[]> {
  const rows = await queries.all<{ serial: string }>(sql`select serial from ca_inventory where ${condition}`)
  return rows.map(({ serial }) => BigInt(`0x${serial}`))
}

type NamedTable = 'ca_certificates' | 'ca_requests'

function readPem(queries: AuthorityQueries, table: NamedTable, name: string): Promise<string | undefined> {
  return readColumn(queries, table, 'pem', name)
}

async function readColumn(
  queries: AuthorityQueries,
  table: NamedTable,
  column: 'pem' | 'status',
  name: string,
): Promise<string | undefined> {
  if (!isCertname(name)) return undefined
  const [row] = await queries.all<{ value: string }>(
    sql`select ${sql.ref(column)} as value from ${sql.table(table)} where name = ${name}`,
  )
  return row?.value
}

async function removeRow(queries: AuthorityQueries, table: NamedTable, name: string): Promise<boolean> {
  if (!isCertname(name)) return false
  return (await queries.run(sql`delete from ${sql.table(table)} where name = ${name}`)) > 0
}

async function findPresent(
  queries: AuthorityQueries,
  table: NamedTable,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  const valid = names.filter(isCertname)
  const rows = await queries.all<{ name: string }>(
    sql`select name from ${sql.table(table)} where name = any(${valid}::text[])`,
  )
  return new Set(rows.map(({ name }) => name))
}

/** Yields the certificates in slices, sorted by certname. */
async function* readSlices<Row extends { readonly name: string }>(
  queries: AuthorityQueries,
  column: 'pem' | 'status',
): AsyncGenerator<readonly Row[]> {
  for (let last = ''; ; ) {
    const rows = await queries.all<Row>(sql`select name, ${sql.ref(column)} from ca_certificates
      where name > ${last} order by name limit ${slice}`)
    if (rows.length > 0) yield rows
    if (rows.length < slice) return
    last = rows.at(-1)!.name
  }
}

function checkCertname(name: string): string {
  if (!isCertname(name)) throw new TypeError(`${JSON.stringify(name)} is not a certname`)
  return name
}
