import { type ExactJson, getEntries, getMember, isExactObject } from '../../base/json/exact-json.ts'
import { splitJsonArray } from '../../base/json/json-rows.ts'
import { parseJson } from '../../base/json/json-text.ts'
import { toPrintableJson } from '../../base/text/printable.ts'
import type { Io } from '../command/command.ts'
import type { Option } from '../command/options.ts'
import { createTable, formatCell, type TextTable } from './text-table.ts'

/** Output format of rows. */
export const rowsFormat = {
  flags: '--render-as <format>',
  doc: 'Output format: table, json or csv.',
  choices: ['table', 'json', 'csv', 'text', 'console', 's'],
  default: 'table',
} as const satisfies Option

/** Writes rows in one format, batch by batch. */
interface Renderer {
  rows(texts: readonly string[]): void
  end(): void
}

/** Prints rows as they arrive, and returns their number. */
export async function renderRows(pieces: AsyncIterable<string>, format: string, io: Io): Promise<number> {
  const renderer =
    format === 'json' ? createJsonRenderer(io) : format === 'csv' ? createCsvRenderer(io) : createTableRenderer(io)
  const progress = createRowProgress(io)
  let count = 0
  try {
    for await (const texts of splitJsonArray(pieces)) {
      renderer.rows(texts)
      count += texts.length
      progress.at(count)
    }
  } finally {
    progress.clear()
  }
  renderer.end()
  return count
}

/** Writes a JSON array with a row on each line. */
function createJsonRenderer({ out, terminal }: Io): Renderer {
  let before = '[\n'
  return {
    rows(texts) {
      const lines = texts.map((text) => (terminal ? toPrintableJson(text) : text)).join(',\n')
      out(before + lines)
      before = ',\n'
    },
    end: () => out(before === '[\n' ? '[]\n' : '\n]\n'),
  }
}

/** Writes CSV (RFC 4180); the first line contains the column names. */
function createCsvRenderer({ out }: Io): Renderer {
  let names: readonly string[] | undefined
  return {
    rows(texts) {
      const rows = texts.map(parseJson)
      const lines: string[] = []
      if (!names) {
        names = listColumnNames(rows[0]!)
        lines.push(formatCsvLine(names))
      }
      for (const row of rows) lines.push(formatCsvLine(formatCells(row, names)))
      out(lines.join(''))
    },
    end() {},
  }
}

function formatCsvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => (/[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`
}

function createTableRenderer(io: Io): Renderer {
  let names: readonly string[] = []
  let table: TextTable | undefined
  return {
    rows(texts) {
      const rows = texts.map(parseJson)
      if (!table) {
        names = listColumnNames(rows[0]!)
        table = createTable(io, names)
      }
      table.add(rows.map((row) => formatCells(row, names)))
    },
    end() {
      if (table) table.end()
      else io.err('No rows.\n')
    },
  }
}

const listColumnNames = (row: ExactJson): readonly string[] =>
  isExactObject(row) ? Array.from(getEntries(row), ([name]) => name) : ['value']

const formatCells = (row: ExactJson, names: readonly string[]): readonly string[] =>
  isExactObject(row) ? names.map((name) => formatCell(getMember(row, name))) : [formatCell(row)]

const pauseMs = 500

/** Progress line with the number of rows, if standard error is a terminal and standard output is not. */
function createRowProgress({ err, terminal, errTerminal }: Io): { at(count: number): void; clear(): void } {
  if (terminal || !errTerminal) return { at() {}, clear() {} }
  let last = Date.now()
  let shown = false
  return {
    at(count) {
      if (Date.now() - last < pauseMs) return
      last = Date.now()
      shown = true
      err(`\r\u001b[K${count.toLocaleString('en-US')} rows`)
    },
    clear() {
      if (shown) err('\r\u001b[K')
    },
  }
}
