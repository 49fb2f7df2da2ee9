import { setTimeout as delay } from 'node:timers/promises'
import { budgets } from '../../base/budgets/budgets.ts'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import type { ExactJson } from '../../base/json/exact-json.ts'
import { formatExactJson } from '../../base/json/json-text.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import type { ExportedResource, ExportQuery, ExportSearch } from '../../model/exported-resource.ts'
import { buildExportsPayload } from '../commands/writing/exports.ts'
import type { NodeStore } from '../node-store.ts'
import type { StoreRecorder } from '../recording/recorder.ts'
import { matchesExportQuery } from './export-query.ts'
import type { ExportStore } from './export-store.ts'
import { type FoundExports, parseFoundExports } from './found-exports.ts'
import { ExportTable } from './memory-exports.ts'

/** Errors of collecting exported resources. */
export const exportIssues = defineIssues({
  EXPORTS_UNAVAILABLE: {
    text: (a: { detail: string }) => `Could not retrieve exported resources from the store: ${a.detail}`,
    hint: () =>
      'A catalog without these resources could remove them from the node. The agent retries, and then applies its cached catalog.',
  },
})

/** A store and its recorder. */
export interface StoredExportsOptions {
  readonly store: NodeStore
  readonly recorder: StoreRecorder
  /** Environment of catalogs that contain only exports. */
  readonly environment: string
}

/**
 * Exported resources of active nodes in a store. Includes accepted catalogs that are not stored
 * yet, also those that were queued before the last start.
 */
export class StoredExports implements ExportStore {
  readonly #options: StoredExportsOptions
  #caughtUp: Promise<void> | undefined
  #isCaughtUp = false

  constructor(options: StoredExportsOptions) {
    this.#options = options
  }

  async search(search: ExportSearch): Promise<readonly ExportedResource[]> {
    return parseFoundExports(await this.find(search))
  }

  /** Like `search`, but returns a result that another thread can parse. Throws EXPORTS_UNAVAILABLE. */
  async find({ type, except, query }: ExportSearch): Promise<FoundExports> {
    await this.#afterStart()
    const isRequested = (each: ExportedResource) => each.type === type && (!query || matchesExportQuery(each, query))
    // Copy the pending exports before the query starts: catalogs that are stored during the query
    // are part of its result.
    const pending = new Map<string, readonly ExportedResource[]>()
    for (const [certname, resources] of this.#options.recorder.exports.entries())
      pending.set(certname, certname === except ? [] : resources.filter(isRequested))
    const conditions = [
      ['=', 'type', type],
      ['not', ['=', 'certname', except]],
      ...(query ? [toStoreCondition(query)] : []),
    ]
    return { pieces: await this.#asked(conditions), pending }
  }

  /** Stores a catalog with only exports, for a node without other data. */
  async replace(certname: string, exports: readonly ExportedResource[]): Promise<void> {
    const { recorder, environment } = this.#options
    const payload = buildExportsPayload(certname, exports, { ...recorder.sending(), environment })
    await recorder.recordCatalog({ certname, payload: Buffer.from(formatExactJson(payload)), exports })
  }

  /** Deactivates the node. */
  async remove(certname: string): Promise<boolean> {
    const pending = this.#options.recorder.exports.get(certname)?.value
    const known = pending?.length ?? (await this.#asked([['=', 'certname', certname]], 1)).join('').length - '[]'.length
    await this.#options.recorder.deactivate(certname)
    return known > 0
  }

  /** Does nothing, since this store caches no data that others could change. */
  async refresh(): Promise<void> {}

  async #asked(conditions: readonly ExactJson[], limit?: number): Promise<readonly string[]> {
    try {
      return await queryExportRows(this.#options.store, conditions, limit)
    } catch (error) {
      return throwIssue(exportIssues.EXPORTS_UNAVAILABLE, { detail: formatError(error) })
    }
  }

  async #untilCaughtUp(): Promise<void> {
    await this.#options.store.caughtUp?.()
    this.#isCaughtUp = true
  }

  /**
   * Waits for catalogs that were accepted before the last start and are not stored yet. Fails at
   * once if the database is unavailable.
   */
  async #afterStart(): Promise<void> {
    const { store } = this.#options
    this.#caughtUp ??= this.#untilCaughtUp()
    const stuck = this.#isCaughtUp ? undefined : store.upkeep?.figures().stuck
    if (stuck !== undefined) throwIssue(exportIssues.EXPORTS_UNAVAILABLE, { detail: stuck })
    const late = delay(budgets.store.catchUpTime.bound, true, { ref: false })
    if (await Promise.race([this.#caughtUp, late]))
      throwIssue(exportIssues.EXPORTS_UNAVAILABLE, { detail: 'commands from before the last start are still waiting' })
  }
}

/** Reads the exports of all active nodes, for a caller that cannot wait for a store. */
export async function readStoredExports(store: Pick<NodeStore, 'ask'>): Promise<ExportTable> {
  const table = new ExportTable()
  const byNode = new Map<string, ExportedResource[]>()
  for (const resource of parseFoundExports({ pieces: await queryExportRows(store, []), pending: new Map() }))
    byNode.set(resource.certname, [...(byNode.get(resource.certname) ?? []), resource])
  for (const [certname, resources] of byNode) table.replace(certname, resources)
  return table
}

/** Queries exported resources; returns the rows as pieces of text. */
async function queryExportRows(
  store: Pick<NodeStore, 'ask'>,
  conditions: readonly ExactJson[],
  limit?: number,
): Promise<readonly string[]> {
  const query = ['extract', ['certname', 'type', 'title', 'tags', 'parameters'], ['and', exported, ...conditions]]
  const body = formatExactJson({ query, ...(limit !== undefined && { limit }) })
  const answer = await store.ask({ method: 'POST', path: '/resources', search: '', body })
  const pieces: string[] = []
  for await (const piece of answer!.pieces) pieces.push(piece)
  return pieces
}

const exported = ['=', 'exported', true] as const
/** A condition that matches no exported resource. */
const nothing = ['=', 'exported', false] as const

/**
 * Converts a collector's query to a store query. puppet-terminus-puppetdb:
 * indirector/resource/puppetdb.rb.
 */
function toStoreCondition(query: ExportQuery): ExactJson {
  switch (query.kind) {
    case 'and':
    case 'or':
      return [query.kind, toStoreCondition(query.left), toStoreCondition(query.right)]
    case '==':
      return buildEqualCondition(query.name, query.value)
    case '!=':
      return ['not', buildEqualCondition(query.name, query.value)]
  }
}

/** The condition that a field equals a value; without a value, it matches nothing. */
function buildEqualCondition(name: string, value: ExactJson): ExactJson {
  if (name === 'title') return typeof value === 'string' ? ['=', 'title', value] : nothing
  if (name !== 'tag') return value === null ? nothing : ['=', ['parameter', name], value]
  const tags = value as readonly string[]
  return tags.length > 0 ? ['or', ...tags.map((tag) => ['=', 'tag', tag.toLowerCase()])] : nothing
}
