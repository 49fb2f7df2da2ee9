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
  return rows.map((row) => {
    const members = columns.map((column, at) => {
      const text = loaded.get(at)?.get(Number(row[`c${at}`])) ?? valueText(column, row, at)
      return `${JSON.stringify(column.name)}:${text}`
    })
    return name === 'fact_names' ? valueText(columns[0]!, row, 0) : `{${members.join(',')}}`
  })
}

function valueText({ reading, loaded, signature }: Column, row: Values, at: number): string {
  const value = row[`c${at}`]
  if (value === null || value === undefined || loaded) return 'null'
  switch (reading) {
    case 'boolean':
      return String(Boolean(value))
    case 'time':
      return JSON.stringify(new Date(Number(value)).toISOString())
    case 'sum':
    case 'avg':
    case 'min':
    case 'max':
      return reckoned(reading, numbersIn(String(value))) ?? 'null'
    case 'quotient': {
      const [sum = '', count] = String(value).split('/')
      return quotientText(decimalOf(sum), Number(count))
    }
    case 'number':
    case 'json':
      return String(value)
    case 'typed-path':
      return signature ? pathText(String(value), String(row[`t${at}`])) : String(value)
    default:
      return typeof value === 'string' ? JSON.stringify(value) : String(value)
  }
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
