import { inflateRawSync } from 'node:zlib'
import { sql } from 'kysely'
import { parseJson } from '../../base/json/json-text.ts'
import type { Database } from '../database/database.ts'
import type { Sql } from '../database/dialect.ts'
import { identityText, keptText, sha1 } from '../ingest/identity.ts'
import { ofNodes, type Reference, references } from './references.ts'

/** An inconsistency in the database. */
export interface Problem {
  /** Table that contains the affected rows. */
  readonly table: string
  readonly rows: number
  readonly problem: string
}

/** Number of rows per read. */
const atOnce = 500

/**
 * Checks a database: its file, dangling references, and contents that do not match their digests.
 */
export async function problemsIn(database: Database): Promise<readonly Problem[]> {
  const found: Problem[] = [...(await problemsOfFile(database))]
  for (const reference of references) found.push(...(await lost(database, reference)))
  const purged = sql`and not exists (select 1 from purged_nodes where purged_nodes.node_id = rows.node_id)`
  for (const reference of ofNodes) found.push(...(await lost(database, reference, purged)))
  found.push(...(await wrongFactValues(database)))
  found.push(...(await wrongTags(database)))
  found.push(...(await wrongContents(database)))
  found.push(...(await wrongEdges(database)))
  return found
}

async function problemsOfFile(database: Database): Promise<readonly Problem[]> {
  if (database.dialect.name !== 'sqlite') return []
  const rows = await database.all<{ integrity_check: string }>(sql`pragma integrity_check`)
  return rows
    .filter(({ integrity_check: problem }) => problem !== 'ok')
    .map(({ integrity_check: problem }) => ({ table: 'store.db', rows: 1, problem }))
}

async function lost(
  database: Database,
  { from, column, to, key = 'id' }: Reference,
  unless: Sql = sql``,
): Promise<readonly Problem[]> {
  const [row] = await database.all<{ count: number }>(
    sql`select count(*) as count from ${sql.table(from)} as rows
      where ${sql.ref(`rows.${column}`)} <> 0 and not exists
        (select 1 from ${sql.table(to)} as target where ${sql.ref(`target.${key}`)} = ${sql.ref(`rows.${column}`)}) ${unless}`,
  )
  return problem(from, row!.count, `${column} leads to nothing in ${to}`)
}

const problem = (table: string, rows: number, text: string): readonly Problem[] =>
  rows > 0 ? [{ table, rows, problem: text }] : []

async function counted<Row>(database: Database, query: Sql, isWrong: (row: Row) => boolean): Promise<number> {
  let wrong = 0
  for await (const rows of database.stream<Row>(query, atOnce)) wrong += rows.filter(isWrong).length
  return wrong
}

async function wrongFactValues(database: Database): Promise<readonly Problem[]> {
  const { jsonText } = database.dialect
  const wrong = await counted<{ name: string; value: string; digest: string }>(
    database,
    sql`select name, digest, ${jsonText(sql`value`)} as value from fact_values`,
    ({ name, value, digest }) => sha1(`${name}\n${keptText(parseJson(value))}`) !== digest,
  )
  return problem('fact_values', wrong, 'the value is not that of its digest')
}

async function wrongTags(database: Database): Promise<readonly Problem[]> {
  const wrong = await counted<{ tags: string; digest: string }>(
    database,
    sql`select digest, ${database.dialect.jsonText(sql`tags`)} as tags from tag_sets`,
    ({ tags, digest }) => sha1(identityText(parseJson(tags))) !== digest,
  )
  return problem('tag_sets', wrong, 'the tags are not those of their digest')
}

/** Checks the lists of contents: their digests, and that all listed contents exist. */
async function wrongContents(database: Database): Promise<readonly Problem[]> {
  const listed = new Set<number>()
  const wrong = await counted<{ contents: Uint8Array; digest: string; edge_set_id: number }>(
    database,
    sql`select contents, digest, edge_set_id from catalog_contents`,
    ({ contents, digest, edge_set_id: edges }) => {
      const text = textIn(contents)
      for (const id of JSON.parse(text ?? '[]') as number[]) listed.add(id)
      return text === undefined || sha1(`${edges}\n${text}`) !== digest
    },
  )
  await counted<{ id: number }>(database, sql`select id from resource_contents`, ({ id }) => listed.delete(id))
  return [
    ...problem('catalog_contents', wrong, 'the list is not that of its digest'),
    ...problem('resource_contents', listed.size, 'a catalog has contents that are not there'),
  ]
}

function textIn(packed: Uint8Array): string | undefined {
  try {
    return inflateRawSync(packed).toString()
  } catch {
    return undefined
  }
}

async function wrongEdges(database: Database): Promise<readonly Problem[]> {
  const named = new Set<number>()
  const wrong = await counted<{ edges: string; digest: string }>(
    database,
    sql`select digest, ${database.dialect.jsonText(sql`edges`)} as edges from edge_sets`,
    ({ edges, digest }) => {
      const all = JSON.parse(edges) as readonly (readonly [number, number, number])[]
      for (const [source, target] of all) named.add(source).add(target)
      return sha1(JSON.stringify(all)) !== digest
    },
  )
  await counted<{ id: number }>(database, sql`select id from resource_names`, ({ id }) => named.delete(id))
  return [
    ...problem('edge_sets', wrong, 'the edges are not those of their digest'),
    ...problem('resource_names', named.size, 'edges lead to resources that are not there'),
  ]
}
