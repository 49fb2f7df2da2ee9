import type { Database } from '../database/database.ts'
import type { Dialect, Sql } from '../database/dialect.ts'

export type { Sql } from '../database/dialect.ts'

/** The type of a field, which determines the allowed operators and the comparison of values. */
export type FieldType =
  | 'string'
  | 'boolean'
  | 'numeric'
  | 'timestamp'
  /** A JSON value, usually a scalar. */
  | 'jsonb-scalar'
  /** JSON that is queried with paths: `facts.os.family`. */
  | 'queryable-json'
  /** A JSON array of strings. */
  | 'array'
  /** A fact path without the types of its parts. */
  | 'encoded-path'
  /** A fact path with the types of its parts in `signature`. */
  | 'path-array'
  /** JSON that a query may return, but cannot use as a condition. */
  | 'json'

/** Aggregate functions of numbers. */
export type NumberFunction = 'sum' | 'avg' | 'min' | 'max'

/** The way in which a column's value is converted to JSON. */
export type ColumnFormat =
  | 'plain'
  | 'boolean'
  | 'time'
  | 'json'
  | 'typed-path'
  /** A number as text. */
  | 'number'
  /** A JSON array of numbers, to which the function is applied. */
  | NumberFunction
  /** A sum and a count: `7/2`. */
  | 'quotient'

/** Loads values that are not stored in any column, for several rows at once, by the column `id` of each row. */
export type ValueLoader = (database: Database, ids: readonly number[]) => Promise<ReadonlyMap<number, string>>

/** A field of an entity. */
export interface EntityField {
  readonly type: FieldType
  readonly sql?: Sql
  readonly reading?: ColumnFormat
  /** True or absent if queries may filter by the field. */
  readonly queryable?: boolean
  /** True or absent if responses may contain the field. */
  readonly projectable?: boolean
  /** True if responses may contain paths of the field; for `queryable-json` only. */
  readonly paths?: boolean
  /** The shared table of the field's distinct values, and the column that refers to it. */
  readonly shared?: SharedValues
  /**
   * The strings of an array that is not stored in a column, as tables with the column `value`: `of`
   * has the strings of one row, `all` those of all rows.
   */
  readonly texts?: { readonly of: Sql; readonly all: Sql }
  /** The types of the path's parts. */
  readonly signature?: Sql
  /**
   * Loads a value that is not stored in any column, or that is faster to load than to compute in
   * SQL from the tables of a past state, which have no indexes. `id` is the key of the row.
   */
  readonly loaded?: { readonly id: Sql; readonly load: ValueLoader }
  /** Present if the field contains facts by name: the first part of a path then selects a fact's row. */
  readonly facts?: { readonly nodeId: Sql }
}

/** Distinct values that rows share. A condition is evaluated once for each distinct value. */
export interface SharedValues {
  /** The column in the entity's rows that refers to the shared value. */
  readonly column: Sql
  readonly table: string
  /** The value, as an expression on the table of shared values. */
  readonly sql: Sql
  /** True if the column may be NULL. */
  readonly nullable?: boolean
}

/** A relationship between two entities: names of fields with equal values. */
export interface EntityRelationship {
  readonly local: readonly string[]
  readonly foreign: readonly string[]
}

/** A joined table. It has exactly one row for each row of the entity, or at most one with `left join`. */
export interface Join {
  readonly table: string
  readonly sql: Sql
  /** The table whose columns the join uses; absent for the first table. */
  readonly by?: string
}

/** An entity that queries can select. */
export interface Entity {
  /** The name in error messages: `fact_nodes` for fact-contents. */
  readonly alias: string
  /** Fields in PuppetDB's order, which its error messages use. */
  readonly fields: Readonly<Record<string, EntityField>>
  readonly from: Sql
  /** The tables of `from`, present if a statement may omit the tables that it does not use. */
  readonly joins?: readonly Join[]
  readonly where?: Sql
  readonly distinct?: boolean
  readonly relationships: Readonly<Record<string, EntityRelationship>>
  /** Fields that can be queried by path. */
  readonly dotted: readonly string[]
  /** The kind of `latest_report?` condition that the entity supports. */
  readonly latestReport?: 'reports' | 'events'
  /** True if reports of plans are omitted unless a query mentions the type. */
  readonly hidesPlans?: boolean
}

/** The entities of a dialect, by their names with underscores. */
export type Entities = Readonly<Record<string, Entity>>

/** Builds an entity for a dialect. */
export type EntityFactory = (dialect: Dialect) => Entity

/** Names of the fields that queries may filter by, sorted. */
export function listQueryableFields({ fields }: Entity): string[] {
  return Object.keys(fields)
    .filter((name) => fields[name]!.queryable !== false)
    .sort()
}

/** Names of the fields that responses may contain, in order. */
export function listProjectableFields({ fields }: Entity): string[] {
  return Object.keys(fields).filter((name) => fields[name]!.projectable !== false)
}
