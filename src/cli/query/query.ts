import { readFileSync } from 'node:fs'
import { defineIssues, fail, PuppetError } from '../../base/issue.ts'
import { didYouMean } from '../../base/text/suggest.ts'
import { reasonText } from '../../language/ruby-semantics/errno.ts'
import { defineCommand, type Io } from '../command/command.ts'
import type { Option, OptionValues } from '../command/options.ts'
import { readAll } from '../input/language-files.ts'
import { askOptions, withStore } from './asked.ts'
import { renderRows, rowsFormat } from './render.ts'

const issues = defineIssues({
  NO_QUERY: {
    text: () => 'There is no query',
    hint: () => `Give one, such as 'nodes { certname ~ "^web" }', a file with --file, or - for standard input.`,
  },
  QUERY_FILE: { text: (a: { file: string; why: string }) => `Could not read ${a.file}: ${a.why}` },
  QUERY_NUMBER: {
    text: (a: { option: string; value: string }) => `${a.option} takes a number, not '${a.value}'`,
  },
  QUERY_ORDER: {
    text: (a: { text: string }) => `Invalid order '${a.text}'`,
    hint: () => 'It takes fields with commas between, each with :desc behind it if it is to descend.',
  },
})

/** Entities of PQL. */
const entities = [
  ...['nodes', 'facts', 'factsets', 'fact_contents', 'fact_paths', 'inventory', 'resources', 'catalogs', 'edges'],
  ...['reports', 'events', 'environments', 'packages', 'package_inventory', 'catalog_history', 'node_history'],
]

const options = [
  { flags: '-f, --file <file>', doc: 'A file that holds the query.' },
  { flags: '--limit <number>', doc: 'At most so many rows.' },
  { flags: '--offset <number>', doc: 'Without so many rows at the beginning.' },
  { flags: '--order-by <fields>', doc: 'In this order: certname, or producer_timestamp:desc,certname.' },
  { flags: '--as-of <moment>', doc: 'The answer of then: a time, or a code_id for what each node last had of it.' },
  ...askOptions,
  rowsFormat,
] as const satisfies readonly Option[]

/** `plumb query` */
export const query = defineCommand({
  name: 'query',
  summary: 'Query the store, in the query language of PuppetDB.',
  description: `Prints the rows of a query in PQL, or in PuppetDB's AST as JSON. The name of an entity alone asks for all of it.

The store is the one that the settings name, read on this machine beside a running server or without one; with --server
it is the one behind that server (or a PuppetDB), which is shown this host's certificate, or a token.

A table is as wide as the terminal, what does not fit is cut; json has a row on each line, csv the names of the
columns on the first. Rows are printed while they come. The exit status is 0, 1 when the query is wrong or cannot be
answered, and 2 when it has no rows.

  plumb query nodes
  plumb query 'resources[certname, title] { type = "Service" and parameters.ensure = "stopped" }'
  plumb query 'inventory[certname, facts.os.release.full] { facts.os.name = "Debian" }' --render-as csv
  plumb query '["from", "facts", ["=", "name", "kernel"]]' --order-by certname --limit 10
  plumb query 'resources { certname = "web1.example.com" }' --as-of 2026-11-20T06:00Z
  plumb query nodes --server puppet.example.com --token-file ~/.plumb/token --render-as json`,
  usage: '[query]',
  options,
  async run(invocation) {
    const { args, options: asked, io } = invocation
    const text = textOf(await given(args[0], asked.file, io))
    const body = JSON.stringify({ query: text, ...pagingOf(asked) })
    const rows = await withStore(invocation, async (store) => {
      const answer = await store.ask({ method: 'POST', path: '', search: '', body }).catch((error) => {
        throw explained(error, text)
      })
      return answer ? renderRows(answer.pieces, asked.renderAs, io) : 0
    })
    return rows === 0 ? 2 : 0
  },
})

/** Throws NO_QUERY and QUERY_FILE. */
async function given(word: string | undefined, file: string | undefined, io: Io): Promise<string> {
  const text = word === '-' ? await readAll(io.stdin) : file === undefined ? word : fileText(file)
  return text === undefined || text.trim() === '' ? fail(issues.NO_QUERY, {}) : text
}

function fileText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    return fail(issues.QUERY_FILE, { file, why: reasonText(error) })
  }
}

/** The name of an entity alone stands for all of it. */
function textOf(query: string): string {
  return entities.includes(query.trim()) ? `${query.trim()} {}` : query
}

function pagingOf({ limit, offset, orderBy, asOf }: OptionValues<typeof options>) {
  return {
    ...(limit !== undefined && { limit: number('--limit', limit) }),
    ...(offset !== undefined && { offset: number('--offset', offset) }),
    ...(orderBy !== undefined && { order_by: orderBy.split(',').map(orderOf) }),
    ...(asOf !== undefined && { as_of: asOf }),
  }
}

function number(option: string, value: string): number {
  return /^\d{1,15}$/.test(value) ? Number(value) : fail(issues.QUERY_NUMBER, { option, value })
}

function orderOf(term: string) {
  const [field = '', order = 'asc', ...rest] = term.split(':').map((part) => part.trim())
  const isOrder = field !== '' && ['asc', 'desc'].includes(order.toLowerCase()) && rest.length === 0
  return isOrder ? { field, order: order.toLowerCase() } : fail(issues.QUERY_ORDER, { text: term })
}

/** An error about a query that begins with no entity, with the one that may be meant. */
function explained(error: unknown, text: string): unknown {
  if (!(error instanceof PuppetError) || error.diagnostic.hint !== undefined) return error
  const [word = ''] = /^\s*(?:\[\s*"from"\s*,\s*")?([\w-]{1,60})/.exec(text)?.slice(1) ?? []
  const hint = entities.includes(word) ? undefined : didYouMean(word, entities)
  return hint === undefined ? error : new PuppetError({ ...error.diagnostic, hint })
}
