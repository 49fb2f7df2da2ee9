import { sql } from 'kysely'
import type { AuthorityQueries } from './authority-connection.ts'

/**
 * The tables of a CA. Certnames and subjects have the collation C, so that PostgreSQL sorts them as JavaScript does.
 * Serials are hexadecimal, as they may have up to 160 bits.
 */
const tables = [
  sql`create table ca_documents (
    name text primary key,
    content text not null,
    version text not null,
    modified timestamptz not null default clock_timestamp()
  )`,
  sql`create table ca_inventory (
    serial text collate "C" primary key,
    not_before text not null,
    not_after text collate "C" not null,
    subject text collate "C" not null,
    position bigint generated always as identity
  )`,
  sql`create index ca_inventory_subject on ca_inventory (subject)`,
  sql`create index ca_inventory_not_after on ca_inventory (not_after)`,
  sql`create unique index ca_inventory_position on ca_inventory (position)`,
  sql`create table ca_certificates (
    name text collate "C" primary key,
    pem text not null,
    status text not null
  )`,
  sql`create table ca_requests (
    name text collate "C" primary key,
    pem text not null,
    status text not null,
    undecided boolean not null
  )`,
]

/** Returns true if the tables exist. */
export async function hasAuthorityTables(queries: AuthorityQueries): Promise<boolean> {
  const [row] = await queries.all<{ found: boolean }>(sql`select to_regclass('ca_documents') is not null as found`)
  return row?.found === true
}

/** Creates the tables. The caller must hold the lock of the CA. */
export async function createAuthorityTables(queries: AuthorityQueries): Promise<void> {
  for (const statement of tables) await queries.run(statement)
}
