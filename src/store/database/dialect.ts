import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely'
import { budgets } from '../../base/budgets/budgets.ts'
import { defineIssues, throwIssue } from '../../base/issue.ts'

const databaseIssues = defineIssues({
  NUL_CHARACTER: { text: (_: object) => 'invalid byte sequence for encoding "UTF8": 0x00' },
  TOO_MANY_VALUES: { text: (a: { most: number }) => `the SQL statement of the query exceeds ${a.most} values` },
})

const { queryParameters } = budgets.query

/** The type of a column, for rows that are passed to a query. JSON is passed as text. */
export type ColumnType = 'integer' | 'text' | 'json' | 'boolean'

/** SQL fragments that differ between the two databases. */
export interface Dialect {
  readonly name: 'sqlite' | 'postgresql'
  /** Column types. */
  readonly types: {
    readonly id: string
    /** Type of an id column whose ids are never reused, even if the newest row is deleted. */
    readonly lastingId: string
    readonly json: string
    readonly bytes: string
    readonly boolean: string
  }
  /** Suffix of a `create table` statement that orders the table by its primary key. */
  readonly ordered: string
  /** Compiles a query to its SQL text and parameters. */
  compile(query: Sql): { readonly sql: string; readonly parameters: readonly unknown[] }
  /** A table that consists of the given rows, which are passed as one JSON text: an array of arrays. */
  rows(columns: Readonly<Record<string, ColumnType>>, rows: readonly (readonly unknown[])[]): Sql
  /** A table with one text column, `value`. */
  texts(values: readonly string[]): Sql
  /** A table with one integer column, `value`. */
  integers(values: readonly number[]): Sql
  /** JSON at a path of keys and indexes; NULL if absent. */
  jsonAt(json: Sql, path: readonly (string | number)[]): Sql
  /** Converts JSON to its text. */
  jsonText(json: Sql): Sql
  /** The name of the JSON type, as returned by PostgreSQL's `jsonb_typeof`. */
  typeOf(json: Sql): Sql
  /** Converts JSON to text; a string without its quotes. */
  scalarText(json: Sql): Sql
  /** Converts text to a JSON string. */
  textAsJson(text: Sql): Sql
  /** The value of a JSON number; NULL for any other type. */
  numberOf(json: Sql): Sql
  /** True if JSON is equal to the given JSON text, which must have sorted keys. */
  jsonEquals(json: Sql, text: string): Sql
  /**
   * Sort keys for JSON: values are ordered by type first, as PostgreSQL orders `jsonb`. In SQLite,
   * arrays and objects of equal length are ordered by their text.
   */
  jsonOrder(json: Sql): readonly Sql[]
  jsonLength(json: Sql): Sql
  /** The integer at an index of an array. */
  integerAt(json: Sql, index: number): Sql
  /** The elements of a JSON array, as a table with the column `value`. */
  elements(json: Sql): Sql
  /** The members of a JSON object, as a table with the column `key`. */
  members(json: Sql): Sql
  /** The JSON text of a member's value, in a table of members. */
  memberText(alias: string): Sql
  /** The elements of a JSON array of strings, as a table with the column `value`. */
  textElements(json: Sql): Sql
  /**
   * Aggregate that builds a JSON object from names and JSON values, ordered by name, so that equal
   * objects have equal text.
   */
  jsonObject(name: Sql, value: Sql): Sql
  /** Aggregate that builds a JSON array of pairs of texts. */
  jsonPairs(first: Sql, second: Sql): Sql
  /** A statement that deletes at most `limit` rows of a table without a primary key. */
  removeSome(table: string, where: Sql, limit: number): Sql
}

/** A fragment of SQL. */
export type Sql = RawBuilder<unknown>

/** Follows one step into JSON. SQLite has no path syntax for a key that contains a quote, a backslash or a NUL. */
function buildSqliteStep(json: Sql, step: string | number): Sql {
  if (typeof step === 'number') return sql`(${json} -> ${sql.lit(`$[${step}]`)})`
  if (!/["\\\0]/.test(step)) return sql`(${json} -> ${`$."${step}"`})`
  return sql`(select ${json} -> fullkey from json_each(${json}) where key = ${step})`
}

function createCompiler(dialect: 'sqlite' | 'postgresql') {
  const [adapter, compiler, introspector] =
    dialect === 'sqlite'
      ? ([SqliteAdapter, SqliteQueryCompiler, SqliteIntrospector] as const)
      : ([PostgresAdapter, PostgresQueryCompiler, PostgresIntrospector] as const)
  const kysely = new Kysely<unknown>({
    dialect: {
      createAdapter: () => new adapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (database) => new introspector(database),
      createQueryCompiler: () => new compiler(),
    },
  })
  return (query: Sql) => {
    const compiled = query.compile(kysely)
    const { length } = compiled.parameters
    // A NUL would end the statement's text in the protocol message.
    if (dialect === 'postgresql' && compiled.sql.includes('\0')) throwIssue(databaseIssues.NUL_CHARACTER, {})
    if (length > queryParameters.bound) throwIssue(databaseIssues.TOO_MANY_VALUES, { most: queryParameters.bound })
    return compiled
  }
}

/** A quoted column name. */
const quoteColumn = (name: string) => sql.id(name)

/** SQLite 3.44 and newer. */
export const sqlite: Dialect = {
  name: 'sqlite',
  types: {
    id: 'integer primary key',
    lastingId: 'integer primary key autoincrement',
    json: 'text',
    bytes: 'blob',
    boolean: 'integer',
  },
  ordered: 'without rowid',
  compile: createCompiler('sqlite'),
  rows: (columns, rows) => {
    const parts = Object.keys(columns).map(
      (name, at) => sql`json_extract(value, ${sql.lit(`$[${at}]`)}) as ${quoteColumn(name)}`,
    )
    return sql`(select ${sql.join(parts)} from json_each(${JSON.stringify(rows)}))`
  },
  texts: (values) => sql`json_each(${JSON.stringify(values)})`,
  integers: (values) => sql`json_each(${JSON.stringify(values)})`,
  jsonAt: (json, path) => path.reduce<Sql>(buildSqliteStep, json),
  jsonText: (json) => json,
  typeOf: (json) =>
    sql`case json_type(${json}) when 'text' then 'string' when 'real' then 'number' when 'integer' then 'number'
      when 'true' then 'boolean' when 'false' then 'boolean' else json_type(${json}) end`,
  scalarText: (json) =>
    sql`case json_type(${json}) when 'text' then json_extract(${json}, '$') when 'null' then null else ${json} end`,
  textAsJson: (text) => sql`json_quote(cast(${text} as text))`,
  numberOf: (json) => sql`case when json_type(${json}) in ('integer', 'real') then json_extract(${json}, '$') end`,
  jsonEquals: (json, text) => sql`${json} = ${text}`,
  jsonOrder: (json) => [
    sql`case json_type(${json}) when 'null' then 0 when 'text' then 1 when 'integer' then 2 when 'real' then 2
      when 'array' then 4 when 'object' then 5 else 3 end`,
    sql`case json_type(${json}) when 'array' then json_array_length(${json})
      when 'object' then (select count(*) from json_each(${json}))
      when 'integer' then json_extract(${json}, '$') when 'real' then json_extract(${json}, '$') else 0 end`,
    sql`case json_type(${json}) when 'text' then json_extract(${json}, '$') when 'integer' then '' when 'real' then ''
      else ${json} end`,
  ],
  jsonLength: (json) => sql`json_array_length(${json})`,
  integerAt: (json, index) => sql`json_extract(${json}, ${sql.lit(`$[${index}]`)})`,
  elements: (json) => sql`json_each(${json})`,
  members: (json) => sql`json_each(${json})`,
  memberText: (alias) => {
    const quoteColumn = (name: string) => sql.ref(`${alias}.${name}`)
    return sql`case ${quoteColumn('type')} when 'text' then json_quote(${quoteColumn('value')}) when 'true' then 'true'
      when 'false' then 'false' when 'null' then 'null' else cast(${quoteColumn('value')} as text) end`
  },
  textElements: (json) => sql`json_each(${json})`,
  jsonObject: (name, value) => sql`json_group_object(${name}, json(${value}) order by ${name})`,
  jsonPairs: (first, second) => sql`json_group_array(json_array(${first}, ${second}))`,
  removeSome: (table, where, limit) =>
    sql`delete from ${sql.table(table)}
      where rowid in (select rowid from ${sql.table(table)} where ${where} limit ${limit})`,
}

const postgresTypes: Readonly<Record<ColumnType, string>> = {
  integer: 'bigint',
  text: 'text',
  json: 'jsonb',
  boolean: 'boolean',
}

/** PostgreSQL 13 and newer. */
export const postgresql: Dialect = {
  name: 'postgresql',
  types: {
    id: 'bigint generated by default as identity primary key',
    lastingId: 'bigint generated by default as identity primary key',
    json: 'jsonb',
    bytes: 'bytea',
    boolean: 'boolean',
  },
  ordered: '',
  compile: createCompiler('postgresql'),
  rows: (columns, rows) => {
    const parts = Object.entries(columns).map(
      ([name, type], at) => sql`(value ->> ${sql.lit(at)})::${sql.raw(postgresTypes[type])} as ${quoteColumn(name)}`,
    )
    return sql`(select ${sql.join(parts)} from json_array_elements(${JSON.stringify(rows)}::json)) as handed`
  },
  texts: (values) => sql`(select value from json_array_elements_text(${JSON.stringify(values)}::json)) as handed`,
  integers: (values) =>
    sql`(select value::bigint as value from json_array_elements_text(${JSON.stringify(values)}::json)) as handed`,
  jsonAt: (json, path) => path.reduce<Sql>((inside, step) => sql`(${inside} -> ${sql.lit(step)})`, json),
  jsonText: (json) => sql`(${json})::text`,
  typeOf: (json) => sql`jsonb_typeof(${json})`,
  scalarText: (json) => sql`(${json} #>> '{}')`,
  textAsJson: (text) => sql`to_jsonb((${text})::text)`,
  numberOf: (json) => sql`case when jsonb_typeof(${json}) = 'number' then (${json})::numeric end`,
  jsonEquals: (json, text) => sql`${json} = ${text}::jsonb`,
  jsonOrder: (json) => [json],
  jsonLength: (json) => sql`jsonb_array_length(${json})`,
  integerAt: (json, index) => sql`(${json} ->> ${sql.lit(index)})::bigint`,
  elements: (json) => sql`jsonb_array_elements(${json})`,
  members: (json) => sql`jsonb_each(${json})`,
  memberText: (alias) => sql`(${sql.ref(`${alias}.value`)})::text`,
  textElements: (json) => sql`jsonb_array_elements_text(${json})`,
  jsonObject: (name, value) => sql`json_object_agg(${name}, ${value} order by ${name})::text`,
  jsonPairs: (first, second) => sql`json_agg(json_build_array(${first}, ${second}))::text`,
  removeSome: (table, where, limit) =>
    sql`delete from ${sql.table(table)}
      where ctid = any(array(select ctid from ${sql.table(table)} where ${where} limit ${limit}))`,
}
