import type { ExactJson } from '../../../base/json/exact-json.ts'
import { entriesOf, isExactObject } from '../../../base/json/exact-json.ts'
import { printJson } from '../../../base/json/json-text.ts'
import { type ChangedFile, changedFiles, sourceContent } from '../../../model/sourced-files.ts'
import type { PageSources } from '../page.ts'
import { ask, first, type Query } from '../questions/ask.ts'
import { extract } from '../questions/conditions.ts'

/** One of two catalogs: the last catalog of a node, or an earlier one by time or commit. */
export interface Side {
  readonly certname: string
  readonly at: string | undefined
}

/** A catalog without its resources. */
export interface CatalogHead {
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
export interface Comparison {
  readonly heads: readonly [CatalogHead, CatalogHead]
  readonly resources: readonly DifferingResource[]
  readonly counts: Readonly<Record<DifferingResource['kind'], number>> & { readonly same: number }
  readonly edges: { readonly added: readonly string[]; readonly removed: readonly string[] }
  /** True if the comparison exceeds the limits of the page. */
  readonly more: boolean
}

const mostShown = 200

/** Parses `web1.example.com@4f1c…`: a node, and after the first `@` a time or a commit. */
export function sideOf(text: string): Side | undefined {
  const [certname = '', ...rest] = text.trim().split('@')
  if (certname === '') return undefined
  const at = rest.join('@').trim()
  return { certname, at: at === '' ? undefined : at }
}

/** Compares two catalogs; returns the missing side if the store does not have one of them. */
export async function compareCatalogs(
  { store }: PageSources,
  [from, to]: readonly [Side, Side],
): Promise<Comparison | { readonly missing: Side }> {
  const [heads, resources, edges, sourced] = await Promise.all([
    both([from, to], (side) => headOf(store, side)),
    both([from, to], (side) => hashesOf(store, side)),
    both([from, to], (side) => edgesOf(store, side)),
    both([from, to], (side) => filesIn(store, side)),
  ])
  if (!heads[0]) return { missing: from }
  if (!heads[1]) return { missing: to }
  const [before, after] = [byReference(resources[0].rows), byReference(resources[1].rows)]
  const files = new Map(changedFiles(...sourced).map((file) => [`File[${file.title}]`, file]))
  const differing = [
    ...[...before.keys()].filter((key) => !after.has(key)).map((key) => [key, 'removed'] as const),
    ...[...after.keys()].filter((key) => !before.has(key)).map((key) => [key, 'added'] as const),
    ...[...after]
      .filter(([key, hash]) => before.has(key) && (before.get(key) !== hash || files.has(key)))
      .map(([key]) => [key, 'changed'] as const),
  ]
  const shown = differing.slice(0, mostShown)
  const [old, young] = await Promise.all([
    parametersOf(
      store,
      from,
      shown.flatMap(([key]) => before.get(key) ?? []),
    ),
    parametersOf(
      store,
      to,
      shown.flatMap(([key]) => after.get(key) ?? []),
    ),
  ])
  const number = (kind: DifferingResource['kind']) => differing.filter(([, each]) => each === kind).length
  const counts = { added: number('added'), removed: number('removed'), changed: number('changed') }
  const edgeSets = edges.map(({ rows }) => new Set(rows.map(edgeText)))
  return {
    heads: [heads[0], heads[1]],
    resources: shown.map(([reference, kind]) => ({
      reference,
      kind,
      parameters: [
        ...differingParameters(old.get(reference), young.get(reference)),
        ...contentChange(files.get(reference)),
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

function both<Value>(sides: readonly [Side, Side], of: (side: Side) => Promise<Value>): Promise<[Value, Value]> {
  return Promise.all([of(sides[0]), of(sides[1])])
}

type Store = PageSources['store']

const own = ({ certname }: Side): Query => ['=', 'certname', certname]

function headOf(store: Store, side: Side): Promise<CatalogHead | undefined> {
  const fields = ['code_id', 'version', 'environment', 'producer_timestamp']
  return first(store, { of: 'catalogs', query: extract(fields, own(side)), asOf: side.at })
}

interface Hashed {
  readonly type: string
  readonly title: string
  /** The digest of type, title and parameters. */
  readonly resource: string
}

function hashesOf(store: Store, side: Side) {
  const query = extract(['type', 'title', 'resource'], own(side))
  return ask<Hashed>(store, {
    of: 'resources',
    query,
    order: [
      ['type', 'asc'],
      ['title', 'asc'],
    ],
    asOf: side.at,
  })
}

/** Checksums of the files that a catalog copies, by title; undefined if the store has none. */
async function filesIn(store: Store, side: Side): Promise<ExactJson | undefined> {
  const row = await first<{ files: ExactJson }>(store, { of: 'sourced-files', query: own(side), asOf: side.at })
  return row?.files
}

function byReference(rows: readonly Hashed[]): ReadonlyMap<string, string> {
  return new Map(rows.map(({ type, title, resource }) => [`${type}[${title}]`, resource]))
}

interface Edge {
  readonly source_type: string
  readonly source_title: string
  readonly target_type: string
  readonly target_title: string
  readonly relationship: string
}

function edgesOf(store: Store, side: Side) {
  const fields = ['source_type', 'source_title', 'target_type', 'target_title', 'relationship']
  return ask<Edge>(store, { of: 'edges', query: extract(fields, own(side)), asOf: side.at })
}

function edgeText({ source_type, source_title, target_type, target_title, relationship }: Edge): string {
  return `${source_type}[${source_title}] ${relationship} ${target_type}[${target_title}]`
}

async function parametersOf(
  store: Store,
  side: Side,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, ExactJson>> {
  if (hashes.length === 0) return new Map()
  const { rows } = await ask<Hashed & { parameters: ExactJson }>(store, {
    of: 'resources',
    query: extract(['type', 'title', 'parameters'], ['and', own(side), ['in', 'resource', ['array', hashes]]]),
    asOf: side.at,
  })
  return new Map(rows.map(({ type, title, parameters }) => [`${type}[${title}]`, parameters]))
}

function contentChange(file: ChangedFile | undefined): readonly DifferingParameter[] {
  return file ? [{ name: sourceContent, from: file.from, to: file.to }] : []
}

function differingParameters(from: ExactJson | undefined, to: ExactJson | undefined): readonly DifferingParameter[] {
  const [old, young] = [from, to].map((each) => new Map(isExactObject(each) ? entriesOf(each) : []))
  const names = [...new Set([...old!.keys(), ...young!.keys()])].sort()
  return names
    .map((name) => ({ name, from: old!.get(name), to: young!.get(name) }))
    .filter((each) => printJson(each.from ?? null) !== printJson(each.to ?? null))
}
