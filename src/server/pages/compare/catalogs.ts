import type { ExactJson } from '../../../base/json/exact-json.ts'
import { getEntries, isExactObject } from '../../../base/json/exact-json.ts'
import { formatExactJson } from '../../../base/json/json-text.ts'
import { type ChangedFile, findChangedFiles, sourceContent } from '../../../model/sourced-files.ts'
import type { PageSources } from '../page.ts'
import { createExtractQuery } from '../questions/conditions.ts'
import { queryFirstRow, queryRows, type StoreQuery } from '../questions/store-query.ts'

/** One of two catalogs: the last catalog of a node, or an earlier one by time or commit. */
export interface ComparedCatalog {
  readonly certname: string
  readonly at: string | undefined
}

/** A catalog without its resources. */
export interface StoredCatalogHead {
  readonly code_id: string | null
  readonly version: string
  readonly environment: string | null
  readonly producer_timestamp: string
}

/** A resource that differs between two catalogs. */
export interface DifferingResource {
  readonly reference: string
  readonly kind: 'added' | 'removed' | 'changed'
  readonly parameters: readonly DifferingParameter[]
}

/** The two values of a parameter; `undefined` in a catalog without it. */
export interface DifferingParameter {
  readonly name: string
  readonly from: ExactJson | undefined
  readonly to: ExactJson | undefined
}

/** The comparison of two catalogs. */
export interface CatalogComparison {
  readonly heads: readonly [StoredCatalogHead, StoredCatalogHead]
  readonly resources: readonly DifferingResource[]
  readonly counts: Readonly<Record<DifferingResource['kind'], number>> & { readonly same: number }
  readonly edges: { readonly added: readonly string[]; readonly removed: readonly string[] }
  /** True if the comparison exceeds the limits of the page. */
  readonly more: boolean
}

const mostShown = 200

/** Parses `web1.example.com@4f1c…`: a node, and after the first `@` a time or a commit. */
export function parseCatalogSide(text: string): ComparedCatalog | undefined {
  const [certname = '', ...rest] = text.trim().split('@')
  if (certname === '') return undefined
  const at = rest.join('@').trim()
  return { certname, at: at === '' ? undefined : at }
}

/** Compares two catalogs; returns the missing side if the store does not have one of them. */
export async function compareCatalogs(
  { store }: PageSources,
  [from, to]: readonly [ComparedCatalog, ComparedCatalog],
): Promise<CatalogComparison | { readonly missing: ComparedCatalog }> {
  const [heads, resources, edges, sourced] = await Promise.all([
    readBothSides([from, to], (side) => readCatalogHead(store, side)),
    readBothSides([from, to], (side) => readResourceHashes(store, side)),
    readBothSides([from, to], (side) => readEdges(store, side)),
    readBothSides([from, to], (side) => readFileChecksums(store, side)),
  ])
  if (!heads[0]) return { missing: from }
  if (!heads[1]) return { missing: to }
  const [before, after] = [indexByReference(resources[0].rows), indexByReference(resources[1].rows)]
  const files = new Map(findChangedFiles(...sourced).map((file) => [`File[${file.title}]`, file]))
  const differing = [
    ...[...before.keys()].filter((key) => !after.has(key)).map((key) => [key, 'removed'] as const),
    ...[...after.keys()].filter((key) => !before.has(key)).map((key) => [key, 'added'] as const),
    ...[...after]
      .filter(([key, hash]) => before.has(key) && (before.get(key) !== hash || files.has(key)))
      .map(([key]) => [key, 'changed'] as const),
  ]
  const shown = differing.slice(0, mostShown)
  const [old, young] = await Promise.all([
    readParameters(
      store,
      from,
      shown.flatMap(([key]) => before.get(key) ?? []),
    ),
    readParameters(
      store,
      to,
      shown.flatMap(([key]) => after.get(key) ?? []),
    ),
  ])
  const countDiffering = (kind: DifferingResource['kind']) => differing.filter(([, each]) => each === kind).length
  const counts = {
    added: countDiffering('added'),
    removed: countDiffering('removed'),
    changed: countDiffering('changed'),
  }
  const edgeSets = edges.map(({ rows }) => new Set(rows.map(formatEdge)))
  return {
    heads: [heads[0], heads[1]],
    resources: shown.map(([reference, kind]) => ({
      reference,
      kind,
      parameters: [
        ...listDifferingParameters(old.get(reference), young.get(reference)),
        ...toContentChange(files.get(reference)),
      ],
    })),
    counts: { ...counts, same: after.size - counts.added - counts.changed },
    edges: {
      added: [...edgeSets[1]!].filter((edge) => !edgeSets[0]!.has(edge)),
      removed: [...edgeSets[0]!].filter((edge) => !edgeSets[1]!.has(edge)),
    },
    more: shown.length < differing.length || [...resources, ...edges].some(({ more }) => more),
  }
}

function readBothSides<Value>(
  sides: readonly [ComparedCatalog, ComparedCatalog],
  of: (side: ComparedCatalog) => Promise<Value>,
): Promise<[Value, Value]> {
  return Promise.all([of(sides[0]), of(sides[1])])
}

type Store = PageSources['store']

const createNodeCondition = ({ certname }: ComparedCatalog): StoreQuery => ['=', 'certname', certname]

function readCatalogHead(store: Store, side: ComparedCatalog): Promise<StoredCatalogHead | undefined> {
  const fields = ['code_id', 'version', 'environment', 'producer_timestamp']
  return queryFirstRow(store, {
    of: 'catalogs',
    query: createExtractQuery(fields, createNodeCondition(side)),
    asOf: side.at,
  })
}

interface ResourceHash {
  readonly type: string
  readonly title: string
  /** Digest of the resource's type, title and parameters. */
  readonly resource: string
}

function readResourceHashes(store: Store, side: ComparedCatalog) {
  const query = createExtractQuery(['type', 'title', 'resource'], createNodeCondition(side))
  return queryRows<ResourceHash>(store, {
    of: 'resources',
    query,
    order: [
      ['type', 'asc'],
      ['title', 'asc'],
    ],
    asOf: side.at,
  })
}

/** Checksums of the files that a catalog copies, by resource title; undefined if the store has none. */
async function readFileChecksums(store: Store, side: ComparedCatalog): Promise<ExactJson | undefined> {
  const row = await queryFirstRow<{ files: ExactJson }>(store, {
    of: 'sourced-files',
    query: createNodeCondition(side),
    asOf: side.at,
  })
  return row?.files
}

function indexByReference(rows: readonly ResourceHash[]): ReadonlyMap<string, string> {
  return new Map(rows.map(({ type, title, resource }) => [`${type}[${title}]`, resource]))
}

interface Edge {
  readonly source_type: string
  readonly source_title: string
  readonly target_type: string
  readonly target_title: string
  readonly relationship: string
}

function readEdges(store: Store, side: ComparedCatalog) {
  const fields = ['source_type', 'source_title', 'target_type', 'target_title', 'relationship']
  return queryRows<Edge>(store, {
    of: 'edges',
    query: createExtractQuery(fields, createNodeCondition(side)),
    asOf: side.at,
  })
}

function formatEdge({ source_type, source_title, target_type, target_title, relationship }: Edge): string {
  return `${source_type}[${source_title}] ${relationship} ${target_type}[${target_title}]`
}

async function readParameters(
  store: Store,
  side: ComparedCatalog,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, ExactJson>> {
  if (hashes.length === 0) return new Map()
  const { rows } = await queryRows<ResourceHash & { parameters: ExactJson }>(store, {
    of: 'resources',
    query: createExtractQuery(
      ['type', 'title', 'parameters'],
      ['and', createNodeCondition(side), ['in', 'resource', ['array', hashes]]],
    ),
    asOf: side.at,
  })
  return new Map(rows.map(({ type, title, parameters }) => [`${type}[${title}]`, parameters]))
}

function toContentChange(file: ChangedFile | undefined): readonly DifferingParameter[] {
  return file ? [{ name: sourceContent, from: file.from, to: file.to }] : []
}

function listDifferingParameters(
  from: ExactJson | undefined,
  to: ExactJson | undefined,
): readonly DifferingParameter[] {
  const [old, young] = [from, to].map((each) => new Map(isExactObject(each) ? getEntries(each) : []))
  const names = [...new Set([...old!.keys(), ...young!.keys()])].sort()
  return names
    .map((name) => ({ name, from: old!.get(name), to: young!.get(name) }))
    .filter((each) => formatExactJson(each.from ?? null) !== formatExactJson(each.to ?? null))
}
