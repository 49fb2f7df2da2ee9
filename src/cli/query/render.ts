import { type ExactJson, entriesOf, isExactObject, memberOf } from '../../base/json/exact-json.ts'
import { jsonRows } from '../../base/json/json-rows.ts'
import { parseJson } from '../../base/json/json-text.ts'
import { printableJson } from '../../base/text/printable.ts'
import type { Io } from '../command/command.ts'
import type { Option } from '../command/options.ts'
import { cellOf, type Table, tableTo } from './table.ts'

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
  const renderer = format === 'json' ? jsonTo(io) : format === 'csv' ? csvTo(io) : tableOf(io)
  const progress = progressTo(io)
  let count = 0
  try {
    for await (const texts of jsonRows(pieces)) {
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

/** A JSON array with a row on each line. */
function jsonTo({ out, terminal }: Io): Renderer {
  let before = '[\n'
  return {
    rows(texts) {
      const lines = texts.map((text) => (terminal ? printableJson(text) : text)).join(',\n')
      out(before + lines)
      before = ',\n'
    },
    end: () => out(before === '[\n' ? '[]\n' : '\n]\n'),
  }
}

/** RFC 4180; the first row names the columns. */
function csvTo({ out }: Io): Renderer {
  let names: readonly string[] | undefined
  return {
    rows(texts) {
      const rows = texts.map(parseJson)
      const lines: string[] = []
      if (!names) {
        names = namesIn(rows[0]!)
        lines.push(csvLine(names))
      }
      for (const row of rows) lines.push(csvLine(cellsOf(row, names)))
      out(lines.join(''))
    },
    end() {},
  }
}

function csvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => (/[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`
}

function tableOf(io: Io): Renderer {
  let names: readonly string[] = []
  let table: Table | undefined
  return {
    rows(texts) {
      const rows = texts.map(parseJson)
      if (!table) {
        names = namesIn(rows[0]!)
        table = tableTo(io, names)
      }
      table.add(rows.map((row) => cellsOf(row, names)))
    },
    end() {
      if (table) table.end()
      else io.err('No rows.\n')
    },
  }
}

const namesIn = (row: ExactJson): readonly string[] =>
  isExactObject(row) ? Array.from(entriesOf(row), ([name]) => name) : ['value']

const cellsOf = (row: ExactJson, names: readonly string[]): readonly string[] =>
  isExactObject(row) ? names.map((name) => cellOf(memberOf(row, name))) : [cellOf(row)]

const pauseMs = 500

/** Progress line with the number of rows, if standard error is a terminal and standard output is not. */
function progressTo({ err, terminal, errTerminal }: Io): { at(count: number): void; clear(): void } {
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
