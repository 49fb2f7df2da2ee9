import type { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import { pack } from 'tar-stream'
import { type ExactObject, getMember } from '../../base/json/exact-json.ts'
import { formatExactJson, parseJson } from '../../base/json/json-text.ts'
import { computeIdentityHash } from '../ingest/identity.ts'
import type { NodeStore } from '../node-store.ts'
import { archiveFolder, commandVersions, metadataFile } from './names.ts'
import { toWireCatalog, toWireExpiration, toWireFacts, toWireInputs, toWireReport } from './wire-format.ts'

/** The method of a store that the export uses: it only runs queries. */
export type ArchiveSource = Pick<NodeStore, 'ask'>

interface Entry {
  readonly path: string
  readonly content: ExactObject
}

/** Number of reports fetched by one query. */
const reportsAtOnce = 50

/**
 * Exports the current data of all nodes in PuppetDB's archive format: `puppetdb-bak/…`, a gzipped
 * tar.
 */
export function exportArchive(store: ArchiveSource, now: number): Readable {
  const tar = pack()
  const time = new Date(now)
  const putEntry = (path: string, text: string) =>
    new Promise<void>((done, failed) => {
      const entry = { name: `${archiveFolder}/${path}`, mtime: time, mode: 0o644 }
      tar.entry(entry, text, (error) => (error ? failed(error) : done()))
    })
  const writeEntries = async () => {
    await putEntry(
      metadataFile,
      formatExactJson({ timestamp: time.toISOString(), command_versions: commandVersions }, 2),
    )
    for await (const { path, content } of exportEntries(store)) await putEntry(path, formatExactJson(content, 2))
    tar.finalize()
  }
  const packed = createGzip()
  writeEntries().catch((error: Error) => packed.destroy(error))
  tar.on('error', (error) => packed.destroy(error))
  packed.on('close', () => tar.destroy())
  return (tar as unknown as Readable).pipe(packed)
}

/** Writes the expiration settings first, so that no facts expire while the rest of the archive is imported. */
async function* exportEntries(store: ArchiveSource): AsyncIterable<Entry> {
  const nodes = await queryRows(store, '/nodes', { include_facts_expiration: 'true', query: everyNode })
  for (const node of nodes) {
    const content = toWireExpiration(node)
    if (content) yield { path: `configure_expiration/${formatFileName(content)}`, content }
  }
  for (const node of nodes) yield* exportNodeEntries(store, String(getMember(node, 'certname')))
}

const everyNode = '["=","node_state","any"]'

async function* exportNodeEntries(store: ArchiveSource, certname: string): AsyncIterable<Entry> {
  const query = JSON.stringify(['and', ['=', 'certname', certname], ['=', 'node_state', 'any']])
  for (const row of await queryRows(store, '/catalogs', { query })) {
    const content = toWireCatalog(row)
    yield { path: `catalogs/${formatFileName(content)}`, content }
  }
  for (const row of await queryRows(store, '/factsets', { query })) {
    const packages = await queryRows(store, '/package-inventory', { query })
    yield { path: `facts/${certname}.json`, content: toWireFacts(row, packages) }
  }
  for (const row of await queryRows(store, '/catalog-inputs', { query })) {
    const content = toWireInputs(row)
    yield { path: `catalog_inputs/${formatFileName(content)}`, content }
  }
  yield* exportNodeReports(store, certname)
}

async function* exportNodeReports(store: ArchiveSource, certname: string): AsyncIterable<Entry> {
  const query = JSON.stringify(['and', ['=', 'certname', certname], ['null?', 'type', false]])
  const order_by = '[{"field":"producer_timestamp"},{"field":"hash"}]'
  for (let offset = 0; ; offset += reportsAtOnce) {
    const paging = { order_by, limit: String(reportsAtOnce), offset: String(offset) }
    const rows = await queryRows(store, '/reports', { query, ...paging })
    for (const row of rows) {
      const content = toWireReport(row)
      yield { path: `reports/${formatFileName(content)}`, content }
    }
    if (rows.length < reportsAtOnce) return
  }
}

/**
 * File name for a command of which a node may have several: the certname and the digest of the
 * command's timestamp, as PuppetDB names these files.
 */
function formatFileName(content: ExactObject): string {
  const time = getMember(content, 'producer_timestamp') ?? null
  return `${String(getMember(content, 'certname'))}-${computeIdentityHash(time)}.json`
}

async function queryRows(
  store: ArchiveSource,
  path: string,
  parameters: Readonly<Record<string, string>>,
): Promise<readonly ExactObject[]> {
  const search = new URLSearchParams(parameters).toString()
  const answer = await store.ask({ method: 'GET', path, search })
  let text = ''
  for await (const piece of answer?.pieces ?? []) text += piece
  return parseJson(text === '' ? '[]' : text) as unknown as readonly ExactObject[]
}
