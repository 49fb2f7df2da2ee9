import type { Database } from '../database/database.ts'
import type { Dialect, Sql } from '../database/dialect.ts'

export type { Sql } from '../database/dialect.ts'

/** The kind of a field's values: which operators it has, and how they compare. */
export type FieldType =
  | 'string'
  | 'boolean'
  | 'numeric'
  | 'timestamp'
  /** A value of JSON that is no object and no array, as a rule. */
  | 'jsonb-scalar'
  /** JSON with paths: `facts.os.family`. */
  | 'queryable-json'
  /** A JSON array of texts. */
  | 'array'
  /** A path of a fact, without the types of its parts. */
  | 'encoded-path'
  /** A path of a fact, with the types of its parts in `signature`. */
  | 'path-array'
  /** JSON that is answered and not asked for. */
  | 'json'

/** Functions of numbers. */
export type NumberFunction = 'sum' | 'avg' | 'min' | 'max'

/** The way from a column to JSON. */
export type Reading =
  | 'plain'
  | 'boolean'
  | 'time'
  | 'json'
  | 'typed-path'
  /** The text of a number. */
  | 'number'
  /** An array of numbers, of which one is wanted. */
  | NumberFunction
  /** A sum and a count: `7/2`. */
  | 'quotient'

/** Values of a field that are in no column: read for several rows at once, by the column `id` of each. */
export type Loading = (database: Database, ids: readonly number[]) => Promise<ReadonlyMap<number, string>>

/** A field of an entity. */
export interface Field {
  readonly type: FieldType
  readonly sql?: Sql
  readonly reading?: Reading
  /** May a query name it; true if absent. */
  readonly queryable?: boolean
  /** May it be in an answer; true if absent. */
  readonly projectable?: boolean
  /** Columns of `queryable-json` whose paths may be in an answer. */
  readonly paths?: boolean
  /** For one of few values that many rows share: their table, and the column that leads there. */
  readonly shared?: Shared
  /** Texts of an array that is no column, as tables with the column `value`: of a row, and of all. */
  readonly texts?: { readonly of: Sql; readonly all: Sql }
  /** The types of a path's parts. */
  readonly signature?: Sql
  /** For a value that is no column, or is made more slowly as one from tables without indexes, as those of the past are; `id` is its key. */
  readonly loaded?: { readonly id: Sql; readonly load: Loading }
  /** Facts by the name of the fact: a path's first part is a row. */
  readonly facts?: { readonly nodeId: Sql }
}

/** Values that are kept once: conditions on them are decided once for each. */
export interface Shared {
  /** The column of this entity's rows. */
  readonly column: Sql
  readonly table: string
  /** The value, by the names of that table. */
  readonly sql: Sql
  /** The column may be NULL. */
  readonly nullable?: boolean
}

/** The tie between the rows of two entities: names of fields that are equal. */
export interface Relationship {
  readonly local: readonly string[]
  readonly foreign: readonly string[]
}

/** A table of an entity's rows, each of which has one row of it, or none with `left join`. */
export interface Join {
  readonly table: string
  readonly sql: Sql
  /** The table by which it is joined; absent of the first. */
  readonly by?: string
}

/** A kind of thing that may be asked for. */
export interface Entity {
  /** The name in errors: `fact_nodes` for fact-contents. */
  readonly alias: string
  /** Fields in PuppetDB's order, which its errors tell. */
  readonly fields: Readonly<Record<string, Field>>
  readonly from: Sql
  /** The tables of `from`, where those that a statement does not name may be left out of it. */
  readonly joins?: readonly Join[]
  readonly where?: Sql
  readonly distinct?: boolean
  readonly relationships: Readonly<Record<string, Relationship>>
  /** Fields that may be asked for by a path. */
  readonly dotted: readonly string[]
  /** Which `latest_report?` it has. */
  readonly latestReport?: 'reports' | 'events'
  /** True where reports of plans are left out unless a query names the type. */
  readonly hidesPlans?: boolean
}

/** Entities by their names with underscores, for a database. */
export type Entities = Readonly<Record<string, Entity>>

/** An entity as a function of the dialect. */
export type EntityOf = (dialect: Dialect) => Entity

/** Names that a query may ask for, sorted. */
export function queryable({ fields }: Entity): string[] {
  return Object.keys(fields)
    .filter((name) => fields[name]!.queryable !== false)
    .sort()
}

/** Names that may be in an answer, in order. */
export function projectable({ fields }: Entity): string[] {
  return Object.keys(fields).filter((name) => fields[name]!.projectable !== false)
}
