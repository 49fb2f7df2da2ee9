import { defineIssues, diagnose } from '../../base/issue.ts'
import { type ExactJson, isExactObject } from '../../base/json/exact-json.ts'
import { printJson } from '../../base/json/json-text.ts'
import { printableJson } from '../../base/text/printable.ts'
import { defineCommand } from '../command/command.ts'
import { renderAs } from '../command/options.ts'
import { sayDiagnostic } from '../command/say.ts'
import { type Asked, askOptions, limitOption, offsetOption, withStore } from '../query/asked.ts'
import { plain, questionAt, questionOf, rowsOf } from '../query/rows.ts'
import { cellOf, tableTo } from '../query/table.ts'
import { changedPaths, changesText, isVolatile } from './changed-facts.ts'

const issues = defineIssues({
  NO_HISTORY: {
    text: (a: { name: string }) => `The store has no history of node ${a.name}`,
    hint: () =>
      'PuppetDB stores no history. The store of Plumbline removes entries by catalog_history_ttl, fact_history_ttl and report_ttl.',
  },
})

/** `plumb node history` */
export const nodeHistory = defineCommand({
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
    ...askOptions,
    renderAs,
  ],
  async run(invocation) {
    const { args, options, io } = invocation
    const name = args[0] ?? ''
    const { kind, from, to, limit, offset } = options
    const asked = { limit, offset, ...(kind && { kind }), ...(from && { from }), ...(to && { to }) }
    const { entries, facts } = await withStore(invocation, async (store) => ({
      entries: await rowsOf(store, questionAt(['node-history', name], asked)),
      facts: await countFacts(store, name),
    }))
    if (entries.length === 0) {
      if (options.renderAs === 'json') io.out('[]\n')
      else sayDiagnostic(diagnose(issues.NO_HISTORY, { name }), io)
      return 2
    }
    if (options.renderAs === 'json') {
      const text = printJson(entries as never, 2)
      io.out(`${io.terminal ? printableJson(text) : text}\n`)
      return 0
    }
    const shown = { facts, isVerbose: options.verbose === true }
    const table = tableTo(io, ['time', 'kind', 'code_id', 'what'])
    const rows = entries
      .map(plain)
      .map((entry) => [timeOf(entry), cellOf(entry['kind']), codeOf(entry), told(entry, shown)])
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

async function countFacts(store: Asked, name: string): Promise<number> {
  const query = ['from', 'facts', ['extract', [['function', 'count']], ['and', ['=', 'certname', name], anyState]]]
  const [row] = await rowsOf(store, questionOf(query))
  return Number(row ? plain(row)['count'] : 0)
}

const anyState = ['=', 'node_state', 'any']

type Entry = Readonly<Record<string, ExactJson>>

/** The time of an entry, in whole seconds. */
const timeOf = ({ time }: Entry): string => String(time).replace(/\.\d{3}Z$/, 'Z')

/** The code_id of an entry; commit IDs are abbreviated. */
function codeOf({ code_id: code }: Entry): string {
  const text = cellOf(code)
  return /^[0-9a-f]{40,64}$/.test(text) ? text.slice(0, 12) : text
}

function told(entry: Entry, shown: Shown): string {
  if (entry['kind'] === 'report') return reportText(entry)
  if (entry['kind'] === 'facts') return factsText(entry['changes'], shown)
  const { changes, resources } = entry
  if (!isExactObject(changes)) return `first catalog: ${cellOf(resources)} resources`
  const { added, removed, changed, edges, resources: listed } = plain(changes)
  const counts = `${cellOf(added)} added, ${cellOf(removed)} removed, ${cellOf(changed)} changed`
  const names = (Array.isArray(listed) ? listed : []).map((each) => resourceText(plain(each as never)))
  const none = added === 0 && removed === 0 && changed === 0
  if (none) return edges === true ? 'edges changed' : 'no changes'
  return `${counts}: ${names.join(', ')}`
}

const signs: Readonly<Record<string, string>> = { added: '+', removed: '-', changed: '~' }

const resourceText = ({ change, type, title }: Entry): string =>
  `${signs[String(change)] ?? ''}${cellOf(type)}[${cellOf(title)}]`

function reportText({ status, noop, noop_pending, corrective_change }: Entry): string {
  return [
    cellOf(status),
    ...(noop === true ? ['noop'] : []),
    ...(noop_pending === true ? ['changes pending'] : []),
    ...(corrective_change === true ? ['corrective'] : []),
  ].join(', ')
}

/** Empty if only volatile facts changed. */
function factsText(changes: ExactJson | undefined, { facts, isVerbose }: Shown): string {
  const paths = (Array.isArray(changes) ? changes : [])
    .map((each) => plain(each as never))
    .flatMap(({ name, before, after }) => changedPaths(cellOf(name), before, after))
    .filter(({ path }) => isVerbose || !isVolatile(path))
  return paths.length === 0 ? '' : changesText(paths, facts, { values: isVerbose })
}
