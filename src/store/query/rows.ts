import { isoText } from '../../base/utc-text.ts'
import type { Database } from '../database/database.ts'
import { identityText } from '../ingest/identity.ts'
import { decimalOf, quotientText, reckoned } from './decimal.ts'
import type { Sql } from './entity.ts'
import { subjectText } from './event-counts.ts'
import type { Column, Select } from './select.ts'

/** Rows that are read, and made to text, at once; of those with lists inside, such as catalogs, fewer. */
const [atOnce, largeAtOnce] = [200, 10]

type Values = Readonly<Record<string, unknown>>

/** A statement, and the shape of its rows. */
export interface Reading {
  readonly statement: Sql
  readonly select: Select | undefined
  readonly name: string
  readonly summarizeBy: string | undefined
}

/** The rows of a statement as texts of JSON, several at once. */
export async function* rowTexts(database: Database, reading: Reading): AsyncIterable<readonly string[]> {
  for await (const rows of database.stream<Values>(reading.statement, rowsAtOnce(reading.select))) {
    if (!reading.select) yield rows.map((row) => subjectText(row, reading.name, reading.summarizeBy))
    else yield await selectedTexts(database, reading.select.columns, rows, reading.name)
  }
}

function rowsAtOnce(select: Select | undefined): number {
  return select?.columns.some(({ loaded }) => loaded) ? largeAtOnce : atOnce
}

async function selectedTexts(
  database: Database,
  columns: readonly Column[],
  rows: readonly Values[],
  name: string,
): Promise<readonly string[]> {
  const loaded = new Map<number, ReadonlyMap<number, string>>()
  for (const [at, { loaded: source }] of columns.entries())
    if (source)
      loaded.set(
        at,
        await source.load(
          database,
          rows.map((row) => Number(row[`c${at}`])),
        ),
      )
  const isBare = name === 'fact_names'
  const members = (isBare ? columns.slice(0, 1) : columns).map((column, at) =>
    memberOf(column, at, loaded.get(at), isBare),
  )
  return rows.map((row) => {
    let text = ''
    for (const member of members) text += member(row)
    return isBare ? text : `{${text}}`
  })
}

/** Writes a column of a row: its name and its value, with a comma before all but the first; or the value alone. */
function memberOf(
  column: Column,
  at: number,
  loaded: ReadonlyMap<number, string> | undefined,
  isBare: boolean,
): (row: Values) => string {
  const key = `c${at}`
  const before = isBare ? '' : `${at === 0 ? '' : ','}${JSON.stringify(column.name)}:`
  const write = writerOf(column, `t${at}`)
  return (row) => {
    const value = row[key]
    const found = loaded?.get(Number(value))
    if (found !== undefined) return before + found
    return before + (value === null || value === undefined || column.loaded ? 'null' : write(value, row))
  }
}

/** Writes values of a column that are not null; `types` is the column with the types of a path. */
function writerOf({ reading, signature }: Column, types: string): (value: unknown, row: Values) => string {
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
      return (value, row) => (signature ? pathText(String(value), String(row[types])) : String(value))
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
