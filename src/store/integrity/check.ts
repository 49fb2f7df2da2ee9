import { inflateRawSync } from 'node:zlib'
import { sql } from 'kysely'
import { parseJson } from '../../base/json/json-text.ts'
import type { Database } from '../database/database.ts'
import type { Sql } from '../database/dialect.ts'
import { computeSha1, formatIdentity, formatStoredJson } from '../ingest/identity.ts'
import { nodeReferences, type Reference, references } from './references.ts'

/** An inconsistency in the database. */
export interface IntegrityProblem {
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
export async function findProblems(database: Database): Promise<readonly IntegrityProblem[]> {
  const found: IntegrityProblem[] = [...(await checkDatabaseFile(database))]
  for (const reference of references) found.push(...(await findDanglingReferences(database, reference)))
  const purged = sql`and not exists (select 1 from purged_nodes where purged_nodes.node_id = rows.node_id)`
  for (const reference of nodeReferences) found.push(...(await findDanglingReferences(database, reference, purged)))
  found.push(...(await findWrongFactValues(database)))
  found.push(...(await findWrongTags(database)))
  found.push(...(await findWrongContents(database)))
  found.push(...(await findWrongEdges(database)))
  return found
}

async function checkDatabaseFile(database: Database): Promise<readonly IntegrityProblem[]> {
  if (database.dialect.name !== 'sqlite') return []
  const rows = await database.all<{ integrity_check: string }>(sql`pragma integrity_check`)
  return rows
    .filter(({ integrity_check: problem }) => problem !== 'ok')
    .map(({ integrity_check: problem }) => ({ table: 'store.db', rows: 1, problem }))
}

async function findDanglingReferences(
  database: Database,
  { from, column, to }: Reference,
  unless: Sql = sql``,
): Promise<readonly IntegrityProblem[]> {
  const [row] = await database.all<{ count: number }>(
    sql`select count(*) as count from ${sql.table(from)} as rows
      where ${sql.ref(`rows.${column}`)} <> 0 and not exists
        (select 1 from ${sql.table(to)} as target where ${sql.ref('target.id')} = ${sql.ref(`rows.${column}`)}) ${unless}`,
  )
  return listProblems(from, row!.count, `${column} refers to a missing row in ${to}`)
}

const listProblems = (table: string, rows: number, text: string): readonly IntegrityProblem[] =>
  rows > 0 ? [{ table, rows, problem: text }] : []

async function countWrongRows<Row>(database: Database, query: Sql, isWrong: (row: Row) => boolean): Promise<number> {
  let wrong = 0
  for await (const rows of database.stream<Row>(query, atOnce)) wrong += rows.filter(isWrong).length
  return wrong
}

async function findWrongFactValues(database: Database): Promise<readonly IntegrityProblem[]> {
  const { jsonText } = database.dialect
  const wrong = await countWrongRows<{ name: string; value: string; digest: string }>(
    database,
    sql`select name, digest, ${jsonText(sql`value`)} as value from fact_values`,
    ({ name, value, digest }) => computeSha1(`${name}\n${formatStoredJson(parseJson(value))}`) !== digest,
  )
  return listProblems('fact_values', wrong, 'the value does not match its digest')
}

async function findWrongTags(database: Database): Promise<readonly IntegrityProblem[]> {
  const wrong = await countWrongRows<{ tags: string; digest: string }>(
    database,
    sql`select digest, ${database.dialect.jsonText(sql`tags`)} as tags from tag_sets`,
    ({ tags, digest }) => computeSha1(formatIdentity(parseJson(tags))) !== digest,
  )
  return listProblems('tag_sets', wrong, 'the tags do not match their digest')
}

/** Checks the digests of the content lists of catalogs, and that each listed resource content exists. */
async function findWrongContents(database: Database): Promise<readonly IntegrityProblem[]> {
  const listed = new Set<number>()
  const wrong = await countWrongRows<{ contents: Uint8Array; digest: string; edge_set_id: number }>(
    database,
    sql`select contents, digest, edge_set_id from catalog_contents`,
    ({ contents, digest, edge_set_id: edges }) => {
      const text = inflateText(contents)
      for (const id of JSON.parse(text ?? '[]') as number[]) listed.add(id)
      return text === undefined || computeSha1(`${edges}\n${text}`) !== digest
    },
  )
  await countWrongRows<{ id: number }>(database, sql`select id from resource_contents`, ({ id }) => listed.delete(id))
  return [
    ...listProblems('catalog_contents', wrong, 'the list does not match its digest'),
    ...listProblems('resource_contents', listed.size, 'a catalog refers to missing contents'),
  ]
}

function inflateText(packed: Uint8Array): string | undefined {
  try {
    return inflateRawSync(packed).toString()
  } catch {
    return undefined
  }
}

async function findWrongEdges(database: Database): Promise<readonly IntegrityProblem[]> {
  const named = new Set<number>()
  const wrong = await countWrongRows<{ edges: string; digest: string }>(
    database,
    sql`select digest, ${database.dialect.jsonText(sql`edges`)} as edges from edge_sets`,
    ({ edges, digest }) => {
      const all = JSON.parse(edges) as readonly (readonly [number, number, number])[]
      for (const [source, target] of all) named.add(source).add(target)
      return computeSha1(JSON.stringify(all)) !== digest
    },
  )
  await countWrongRows<{ id: number }>(database, sql`select id from resource_names`, ({ id }) => named.delete(id))
  return [
    ...listProblems('edge_sets', wrong, 'the edges do not match their digest'),
    ...listProblems('resource_names', named.size, 'edges refer to missing resources'),
  ]
}
