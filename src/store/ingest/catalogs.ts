import { deflateRawSync } from 'node:zlib'
import { sql } from 'kysely'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { edgeRelationships, type StoredCatalog, type StoredResource } from '../commands/command.ts'
import { type Database, getFirstRow } from '../database/database.ts'
import { computeIdentityHash, computeSha1, formatIdentity, formatStoredJson } from './identity.ts'
import { activateNode, findOrInsertName, type IngestOutcome } from './nodes.ts'
import { findOrInsertRows, type SharedRow, type SharedTable } from './shared-rows.ts'

interface Current {
  readonly id: number
  readonly hash: string
  readonly code_id: string | null
  readonly content_id: number
  readonly producer_timestamp: number
  readonly payload_digest: string | null
  readonly sourced_files_id: number | null
}

/** Errors of catalogs whose contents were omitted. */
export const catalogStorageIssues = defineIssues({
  CATALOG_CONTENTS: {
    text: (a: { certname: string }) => `The stored catalog of ${a.certname} differs from the expected catalog`,
  },
})

/** Payload digests of the nodes' current catalogs, by certname; nodes without such a digest are omitted. */
export async function readPayloadDigests(
  database: Database,
  certnames: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await database.all<{ certname: string; digest: string }>(
    sql`select nodes.certname as certname, catalogs.payload_digest as digest
      from nodes join catalogs on catalogs.id = nodes.catalog_id
      where catalogs.payload_digest is not null
        and nodes.certname in (select value from ${database.dialect.texts(certnames)})`,
  )
  return new Map(rows.map(({ certname, digest }) => [certname, digest]))
}

/** Replaces the node's catalog. The previous catalog stays in the node's history. */
export async function replaceCatalog(
  database: Database,
  catalog: StoredCatalog,
  received: number,
): Promise<IngestOutcome> {
  const time = Date.parse(catalog.producer_timestamp)
  const nodeId = await activateNode(database, catalog.certname, time)
  const current = await getFirstRow<Current>(
    database,
    sql`select catalogs.id as id, hash, code_id, content_id, producer_timestamp, payload_digest, sourced_files_id
      from nodes join catalogs on catalogs.id = nodes.catalog_id where nodes.id = ${nodeId}`,
  )
  if (current && current.producer_timestamp > time) return 'stale'
  const { digest = null, contentsOmitted = false, certname } = catalog
  const isSame = digest !== null && current?.payload_digest === digest
  if (contentsOmitted && !isSame) throwIssue(catalogStorageIssues.CATALOG_CONTENTS, { certname })
  const hashes = isSame ? [] : catalog.resources.map(hashResource)
  const hash = isSame ? current.hash : hashCatalog(catalog, hashes)
  const about = await buildCatalogRow(database, catalog)
  const sourced_files_id = await storeSourcedFiles(database, catalog)
  const row = {
    ...about,
    sourced_files_id,
    hash,
    producer_timestamp: time,
    timestamp: received,
    payload_digest: digest,
  }
  if (current?.hash === hash && current.code_id === catalog.code_id) {
    // Keep the known checksums: the same commit has the same files, even if the node requested the
    // catalog without checksums this time.
    const known = { ...row, sourced_files_id: sourced_files_id ?? current.sourced_files_id }
    await database.run(sql`update catalogs set ${buildAssignments(known)} where id = ${current.id}`)
    return 'incorporated'
  }
  const contentId = current?.hash === hash ? current.content_id : await writeContents(database, nodeId, catalog, hashes)
  const whole = { ...row, node_id: nodeId, since: time, content_id: contentId }
  const columns = sql.join(Object.keys(whole).map((name) => sql.id(name)))
  await database.run(sql`update nodes set catalog_id = null where id = ${nodeId}`)
  const inserted = await getFirstRow<{ id: number }>(
    database,
    sql`insert into catalogs (${columns}) values (${sql.join(Object.values(whole))}) returning id`,
  )
  await database.run(sql`update nodes set catalog_id = ${inserted!.id} where id = ${nodeId}`)
  return 'incorporated'
}

function buildAssignments(row: Readonly<Record<string, unknown>>) {
  return sql.join(Object.entries(row).map(([name, value]) => sql`${sql.id(name)} = ${value}`))
}

/**
 * Digest of a catalog's content, without version, ids and times.
 * @param hashes Hashes of the catalog's resources, in order.
 */
function hashCatalog({ certname, resources, edges }: StoredCatalog, hashes: readonly string[]): string {
  const rows = resources.map(({ exported, file, line, tags }, at) =>
    JSON.stringify([hashes[at], exported, file, line, tags]),
  )
  const ends = edges.map(({ source, target, relationship }) =>
    [source.type, source.title, target.type, target.title, relationship].join('\0'),
  )
  return computeSha1([certname, ...rows.sort(), ...ends.sort()].join('\n'))
}

async function buildCatalogRow(database: Database, catalog: StoredCatalog) {
  const { version, transaction_uuid, catalog_uuid, code_id, job_id } = catalog
  const environment_id = await findOrInsertName(database, 'environments', catalog.environment)
  const producer_id = await findOrInsertName(database, 'producers', catalog.producer)
  return { version, transaction_uuid, catalog_uuid, code_id, job_id, environment_id, producer_id }
}

/** Id of the stored checksums; null for a catalog without checksums of sourced files. */
async function storeSourcedFiles(database: Database, { sourced_files: files }: StoredCatalog): Promise<number | null> {
  if (files === undefined) return null
  const text = formatStoredJson(files)
  const known = { table: 'sourced_files', key: { digest: 'text' }, rest: { files: 'json' } } as const
  const [id = null] = await findOrInsertRows(database, known, [[computeSha1(text)]], () => [text])
  return id
}

/** PuppetDB's digest of a resource, which responses to queries contain. */
function hashResource({ type, title, parameters }: StoredResource): string {
  return computeIdentityHash([type, title, parameters])
}

/**
 * Writes a catalog's resources and edges, each stored once for all catalogs, and updates the node's
 * rows. Returns the id of the catalog's content list.
 */
async function writeContents(
  database: Database,
  nodeId: number,
  catalog: StoredCatalog,
  hashes: readonly string[],
): Promise<number> {
  const names = await storeNames(database, catalog)
  const ids = await storeContents(database, catalog.resources, names, hashes)
  const edges = catalog.edges
    .map(({ source, target, relationship }): [number, number, number] => [
      names.get(formatReference(source))!,
      names.get(formatReference(target))!,
      edgeRelationships.indexOf(relationship),
    ])
    .sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2])
  const edgeText = JSON.stringify(edges)
  const edgeSets = { table: 'edge_sets', key: { digest: 'text' }, rest: { edges: 'json' } } as const
  const [edgeSet = 0] = await findOrInsertRows(database, edgeSets, [[computeSha1(edgeText)]], () => [edgeText])
  await writeResources(database, nodeId, ids)
  return storeCatalogContent(database, ids, edgeSet)
}

function formatReference({ type, title }: { readonly type: string; readonly title: string }): string {
  return `${type}[${title}]`
}

async function storeNames(database: Database, { resources }: StoredCatalog): Promise<Map<string, number>> {
  const known = { table: 'resource_names', key: { type: 'text', title: 'text' } } as const
  const ids = await findOrInsertRows(
    database,
    known,
    resources.map(({ type, title }) => [type, title]),
  )
  return new Map(resources.map((resource, at) => [formatReference(resource), ids[at]!]))
}

async function storeContents(
  database: Database,
  resources: readonly StoredResource[],
  names: ReadonlyMap<string, number>,
  hashes: readonly string[],
): Promise<number[]> {
  const kept = {
    table: 'resources',
    key: { hash: 'text' },
    rest: { name_id: 'integer', parameters: 'json' },
  } as const
  const resourceIds = await findOrInsertRows(
    database,
    kept,
    hashes.map((hash) => [hash]),
    (at) => [names.get(formatReference(resources[at]!))!, formatStoredJson(resources[at]!.parameters)],
  )
  const tagIds = await storeSharedTexts(
    database,
    resources.map(({ tags }) => formatIdentity([...tags])),
    tagRows,
  )
  const fileIds = await storeSharedTexts(
    database,
    resources.map(({ file }) => file),
    fileRows,
  )
  const contents = {
    table: 'resource_contents',
    key: { resource_id: 'integer', tags_id: 'integer', file_id: 'integer', line: 'integer', exported: 'boolean' },
  } as const
  return findOrInsertRows(
    database,
    contents,
    resources.map(({ line, exported }, at) => [resourceIds[at]!, tagIds[at]!, fileIds[at]!, line ?? 0, exported]),
  )
}

interface SharedTexts {
  readonly known: SharedTable
  key(text: string): string
  rest(text: string): SharedRow
}

const fileRows: SharedTexts = {
  known: { table: 'source_files', key: { name: 'text' } },
  key: (file) => file,
  rest: () => [],
}

const tagRows: SharedTexts = {
  known: { table: 'tag_sets', key: { digest: 'text' }, rest: { tags: 'json' } },
  key: computeSha1,
  rest: (tags) => [tags],
}

/** Ids of texts; many of the texts are equal. The id is 0 for null. */
async function storeSharedTexts(
  database: Database,
  texts: readonly (string | null)[],
  { known, key, rest }: SharedTexts,
): Promise<number[]> {
  const distinct = [...new Set(texts)].filter((text) => text !== null)
  const ids = await findOrInsertRows(
    database,
    known,
    distinct.map((text) => [key(text)]),
    (at) => rest(distinct[at]!),
  )
  const byText = new Map(distinct.map((text, at) => [text, ids[at]!]))
  return texts.map((text) => (text === null ? 0 : byText.get(text)!))
}

/** Updates the rows of a node's resources to match the node's new catalog. */
async function writeResources(database: Database, nodeId: number, ids: readonly number[]): Promise<void> {
  const known = await database.all<{ content_id: number }>(
    sql`select content_id from catalog_resources where node_id = ${nodeId}`,
  )
  const before = new Set(known.map(({ content_id }) => content_id))
  const after = new Set(ids)
  const gone = [...before].filter((id) => !after.has(id))
  const fresh = [...after].filter((id) => !before.has(id))
  const { integers } = database.dialect
  if (gone.length > 0)
    await database.run(
      sql`delete from catalog_resources
        where node_id = ${nodeId} and content_id in (select value from ${integers(gone)})`,
    )
  if (fresh.length > 0)
    await database.run(
      sql`insert into catalog_resources (node_id, content_id) select ${nodeId}, value from ${integers(fresh)}`,
    )
}

/** Stores the content list of a catalog, in order, for the history; returns the list's id. */
async function storeCatalogContent(database: Database, ids: readonly number[], edgeSet: number): Promise<number> {
  const text = JSON.stringify(ids)
  const digest = computeSha1(`${edgeSet}\n${text}`)
  const find = sql`select id from catalog_contents where digest = ${digest}`
  const known = await getFirstRow<{ id: number }>(database, find)
  if (known) return known.id
  await database.run(
    sql`insert into catalog_contents (digest, contents, edge_set_id)
      values (${digest}, ${deflateRawSync(text)}, ${edgeSet}) on conflict do nothing`,
  )
  return (await getFirstRow<{ id: number }>(database, find))!.id
}
