import { isoText } from '../../base/time/utc-text.ts'
import type { Database } from '../database/database.ts'
import { identityText } from '../ingest/identity.ts'
import { decimalOf, quotientText, reckoned } from './decimal.ts'
import type { Sql } from './entity.ts'
import { subjectText } from './event-counts.ts'
import type { Column, Select } from './select.ts'

/** Rows that are read, and made to text, at once; of those with lists inside, such as catalogs, fewer. */
const [atOnce, largeAtOnce] = [200, 10]

type Values = Readonly<Record<string, unknown>>
type List = readonly unknown[]

/** A statement, and the shape of its rows. */
export interface Reading {
  readonly statement: Sql
  readonly select: Select | undefined
  readonly name: string
  readonly summarizeBy: string | undefined
}

/** The rows of a statement as texts of JSON, several at once. */
export async function* rowTexts(database: Database, reading: Reading): AsyncIterable<readonly string[]> {
  const { statement, select, name, summarizeBy } = reading
  if (!select) {
    for await (const rows of database.stream<Values>(statement, atOnce))
      yield rows.map((row) => subjectText(row, name, summarizeBy))
    return
  }
  for await (const rows of database.lists(statement, rowsAtOnce(select)))
    yield await selectedTexts(database, select.columns, rows, name)
}

function rowsAtOnce(select: Select): number {
  return select.columns.some(({ loaded }) => loaded) ? largeAtOnce : atOnce
}

async function selectedTexts(
  database: Database,
  columns: readonly Column[],
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
  const types = signaturesOf(columns)
  const members = (isBare ? columns.slice(0, 1) : columns).map((column, at) =>
    memberOf(column, { at, types: types.get(column), loaded: loaded.get(at), isBare }),
  )
  return rows.map((row) => {
    let text = ''
    for (const member of members) text += member(row)
    return isBare ? text : `{${text}}`
  })
}

/** Places of the types of paths in a row: behind all columns. */
function signaturesOf(columns: readonly Column[]): ReadonlyMap<Column, number> {
  const typed = columns.filter(({ signature }) => signature)
  return new Map(typed.map((column, at) => [column, columns.length + at]))
}

/** A column's places in a row. */
interface Place {
  readonly at: number
  /** The place of the types of a path. */
  readonly types: number | undefined
  readonly loaded: ReadonlyMap<number, string> | undefined
  readonly isBare: boolean
}

/** Writes a column of a row: its name and its value, with a comma before all but the first; or the value alone. */
function memberOf(column: Column, { at, types, loaded, isBare }: Place): (row: List) => string {
  const before = isBare ? '' : `${at === 0 ? '' : ','}${JSON.stringify(column.name)}:`
  const write = writerOf(column, types)
  return (row) => {
    const value = row[at]
    const found = loaded?.get(Number(value))
    if (found !== undefined) return before + found
    return before + (value === null || value === undefined || column.loaded ? 'null' : write(value, row))
  }
}

/** Writes values of a column that are not null; `types` is the place of the types of a path. */
function writerOf({ reading }: Column, types: number | undefined): (value: unknown, row: List) => string {
  switch (reading) {
    case 'boolean':
      return (value) => String(Boolean(value))
    case 'time':
      return (value) => `"${isoText(Number(value))}"`
    case 'sum':
    case 'avg':
    case 'min':
    case 'max':
      return (value) => reckoned(reading, numbersIn(String(value))) ?? 'null'
    case 'quotient':
      return (value) => {
        const [sum = '', count] = String(value).split('/')
        return quotientText(decimalOf(sum), Number(count))
      }
    case 'number':
    case 'json':
      return String
    case 'typed-path':
      return (value, row) => (types === undefined ? String(value) : pathText(String(value), String(row[types])))
    default:
      return (value) => (typeof value === 'string' ? quoted(value) : String(value))
  }
}

/** Text that JSON writes unescaped: most of it. */
const plain = /^[ !#-[\]-~]*$/

function quoted(text: string): string {
  return plain.test(text) ? `"${text}"` : JSON.stringify(text)
}

function numbersIn(array: string): readonly string[] {
  const inside = array.slice(1, -1)
  return inside === '' ? [] : inside.split(',')
}

/** A path in which indexes are numbers. */
function pathText(path: string, types: string): string {
  const parts = JSON.parse(path) as string[]
  return identityText(parts.map((part, at) => (types[at] === 'i' ? Number(part) : part)))
}
