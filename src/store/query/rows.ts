import { formatIsoTimestamp } from '../../base/time/utc-text.ts'
import type { Database } from '../database/database.ts'
import { formatIdentity } from '../ingest/identity.ts'
import { computeAggregate, formatQuotient, parseDecimal } from './decimal.ts'
import type { Sql } from './entity.ts'
import { formatSubject } from './event-counts.ts'
import type { Select, SelectColumn } from './select.ts'

/** Number of rows that are read and formatted at once; it is lower for rows with lists, such as catalogs. */
const [atOnce, largeAtOnce] = [200, 10]

type Values = Readonly<Record<string, unknown>>
type List = readonly unknown[]

/** A statement and the shape of its rows. */
export interface RowStatement {
  readonly statement: Sql
  readonly select: Select | undefined
  readonly name: string
  readonly summarizeBy: string | undefined
}

/** Formats the rows of a statement as JSON, in batches. */
export async function* formatRows(database: Database, reading: RowStatement): AsyncIterable<readonly string[]> {
  const { statement, select, name, summarizeBy } = reading
  if (!select) {
    for await (const rows of database.stream<Values>(statement, atOnce))
      yield rows.map((row) => formatSubject(row, name, summarizeBy))
    return
  }
  for await (const rows of database.lists(statement, getBatchSize(select)))
    yield await formatSelectedRows(database, select.columns, rows, name)
}

function getBatchSize(select: Select): number {
  return select.columns.some(({ loaded }) => loaded) ? largeAtOnce : atOnce
}

async function formatSelectedRows(
  database: Database,
  columns: readonly SelectColumn[],
  rows: readonly List[],
  name: string,
): Promise<readonly string[]> {
  const loaded = new Map<number, ReadonlyMap<number, string>>()
  for (const [at, { loaded: source }] of columns.entries())
    if (source)
      loaded.set(
        at,
        await source.load(
          database,
          rows.map((row) => Number(row[at])),
        ),
      )
  const isBare = name === 'fact_names'
  const types = findSignatureColumns(columns)
  const members = (isBare ? columns.slice(0, 1) : columns).map((column, at) =>
    createMemberFormatter(column, { at, types: types.get(column), loaded: loaded.get(at), isBare }),
  )
  return rows.map((row) => {
    let text = ''
    for (const member of members) text += member(row)
    return isBare ? text : `{${text}}`
  })
}

/** Indexes in a row of the columns with path types, which follow all other columns. */
function findSignatureColumns(columns: readonly SelectColumn[]): ReadonlyMap<SelectColumn, number> {
  const typed = columns.filter(({ signature }) => signature)
  return new Map(typed.map((column, at) => [column, columns.length + at]))
}

/** The indexes of a column in a row. */
interface Place {
  readonly at: number
  /** Index of the column with the types of the path's parts. */
  readonly types: number | undefined
  readonly loaded: ReadonlyMap<number, string> | undefined
  readonly isBare: boolean
}

/**
 * Returns a function that formats a column of a row: either name and value, preceded by a comma
 * except for the first column; or the value alone.
 */
function createMemberFormatter(column: SelectColumn, { at, types, loaded, isBare }: Place): (row: List) => string {
  const before = isBare ? '' : `${at === 0 ? '' : ','}${JSON.stringify(column.name)}:`
  const write = createValueFormatter(column, types)
  return (row) => {
    const value = row[at]
    const found = loaded?.get(Number(value))
    if (found !== undefined) return before + found
    return before + (value === null || value === undefined || column.loaded ? 'null' : write(value, row))
  }
}

/**
 * Returns a function that formats the non-null values of a column; `types` is the index of the
 * column with the types of a path's parts.
 */
function createValueFormatter(
  { reading }: SelectColumn,
  types: number | undefined,
): (value: unknown, row: List) => string {
  switch (reading) {
    case 'boolean':
      return (value) => String(Boolean(value))
    case 'time':
      return (value) => `"${formatIsoTimestamp(Number(value))}"`
    case 'sum':
    case 'avg':
    case 'min':
    case 'max':
      return (value) => computeAggregate(reading, parseNumberArray(String(value))) ?? 'null'
    case 'quotient':
      return (value) => {
        const [sum = '', count] = String(value).split('/')
        return formatQuotient(parseDecimal(sum), Number(count))
      }
    case 'number':
    case 'json':
      return String
    case 'typed-path':
      return (value, row) => (types === undefined ? String(value) : formatPath(String(value), String(row[types])))
    default:
      return (value) => (typeof value === 'string' ? quoteText(value) : String(value))
  }
}

/** Text that needs no escapes in JSON; most texts match. */
const plain = /^[ !#-[\]-~]*$/

function quoteText(text: string): string {
  return plain.test(text) ? `"${text}"` : JSON.stringify(text)
}

function parseNumberArray(array: string): readonly string[] {
  const inside = array.slice(1, -1)
  return inside === '' ? [] : inside.split(',')
}

/** Formats a path; array indexes become numbers. */
function formatPath(path: string, types: string): string {
  const parts = JSON.parse(path) as string[]
  return formatIdentity(parts.map((part, at) => (types[at] === 'i' ? Number(part) : part)))
}
