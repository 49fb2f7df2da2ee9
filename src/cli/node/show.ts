import type { ExactJson, ExactObject } from '../../base/json/exact-json.ts'
import { printJson } from '../../base/json/json-text.ts'
import { printable, printableJson } from '../../base/text/printable.ts'
import { loadSettings } from '../../machine/settings/settings.ts'
import { type ErrorLine, firstError } from '../../server/pages/report/first-error.ts'
import { ownEnvironments } from '../../store/node-environments.ts'
import { askRows } from '../../store/node-rows.ts'
import { defineCommand, type Io } from '../command/command.ts'
import { renderAs } from '../command/options.ts'
import { say } from '../command/say.ts'
import { type Asked, askOptions, withStore } from '../query/asked.ts'
import { objectOf, plain, questionAt, questionOf, rowsOf } from '../query/rows.ts'
import { cellOf } from '../query/table.ts'
import { type NodeTimes, nodeLine } from './list.ts'

const lastReports = 5

/** `plumb node show` */
export const nodeShow = defineCommand({
  name: 'show',
  summary: 'Print the facts, classes, catalog and last reports of a node.',
  description: `Truncates values to the width of the terminal; --render-as json prints them in full. Exits with 0, with 1 if the store
cannot be queried, or with 2 if it does not contain the node.

  plumb node show web1.example.com
  plumb node show web1.example.com --render-as json --server puppet.example.com`,
  usage: '<node>',
  options: [...askOptions, renderAs],
  async run(invocation) {
    const { args, options, io } = invocation
    const name = args[0] ?? ''
    const settings = loadSettings({ given: invocation.settings, runMode: 'server' })
    const known = await withStore(invocation, (store) => knownOf(store, name, settings))
    if (!known) {
      say('Error', `The store does not contain node ${name}`, io)
      return 2
    }
    if (options.renderAs === 'json') {
      const { line: _, ...rest } = known
      const text = printJson(rest as never, 2)
      io.out(`${io.terminal ? printableJson(text) : text}\n`)
    } else io.out(textOf(known, io))
    return 0
  },
})

type Row = Readonly<Record<string, ExactJson>>

interface Known {
  readonly node: Row
  readonly line: ReturnType<typeof nodeLine>
  readonly catalog: (Row & { readonly resources: ExactJson }) | null
  readonly classes: readonly string[]
  readonly facts: Row
  readonly reports: readonly Row[]
  /** The first error of the last report's log, if its run failed. */
  readonly error: string | null
}

const catalogFields = ['code_id', 'version', 'hash', 'environment', 'producer', 'producer_timestamp', 'catalog_uuid']
const reportFields = ['producer_timestamp', 'status', 'noop', 'code_id', 'environment', 'hash']

async function knownOf(store: Asked, name: string, settings: NodeTimes): Promise<Known | undefined> {
  const node = await objectOf(store, questionAt(['nodes', name]))
  if (!node) return undefined
  const now = Date.now()
  const places = await ownEnvironments(askRows(store), { now, ttl: settings.node_ttl * 1000, only: [name] })
  const own = ['and', ['=', 'certname', name], ['=', 'node_state', 'any']]
  const of = async (entity: string, fields: ExactJson, ...rest: readonly ExactJson[]) =>
    (await rowsOf(store, questionOf(['from', entity, ['extract', fields, own], ...rest]))).map(plain)
  const [catalog] = await of('catalogs', catalogFields)
  const [counted] = await of('resources', [['function', 'count']])
  const isClass = ['and', ['=', 'type', 'Class'], ...own.slice(1)]
  const classes = await rowsOf(store, questionOf(['from', 'resources', ['extract', ['title'], isClass]]))
  const facts = await of('facts', ['name', 'value'], ['order_by', ['name']])
  const newest = [
    ['order_by', [['producer_timestamp', 'desc']]],
    ['limit', lastReports],
  ]
  const reports = await of('reports', reportFields, ...newest)
  const [last] = reports
  return {
    node,
    line: nodeLine(node, places.get(name), { now, unresponsive_after: settings.unresponsive_after }),
    catalog: catalog ? { ...catalog, resources: counted?.['count'] ?? 0 } : null,
    classes: classes.map((row) => String(plain(row)['title'])).sort(),
    facts: Object.fromEntries(facts.map(({ name: fact, value }) => [String(fact), value ?? null])),
    reports,
    error: last?.['status'] === 'failed' ? await errorIn(store, String(last['hash'])) : null,
  }
}

async function errorIn(store: Asked, hash: string): Promise<string | null> {
  const logs = await rowsOf(store, questionAt(['reports', hash, 'logs']))
  return firstError(logs.map((line) => plain(line) as unknown as ErrorLine))?.message ?? null
}

function textOf({ line, catalog, classes, facts, reports, error }: Known, { columns = 0 }: Io): string {
  const { certname, state, last_heard, environment } = line
  const lines = [
    String(certname),
    ...fields({ state, ...(error !== null && { error }), 'last contact': last_heard ?? '', environment }),
    ...(catalog ? ['catalog:', ...fields(withoutNull(catalog))] : ['no catalog']),
    `classes: ${classes.length}`,
    ...classes.map((each) => `  ${each}`),
    `last reports: ${reports.length === 0 ? 'none' : ''}`.trimEnd(),
    ...reports.map(
      (report) =>
        `  ${reportFields
          .slice(0, 4)
          .flatMap((name) => wordOf(name, report))
          .join('  ')}`,
    ),
    `facts: ${Object.keys(facts).length}`,
    ...fields(facts, ' = '),
  ]
  return `${lines.map((line) => cut(printable(line), columns)).join('\n')}\n`
}

function wordOf(name: string, report: Row): readonly string[] {
  const value = report[name]
  if (name === 'noop') return value === true ? ['noop'] : []
  return value === null || value === undefined ? [] : [cellOf(value)]
}

const withoutNull = (row: ExactObject): Row =>
  Object.fromEntries(Object.entries(plain(row)).filter(([, value]) => value !== null))

function fields(row: Row, between = ': '): readonly string[] {
  return Object.entries(row).map(([name, value]) => `  ${name}${between}${cellOf(value)}`)
}

/** Truncates a line to a width; 0 means no limit. */
function cut(line: string, columns: number): string {
  const characters = [...line]
  return columns === 0 || characters.length <= columns ? line : `${characters.slice(0, columns - 1).join('')}…`
}
