import { sql } from 'kysely'
import type { Database } from '../database/database.ts'

/** A column of a table, and its type, on which the encoding in a backup depends. */
export interface BackupColumn {
  readonly name: string
  readonly kind: 'integer' | 'text' | 'json' | 'boolean' | 'bytes'
}

/** A table and its columns. */
export interface BackupTable {
  readonly name: string
  readonly columns: readonly BackupColumn[]
}

/**
 * Tables that are not backed up because their content applies only to one database: schema version
 * and queue positions.
 */
const ofPlace = new Set(['schema_versions', 'queue_positions'])

/**
 * Lists the tables to back up, with their columns. SQLite does not declare the types of JSON and
 * boolean columns; there, they need no conversion.
 */
export async function listTables(database: Database): Promise<readonly BackupTable[]> {
  const rows =
    database.dialect.name === 'sqlite'
      ? await database.all<Described>(
          sql`select tables.name as table_name, columns.name as name, lower(columns.type) as type
            from sqlite_master as tables join pragma_table_info(tables.name) as columns
            where tables.type = 'table' and tables.name not like 'sqlite_%'
            order by tables.name, columns.cid`,
        )
      : await database.all<Described>(
          // The rows of partitions are rows of the partitioned tables.
          sql`select table_name, column_name as name, data_type as type from information_schema.columns
            where table_schema = current_schema()
              and not (select relispartition from pg_class where oid = to_regclass(quote_ident(table_name)))
            order by table_name, ordinal_position`,
        )
  const tables = new Map<string, BackupColumn[]>()
  for (const { table_name: table, name, type } of rows) {
    if (ofPlace.has(table)) continue
    const columns = tables.get(table) ?? []
    columns.push({ name, kind: kinds[type] ?? 'text' })
    tables.set(table, columns)
  }
  return [...tables].map(([name, columns]) => ({ name, columns }))
}

interface Described {
  readonly table_name: string
  readonly name: string
  readonly type: string
}

const kinds: Readonly<Record<string, BackupColumn['kind']>> = {
  ...{ bigint: 'integer', integer: 'integer', text: 'text', jsonb: 'json', boolean: 'boolean' },
  ...{ bytea: 'bytes', blob: 'bytes' },
}
