import { sql } from 'kysely'
import { parseJson } from '../../../base/json/json-text.ts'
import { findChangedFiles } from '../../../model/sourced-files.ts'
import type { Database } from '../../database/database.ts'
import { readContentLists } from '../as-of/past-catalogs.ts'

/** The ids of a catalog in the history and of its predecessor; `before` is undefined for a node's first catalog. */
export interface Succession {
  readonly id: number
  readonly before: number | undefined
}

/**
 * The content of a catalog: its list of resources, its edge set, and the checksums of its sourced
 * files if they are known.
 */
interface Content {
  readonly content_id: number
  readonly edge_set_id: number
  readonly sourced_files_id: number | null
}

/** Maximum number of resources listed in one change. */
const mostListed = 100

/** The difference between a catalog and its predecessor. */
export interface CatalogChanges {
  readonly added: number
  readonly removed: number
  readonly changed: number
  readonly edges: boolean
  readonly resources: readonly ChangedResource[]
}

interface ChangedResource {
  readonly change: 'added' | 'removed' | 'changed'
  readonly type: string
  readonly title: string
}

/** Number of resources in a catalog, and the changes since the previous catalog. */
export interface CatalogDescription {
  readonly resources: number
  readonly changes: CatalogChanges | null
}

/** Compares catalogs with their predecessors; returns the changes by catalog id. */
export async function computeCatalogChanges(
  database: Database,
  catalogs: readonly Succession[],
): Promise<ReadonlyMap<number, CatalogDescription>> {
  const contents = await readContents(
    database,
    catalogs.flatMap(({ id, before }) => (before === undefined ? [id] : [id, before])),
  )
  const lists = await readContentLists(
    database,
    [...contents.values()].map(({ content_id }) => content_id),
  )
  const files = new Map<number, readonly string[]>()
  for (const { id, before } of catalogs)
    if (before !== undefined)
      files.set(id, await findChangedFileTitles(database, contents.get(before)!, contents.get(id)!))
  const compared = catalogs.map(({ id, before }) => {
    const [now, was] = [contents.get(id)!, before === undefined ? undefined : contents.get(before)]
    const list = lists.get(now.content_id)!
    if (!was) return { id, resources: list.length, difference: undefined, edges: false }
    const difference = diffIds(lists.get(was.content_id)!, list)
    return { id, resources: list.length, difference, edges: was.edge_set_id !== now.edge_set_id }
  })
  const names = await readResourceNames(
    database,
    compared.flatMap(({ difference }) => (difference ? [...difference.gone, ...difference.fresh] : [])),
  )
  return new Map(
    compared.map(({ id, resources, difference, edges }) => [
      id,
      { resources, changes: difference ? buildChanges(difference, names, { edges, files: files.get(id)! }) : null },
    ]),
  )
}

async function readContents(database: Database, ids: readonly number[]): Promise<ReadonlyMap<number, Content>> {
  const rows = await database.all<Content & { readonly id: number }>(
    sql`select catalogs.id as id, content_id, edge_set_id, sourced_files_id
      from catalogs join catalog_contents on catalog_contents.id = catalogs.content_id
      where catalogs.id in (select value from ${database.dialect.integers([...new Set(ids)])})`,
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/** Titles of the File resources whose sources have different content in the two catalogs. */
async function findChangedFileTitles(database: Database, was: Content, now: Content): Promise<readonly string[]> {
  const ids = [was.sourced_files_id, now.sourced_files_id]
  if (ids[0] === null || ids[1] === null || ids[0] === ids[1]) return []
  const rows = await database.all<{ id: number; files: string }>(
    sql`select id, ${database.dialect.jsonText(sql.ref('files'))} as files from sourced_files where id in (${sql.join(ids)})`,
  )
  const [before, after] = ids.map((id) => parseJson(rows.find((row) => row.id === id)?.files ?? 'null'))
  return findChangedFiles(before, after).map(({ title }) => title)
}

interface Difference {
  readonly gone: readonly number[]
  readonly fresh: readonly number[]
}

function diffIds(before: readonly number[], after: readonly number[]): Difference {
  const [was, is] = [new Set(before), new Set(after)]
  return { gone: before.filter((id) => !is.has(id)), fresh: after.filter((id) => !was.has(id)) }
}

interface Name {
  readonly type: string
  readonly title: string
}

async function readResourceNames(database: Database, ids: readonly number[]): Promise<ReadonlyMap<number, Name>> {
  const rows = await database.all<Name & { readonly id: number }>(
    sql`select resource_contents.id as id, type, title from resource_contents
      join resources on resources.id = resource_contents.resource_id
      join resource_names on resource_names.id = resources.name_id
      where resource_contents.id in (select value from ${database.dialect.integers([...new Set(ids)])})`,
  )
  return new Map(rows.map(({ id, type, title }) => [id, { type, title }]))
}

/** Builds the list of changes. A resource that was both removed and added counts as changed. */
function buildChanges(
  { gone, fresh }: Difference,
  names: ReadonlyMap<number, Name>,
  { edges, files }: { readonly edges: boolean; readonly files: readonly string[] },
): CatalogChanges {
  const indexByReference = (ids: readonly number[]) =>
    new Map(ids.map((id) => names.get(id)!).map((name) => [`${name.type}[${name.title}]`, name]))
  const [was, is] = [indexByReference(gone), indexByReference(fresh)]
  const listChangedResources = (
    change: ChangedResource['change'],
    from: ReadonlyMap<string, Name>,
    when: (key: string) => boolean,
  ) => [...from].filter(([key]) => when(key)).map(([, { type, title }]) => ({ change, type, title }))
  const added = listChangedResources('added', is, (key) => !was.has(key))
  const removed = listChangedResources('removed', was, (key) => !is.has(key))
  const ofFiles = files
    .filter((title) => !is.has(`File[${title}]`))
    .map((title) => ({ change: 'changed', type: 'File', title }) as const)
  const changed = [...listChangedResources('changed', is, (key) => was.has(key)), ...ofFiles]
  return {
    ...{ added: added.length, removed: removed.length, changed: changed.length, edges },
    resources: [...removed, ...added, ...changed].slice(0, mostListed),
  }
}
