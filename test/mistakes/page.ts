import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'

/** A typical mistake, and what is said of it. */
export interface Mistake {
  /** What somebody did, in a few words. */
  readonly mistake: string
  readonly plumbline: string
  readonly hint?: string | undefined
  /** Empty where Puppet says nothing. */
  readonly puppet: string
  /** Why ours says something else, where it does. */
  readonly because?: string | undefined
}

/** The parts of the page, in order, with their titles; each is written by one test, and is there once it has rows. */
const parts = {
  names: 'Names',
  values: 'Values',
  syntax: 'Syntax',
  data: 'Data',
  templates: 'Templates and files',
  catalog: 'The catalog',
  environments: 'Environments',
  certificates: 'Certificates',
  connections: 'Connections: names, ports, TLS',
  machine: 'The machine: clock, permissions, disk',
} as const

export type Part = keyof typeof parts

const path = join(import.meta.dirname, '../../docs/mistakes.md')
const firstPart = '\n## '

/**
 * Expects that a part of docs/mistakes.md has these rows, and that none is worse than Puppet's: its sentence is in ours, or
 * there is a reason. `UPDATE=1` writes the part.
 */
export function expectOnPage(part: Part, rows: readonly Mistake[]): void {
  for (const { mistake, plumbline, puppet, because } of rows)
    if (because === undefined) expect(plumbline, mistake).toContain(puppet)
  const text = tableOf(rows)
  if (process.env.UPDATE) writePart(part, text)
  expect(tablesIn(readFileSync(path, 'utf8')).get(part)).toBe(text)
}

function writePart(part: Part, text: string): void {
  const page = readFileSync(path, 'utf8')
  const tables = new Map(tablesIn(page)).set(part, text)
  const [introduction] = page.split(firstPart, 1)
  const written = Object.entries(parts).flatMap(([name, title]) => {
    const table = tables.get(name)
    return table === undefined ? [] : [`${firstPart}${title}\n\n<!-- ${name} -->\n${table}<!-- end of ${name} -->\n`]
  })
  writeFileSync(path, `${introduction!.trimEnd()}\n${written.join('')}`)
}

function tablesIn(page: string): ReadonlyMap<string, string> {
  const found = page.matchAll(/^<!-- (\w+) -->\n([\s\S]*?)^<!-- end of \1 -->$/gm)
  return new Map(Array.from(found, ([, name, table]) => [name!, table!]))
}

function tableOf(rows: readonly Mistake[]): string {
  const lines = ['| mistake | Plumbline | real Puppet |', '|---|---|---|', ...rows.map(rowOf)]
  return `\n${lines.join('\n')}\n\n`
}

function rowOf({ mistake, plumbline, hint, puppet, because }: Mistake): string {
  const ours = hint === undefined ? verbatim(plumbline) : `${verbatim(plumbline)}<br>hint: ${verbatim(hint)}`
  const theirs = puppet === '' ? 'nothing' : puppet === plumbline ? 'the same' : verbatim(puppet)
  return `| ${mistake} | ${ours} | ${because === undefined ? theirs : `${theirs}<br>${because}`} |`
}

/** Text as it is, in a cell of a table. */
function verbatim(text: string): string {
  return text
    .split('\n')
    .map((line) => {
      const escaped = line.replaceAll('|', '\\|')
      return line === '' ? '' : line.includes('`') ? `\`\` ${escaped} \`\`` : `\`${escaped}\``
    })
    .join('<br>')
}
