import { readFileSync } from 'node:fs'
import { defineIssues, PuppetError, throwIssue } from '../../base/issue.ts'
import { formatSuggestion } from '../../base/text/name-suggestions.ts'
import { formatErrorReason } from '../../language/ruby-semantics/errno.ts'
import { defineCommand, type Io } from '../command/command.ts'
import type { Option, OptionValues } from '../command/options.ts'
import { tokenOptions } from '../connection/token-session.ts'
import { readStream } from '../input/manifest-files.ts'
import { limitOption, offsetOption, withQueryStore } from './query-store.ts'
import { renderRows, rowsFormat } from './row-output.ts'

const issues = defineIssues({
  NO_QUERY: {
    text: () => 'No query given',
    hint: () => `Give a query such as 'nodes { certname ~ "^web" }', a file with --file, or - for standard input.`,
  },
  QUERY_FILE: { text: (a: { file: string; why: string }) => `Could not read ${a.file}: ${a.why}` },
  QUERY_NUMBER: {
    text: (a: { option: string; value: string }) => `${a.option} requires a number, not '${a.value}'`,
  },
  QUERY_ORDER: {
    text: (a: { text: string }) => `Invalid order '${a.text}'`,
    hint: () => 'Give fields separated by commas, with :desc for descending order: producer_timestamp:desc,certname.',
  },
})

/** Entities of PQL. */
const entities = [
  ...['nodes', 'facts', 'factsets', 'fact_contents', 'fact_paths', 'inventory', 'resources', 'catalogs', 'edges'],
  ...['reports', 'events', 'environments', 'packages', 'package_inventory', 'catalog_history', 'node_history'],
]

const options = [
  { flags: '-f, --file <file>', doc: 'Read the query from a file.' },
  limitOption,
  offsetOption,
  {
    flags: '--order-by <fields>',
    doc: 'Fields by which rows are sorted, such as certname or producer_timestamp:desc,certname.',
  },
  {
    flags: '--as-of <moment>',
    doc: 'Query past state: a timestamp, or a code_id for the last state each node had at that commit.',
  },
  ...tokenOptions,
  rowsFormat,
] as const satisfies readonly Option[]

/** The command `plumb query`. */
export const queryCommand = defineCommand({
  name: 'query',
  summary: 'Query the store, in the query language of PuppetDB.',
  description: `Runs a query in PQL or in PuppetDB's AST syntax (JSON), and prints the rows. The name of an entity returns all of its
rows.

Reads the store of this machine, with or without a running server. With --server, queries that server (or a PuppetDB)
and authenticates with the certificate of this host or with a token.

A table is truncated to the width of the terminal; json prints a row on each line; csv prints the column names on the
first line. Rows are printed as they arrive. Exits with 0, with 1 if the query is invalid or fails, or with 2 if it
returns no rows.

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
    const text = expandEntityName(await readQueryText(args[0], asked.file, io))
    const body = JSON.stringify({ query: text, ...parsePaging(asked) })
    const rows = await withQueryStore(invocation, async (store) => {
      const answer = await store.ask({ method: 'POST', path: '', search: '', body }).catch((error) => {
        throw addEntityHint(error, text)
      })
      return answer ? renderRows(answer.pieces, asked.renderAs, io) : 0
    })
    return rows === 0 ? 2 : 0
  },
})

/** Reads the query from the argument, a file or standard input. Throws NO_QUERY and QUERY_FILE. */
async function readQueryText(word: string | undefined, file: string | undefined, io: Io): Promise<string> {
  const text = word === '-' ? await readStream(io.stdin) : file === undefined ? word : readQueryFile(file)
  return text === undefined || text.trim() === '' ? throwIssue(issues.NO_QUERY, {}) : text
}

function readQueryFile(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    return throwIssue(issues.QUERY_FILE, { file, why: formatErrorReason(error) })
  }
}

/** Expands the bare name of an entity to a query for all of its rows. */
function expandEntityName(query: string): string {
  return entities.includes(query.trim()) ? `${query.trim()} {}` : query
}

function parsePaging({ limit, offset, orderBy, asOf }: OptionValues<typeof options>) {
  return {
    ...(limit !== undefined && { limit: parseNumber('--limit', limit) }),
    ...(offset !== undefined && { offset: parseNumber('--offset', offset) }),
    ...(orderBy !== undefined && { order_by: orderBy.split(',').map(parseOrderTerm) }),
    ...(asOf !== undefined && { as_of: asOf }),
  }
}

function parseNumber(option: string, value: string): number {
  return /^\d{1,15}$/.test(value) ? Number(value) : throwIssue(issues.QUERY_NUMBER, { option, value })
}

function parseOrderTerm(term: string) {
  const [field = '', order = 'asc', ...rest] = term.split(':').map((part) => part.trim())
  const isOrder = field !== '' && ['asc', 'desc'].includes(order.toLowerCase()) && rest.length === 0
  return isOrder ? { field, order: order.toLowerCase() } : throwIssue(issues.QUERY_ORDER, { text: term })
}

/** Adds a suggestion to an error about a query with an unknown entity. */
function addEntityHint(error: unknown, text: string): unknown {
  if (!(error instanceof PuppetError) || error.diagnostic.hint !== undefined) return error
  const [word = ''] = /^\s*(?:\[\s*"from"\s*,\s*")?([\w-]{1,60})/.exec(text)?.slice(1) ?? []
  const hint = entities.includes(word) ? undefined : formatSuggestion(word, entities)
  return hint === undefined ? error : new PuppetError({ ...error.diagnostic, hint })
}
