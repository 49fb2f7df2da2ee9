import { createDiagnostic, defineIssues } from '../../base/issue.ts'
import { type ExactJson, isExactObject } from '../../base/json/exact-json.ts'
import { formatExactJson } from '../../base/json/json-text.ts'
import { toPrintableJson } from '../../base/text/printable.ts'
import { defineCommand } from '../command/command.ts'
import { printDiagnostic } from '../command/messages.ts'
import { renderAs } from '../command/options.ts'
import { tokenOptions } from '../connection/token-session.ts'
import { createGetQuery, createPostQuery, readQueryRows, toPlainObject } from '../query/query-rows.ts'
import { limitOption, type NodeQueryStore, offsetOption, withQueryStore } from '../query/query-store.ts'
import { createTable, formatCell } from '../query/text-table.ts'
import { formatChanges, isVolatilePath, listChangedPaths } from './fact-changes.ts'

const issues = defineIssues({
  NO_HISTORY: {
    text: (a: { name: string }) => `The store has no history of node ${a.name}`,
    hint: () =>
      'PuppetDB stores no history. The store of Plumbline removes entries by catalog_history_ttl, fact_history_ttl and report_ttl.',
  },
})

/** The command `plumb node history`. */
export const nodeHistoryCommand = defineCommand({
  name: 'history',
  summary: 'Print the history of a node: catalogs, changes of facts, reports.',
  description: `Prints entries, newest first: the code_id and changes of each catalog, the changed paths of facts, and the status of
each report. Unchanged catalogs have no entry. Facts that change in each run (load, uptime, usage of memory and disks)
are omitted; --verbose includes them, and prints values. 'plumb catalog diff NODE@CODE_ID NODE@CODE_ID' compares two
catalogs, and 'plumb query … --as-of TIME' queries the state at a time.

Exits with 0, with 1 if the store cannot be queried, or with 2 if it has no history of the node.

  plumb node history web1.example.com
  plumb node history web1.example.com --kind catalog --limit 10
  plumb node history web1.example.com --from 2026-11-01 --to 2026-11-08 --render-as json`,
  usage: '<node>',
  options: [
    { flags: '--kind <kinds>', doc: 'Print entries of these kinds, separated by commas: catalog, facts, report.' },
    { flags: '--from <time>', doc: 'Print entries at or after this time.' },
    { flags: '--to <time>', doc: 'Print entries at or before this time.' },
    { ...limitOption, default: '50' },
    { ...offsetOption, default: '0' },
    ...tokenOptions,
    renderAs,
  ],
  async run(invocation) {
    const { args, options, io } = invocation
    const name = args[0] ?? ''
    const { kind, from, to, limit, offset } = options
    const asked = { limit, offset, ...(kind && { kind }), ...(from && { from }), ...(to && { to }) }
    const { entries, facts } = await withQueryStore(invocation, async (store) => ({
      entries: await readQueryRows(store, createGetQuery(['node-history', name], asked)),
      facts: await countFacts(store, name),
    }))
    if (entries.length === 0) {
      if (options.renderAs === 'json') io.out('[]\n')
      else printDiagnostic(createDiagnostic(issues.NO_HISTORY, { name }), io)
      return 2
    }
    if (options.renderAs === 'json') {
      const text = formatExactJson(entries as never, 2)
      io.out(`${io.terminal ? toPrintableJson(text) : text}\n`)
      return 0
    }
    const shown = { facts, isVerbose: options.verbose === true }
    const table = createTable(io, ['time', 'kind', 'code_id', 'what'])
    const rows = entries
      .map(toPlainObject)
      .map((entry) => [
        formatEntryTime(entry),
        formatCell(entry['kind']),
        formatCodeId(entry),
        formatEntry(entry, shown),
      ])
    table.add(rows.filter(([, , , text]) => text !== ''))
    table.end()
    return 0
  },
})

/** Options of the list: the number of facts of the node, and a flag to print all changes with their values. */
interface Shown {
  readonly facts: number
  readonly isVerbose: boolean
}

async function countFacts(store: NodeQueryStore, name: string): Promise<number> {
  const query = ['from', 'facts', ['extract', [['function', 'count']], ['and', ['=', 'certname', name], anyState]]]
  const [row] = await readQueryRows(store, createPostQuery(query))
  return Number(row ? toPlainObject(row)['count'] : 0)
}

const anyState = ['=', 'node_state', 'any']

type Entry = Readonly<Record<string, ExactJson>>

/** The time of an entry, in whole seconds. */
const formatEntryTime = ({ time }: Entry): string => String(time).replace(/\.\d{3}Z$/, 'Z')

/** The code_id of an entry; commit IDs are abbreviated. */
function formatCodeId({ code_id: code }: Entry): string {
  const text = formatCell(code)
  return /^[0-9a-f]{40,64}$/.test(text) ? text.slice(0, 12) : text
}

function formatEntry(entry: Entry, shown: Shown): string {
  if (entry['kind'] === 'report') return formatReportEntry(entry)
  if (entry['kind'] === 'facts') return formatFactChanges(entry['changes'], shown)
  const { changes, resources } = entry
  if (!isExactObject(changes)) return `first catalog: ${formatCell(resources)} resources`
  const { added, removed, changed, edges, resources: listed } = toPlainObject(changes)
  const counts = `${formatCell(added)} added, ${formatCell(removed)} removed, ${formatCell(changed)} changed`
  const names = (Array.isArray(listed) ? listed : []).map((each) => formatResourceChange(toPlainObject(each as never)))
  const none = added === 0 && removed === 0 && changed === 0
  if (none) return edges === true ? 'edges changed' : 'no changes'
  return `${counts}: ${names.join(', ')}`
}

const signs: Readonly<Record<string, string>> = { added: '+', removed: '-', changed: '~' }

const formatResourceChange = ({ change, type, title }: Entry): string =>
  `${signs[String(change)] ?? ''}${formatCell(type)}[${formatCell(title)}]`

function formatReportEntry({ status, noop, noop_pending, corrective_change }: Entry): string {
  return [
    formatCell(status),
    ...(noop === true ? ['noop'] : []),
    ...(noop_pending === true ? ['changes pending'] : []),
    ...(corrective_change === true ? ['corrective'] : []),
  ].join(', ')
}

/** Formats the changed facts; empty if all of them change in each run, such as the uptime. */
function formatFactChanges(changes: ExactJson | undefined, { facts, isVerbose }: Shown): string {
  const paths = (Array.isArray(changes) ? changes : [])
    .map((each) => toPlainObject(each as never))
    .flatMap(({ name, before, after }) => listChangedPaths(formatCell(name), before, after))
    .filter(({ path }) => isVerbose || !isVolatilePath(path))
  return paths.length === 0 ? '' : formatChanges(paths, facts, { values: isVerbose })
}
