import type { ExactJson } from '../../base/json/exact-json.ts'
import { formatExactJson } from '../../base/json/json-text.ts'
import { toPrintable } from '../../base/text/printable.ts'
import type { Io } from '../command/command.ts'

const narrowest = 6
const gap = 2

/** Formats a table cell: strings unchanged, null as an empty text, other values as JSON. */
export function formatCell(value: ExactJson | undefined): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : formatExactJson(value)
}

/**
 * A table that is printed as its rows arrive. The first rows determine the widths of the columns, and the terminal limits
 * their sum; longer cells are truncated.
 */
export interface TextTable {
  add(rows: readonly (readonly string[])[]): void
  end(): void
}

/** Number of rows that determine the column widths. */
const measured = 500

/** Creates a table with these columns. */
export function createTable(io: Pick<Io, 'out' | 'color' | 'columns'>, names: readonly string[]): TextTable {
  let waiting: (readonly string[])[] = []
  let widths: readonly number[] | undefined
  const writeRows = (rows: readonly (readonly string[])[]) => {
    if (rows.length > 0) io.out(rows.map((row) => `${formatLine(row, widths!)}\n`).join(''))
  }
  const writeHeader = () => {
    widths = computeColumnWidths(names, waiting, io.columns)
    const head = formatLine(names, widths)
    io.out(io.color ? `\u001b[1;36m${head}\u001b[0m\n` : `${head}\n`)
    writeRows(waiting)
    waiting = []
  }
  return {
    add(rows) {
      const shown = rows.map((row) => row.map(toPrintable))
      if (widths) return writeRows(shown)
      for (const row of shown) waiting.push(row)
      if (waiting.length >= measured) writeHeader()
    },
    end: () => (widths ? undefined : writeHeader()),
  }
}

/** Column widths: the longest cells, and on a terminal the widest columns narrowed until all fit. */
function computeColumnWidths(
  names: readonly string[],
  rows: readonly (readonly string[])[],
  columns = 0,
): readonly number[] {
  const widths = names.map((name, at) =>
    rows.reduce((most, row) => Math.max(most, countCodePoints(row[at] ?? '')), countCodePoints(name)),
  )
  if (columns === 0) return widths
  const room = columns - gap * (names.length - 1)
  for (let over = sumNumbers(widths) - room; over > 0; over = sumNumbers(widths) - room) {
    const widest = Math.max(...widths)
    if (widest <= narrowest) break
    const next = Math.max(narrowest, ...widths.filter((width) => width < widest))
    const many = widths.filter((width) => width === widest).length
    const less = Math.max(1, Math.min(widest - next, Math.ceil(over / many)))
    for (const [at, width] of widths.entries()) if (width === widest) widths[at] = width - less
  }
  return widths
}

const sumNumbers = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0)

/** Returns the number of code points in a text. */
const countCodePoints = (text: string): number => {
  let count = 0
  for (const _ of text) count++
  return count
}

function formatLine(cells: readonly string[], widths: readonly number[]): string {
  return widths
    .map((width, at) => padCell(cells[at] ?? '', width))
    .join(' '.repeat(gap))
    .trimEnd()
}

function padCell(text: string, width: number): string {
  const long = countCodePoints(text)
  if (long <= width) return text + ' '.repeat(width - long)
  return `${[...text].slice(0, width - 1).join('')}…`
}
