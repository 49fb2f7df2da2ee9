import type { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import { pack } from 'tar-stream'
import { type ExactObject, memberOf } from '../../base/json/exact-json.ts'
import { parseJson, printJson } from '../../base/json/json-text.ts'
import { identityHash } from '../ingest/identity.ts'
import type { NodeStore } from '../node-store.ts'
import { archiveFolder, commandVersions, metadataFile } from './names.ts'
import { catalogOfAnswer, expirationOfAnswer, factsOfAnswer, inputsOfAnswer, reportOfAnswer } from './wire-of-answer.ts'

/** The method of a store that the export uses: it only runs queries. */
export type Asked = Pick<NodeStore, 'ask'>

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
export function exportArchive(store: Asked, now: number): Readable {
  const tar = pack()
  const time = new Date(now)
  const put = (path: string, text: string) =>
    new Promise<void>((done, failed) => {
      const entry = { name: `${archiveFolder}/${path}`, mtime: time, mode: 0o644 }
      tar.entry(entry, text, (error) => (error ? failed(error) : done()))
    })
  const write = async () => {
    await put(metadataFile, printJson({ timestamp: time.toISOString(), command_versions: commandVersions }, 2))
    for await (const { path, content } of entriesOf(store)) await put(path, printJson(content, 2))
    tar.finalize()
  }
  const packed = createGzip()
  write().catch((error: Error) => packed.destroy(error))
  tar.on('error', (error) => packed.destroy(error))
  packed.on('close', () => tar.destroy())
  return (tar as unknown as Readable).pipe(packed)
}

/** Writes the expiration settings first, so that no facts expire while the rest of the archive is imported. */
async function* entriesOf(store: Asked): AsyncIterable<Entry> {
  const nodes = await rowsOf(store, '/nodes', { include_facts_expiration: 'true', query: everyNode })
  for (const node of nodes) {
    const content = expirationOfAnswer(node)
    if (content) yield { path: `configure_expiration/${fileOf(content)}`, content }
  }
  for (const node of nodes) yield* entriesOfNode(store, String(memberOf(node, 'certname')))
}

const everyNode = '["=","node_state","any"]'

async function* entriesOfNode(store: Asked, certname: string): AsyncIterable<Entry> {
  const query = JSON.stringify(['and', ['=', 'certname', certname], ['=', 'node_state', 'any']])
  for (const row of await rowsOf(store, '/catalogs', { query })) {
    const content = catalogOfAnswer(row)
    yield { path: `catalogs/${fileOf(content)}`, content }
  }
  for (const row of await rowsOf(store, '/factsets', { query })) {
    const packages = await rowsOf(store, '/package-inventory', { query })
    yield { path: `facts/${certname}.json`, content: factsOfAnswer(row, packages) }
  }
  for (const row of await rowsOf(store, '/catalog-inputs', { query })) {
    const content = inputsOfAnswer(row)
    yield { path: `catalog_inputs/${fileOf(content)}`, content }
  }
  yield* reportsOfNode(store, certname)
}

async function* reportsOfNode(store: Asked, certname: string): AsyncIterable<Entry> {
  const query = JSON.stringify(['and', ['=', 'certname', certname], ['null?', 'type', false]])
  const order_by = '[{"field":"producer_timestamp"},{"field":"hash"}]'
  for (let offset = 0; ; offset += reportsAtOnce) {
    const paging = { order_by, limit: String(reportsAtOnce), offset: String(offset) }
    const rows = await rowsOf(store, '/reports', { query, ...paging })
    for (const row of rows) {
      const content = reportOfAnswer(row)
      yield { path: `reports/${fileOf(content)}`, content }
    }
    if (rows.length < reportsAtOnce) return
  }
}

/**
 * File name for a command of which a node may have several: the certname and the digest of the
 * command's timestamp, as PuppetDB names these files.
 */
function fileOf(content: ExactObject): string {
  const time = memberOf(content, 'producer_timestamp') ?? null
  return `${String(memberOf(content, 'certname'))}-${identityHash(time)}.json`
}

async function rowsOf(
  store: Asked,
  path: string,
  parameters: Readonly<Record<string, string>>,
): Promise<readonly ExactObject[]> {
  const search = new URLSearchParams(parameters).toString()
  const answer = await store.ask({ method: 'GET', path, search })
  let text = ''
  for await (const piece of answer?.pieces ?? []) text += piece
  return parseJson(text === '' ? '[]' : text) as unknown as readonly ExactObject[]
}
