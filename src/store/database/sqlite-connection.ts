import { createRequire } from 'node:module'

/** A value that SQLite can store. */
export type SqliteValue = null | number | bigint | string | Uint8Array

/** A synchronous connection to an SQLite file, for a thread that may block. */
export interface SqliteConnection {
  all(sql: string, parameters: readonly unknown[]): readonly Record<string, unknown>[]
  iterate(sql: string, parameters: readonly unknown[]): Iterable<Record<string, unknown>>
  /**
   * Returns rows as lists, in the order of the columns. The column names must be distinct. This
   * costs half as much as rows as objects.
   */
  lists(sql: string, parameters: readonly unknown[]): Iterable<readonly unknown[]>
  /** Runs a statement and returns the number of changed rows. */
  run(sql: string, parameters: readonly unknown[]): number
  /** Runs statements without parameters. */
  exec(sql: string): void
  close(): void
}

/** The common interface of the two drivers' statements. */
interface DriverStatement {
  all(...parameters: unknown[]): unknown[]
  iterate(...parameters: unknown[]): Iterable<unknown>
  /** Makes the statement return rows as lists: `raw` in libsql, `setReturnArrays` in Node 22.16 and newer. */
  raw?(isRaw: boolean): unknown
  setReturnArrays?(isRaw: boolean): void
  run(...parameters: unknown[]): { readonly changes: number | bigint }
}

interface Driver {
  prepare(sql: string): DriverStatement
  exec(sql: string): unknown
  close(): void
}

const requireHere = createRequire(import.meta.url)

/** Milliseconds to wait for another process that is writing. */
export const busyMs = 5000

/** Maximum number of cached prepared statements. */
const mostPrepared = 300

/**
 * Opens a file with Node's SQLite (22.13 and newer); on Node 20, with libsql, which is prebuilt.
 * Values are checked before they are bound, because libsql ends the process if a value is a boolean
 * or a Date.
 */
export function openConnection(file: string, { readOnly = false } = {}): SqliteConnection {
  const { driver, bind } = openDriver(file)
  const prepared = new Map<string, DriverStatement>()
  const prepareStatement = (sql: string) => {
    const known = prepared.get(sql)
    if (known) return known
    if (prepared.size >= mostPrepared) prepared.delete(prepared.keys().next().value!)
    const made = driver.prepare(sql)
    prepared.set(sql, made)
    return made
  }
  driver.exec(`pragma busy_timeout = ${busyMs}`)
  if (readOnly) driver.exec('pragma query_only = on')
  return {
    all: (sql, parameters) => prepareStatement(sql).all(...bind(parameters)) as Record<string, unknown>[],
    iterate: (sql, parameters) => driver.prepare(sql).iterate(...bind(parameters)) as Iterable<Record<string, unknown>>,
    lists: (sql, parameters) => enableListRows(driver.prepare(sql)).iterate(...bind(parameters)) as Iterable<unknown[]>,
    run: (sql, parameters) => Number(prepareStatement(sql).run(...bind(parameters)).changes),
    exec: (sql) => void driver.exec(sql),
    close: () => driver.close(),
  }
}

function enableListRows(statement: DriverStatement): Pick<DriverStatement, 'iterate'> {
  if (statement.raw) statement.raw(true)
  else if (statement.setReturnArrays) statement.setReturnArrays(true)
  else return { iterate: (...parameters) => toLists(statement.iterate(...parameters)) }
  return statement
}

function* toLists(rows: Iterable<unknown>): Iterable<unknown[]> {
  for (const row of rows) yield Object.values(row as Record<string, unknown>)
}

function openDriver(file: string): { driver: Driver; bind(parameters: readonly unknown[]): unknown[] } {
  const own = loadBuiltInSqlite()
  if (own) return { driver: new own.DatabaseSync(file) as unknown as Driver, bind: (given) => given.map(bindValue) }
  const Libsql = requireHere('libsql') as typeof import('libsql')
  // Pass one array: libsql misinterprets a single spread value.
  return { driver: new Libsql(file), bind: (given) => [given.map(bindValue)] }
}

function loadBuiltInSqlite(): { DatabaseSync: new (file: string) => unknown } | undefined {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major < 22 || (major === 22 && minor < 13)) return undefined
  return requireHere('node:sqlite') as { DatabaseSync: new (file: string) => unknown }
}

function bindValue(given: unknown): SqliteValue {
  if (given === null || typeof given === 'string' || typeof given === 'bigint') return given
  if (typeof given === 'boolean') return given ? 1 : 0
  if (typeof given === 'number' && Number.isFinite(given)) return given
  if (given instanceof Uint8Array) return given
  throw new TypeError(`SQLite cannot store a value of type ${typeof given}`)
}
