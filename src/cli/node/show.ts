import type { ExactJson, ExactObject } from '../../base/json/exact-json.ts'
import { formatExactJson } from '../../base/json/json-text.ts'
import { toPrintable, toPrintableJson } from '../../base/text/printable.ts'
import { loadSettings } from '../../machine/settings/settings.ts'
import { type ErrorLine, findFirstError } from '../../server/pages/report/first-error.ts'
import { findOwnEnvironments } from '../../store/node-environments.ts'
import { createRowReader } from '../../store/node-rows.ts'
import { defineCommand, type Io } from '../command/command.ts'
import { printMessage } from '../command/messages.ts'
import { renderAs } from '../command/options.ts'
import { tokenOptions } from '../connection/token-session.ts'
import { createGetQuery, createPostQuery, queryObject, readQueryRows, toPlainObject } from '../query/query-rows.ts'
import { type NodeQueryStore, withQueryStore } from '../query/query-store.ts'
import { formatCell } from '../query/text-table.ts'
import { buildNodeLine, type NodeTimes } from './list.ts'

const lastReports = 5

/** The command `plumb node show`. */
export const nodeShow = defineCommand({
  name: 'show',
  summary: 'Print the facts, classes, catalog and last reports of a node.',
  description: `Truncates values to the width of the terminal; --render-as json prints them in full. Exits with 0, with 1 if the store
cannot be queried, or with 2 if it does not contain the node.

  plumb node show web1.example.com
  plumb node show web1.example.com --render-as json --server puppet.example.com`,
  usage: '<node>',
  options: [...tokenOptions, renderAs],
  async run(invocation) {
    const { args, options, io } = invocation
    const name = args[0] ?? ''
    const settings = loadSettings({ given: invocation.settings, runMode: 'server' })
    const known = await withQueryStore(invocation, (store) => readNodeSummary(store, name, settings))
    if (!known) {
      printMessage('Error', `The store does not contain node ${name}`, io)
      return 2
    }
    if (options.renderAs === 'json') {
      const { line: _, ...rest } = known
      const text = formatExactJson(rest as never, 2)
      io.out(`${io.terminal ? toPrintableJson(text) : text}\n`)
    } else io.out(formatNodeSummary(known, io))
    return 0
  },
})

type Row = Readonly<Record<string, ExactJson>>

interface Known {
  readonly node: Row
  readonly line: ReturnType<typeof buildNodeLine>
  readonly catalog: (Row & { readonly resources: ExactJson }) | null
  readonly classes: readonly string[]
  readonly facts: Row
  readonly reports: readonly Row[]
  /** The first error of the last report's log, if its run failed. */
  readonly error: string | null
}

const catalogFields = ['code_id', 'version', 'hash', 'environment', 'producer', 'producer_timestamp', 'catalog_uuid']
const reportFields = ['producer_timestamp', 'status', 'noop', 'code_id', 'environment', 'hash']

async function readNodeSummary(store: NodeQueryStore, name: string, settings: NodeTimes): Promise<Known | undefined> {
  const node = await queryObject(store, createGetQuery(['nodes', name]))
  if (!node) return undefined
  const now = Date.now()
  const places = await findOwnEnvironments(createRowReader(store), { now, ttl: settings.node_ttl * 1000, only: [name] })
  const own = ['and', ['=', 'certname', name], ['=', 'node_state', 'any']]
  const queryNode = async (entity: string, fields: ExactJson, ...rest: readonly ExactJson[]) =>
    (await readQueryRows(store, createPostQuery(['from', entity, ['extract', fields, own], ...rest]))).map(
      toPlainObject,
    )
  const [catalog] = await queryNode('catalogs', catalogFields)
  const [counted] = await queryNode('resources', [['function', 'count']])
  const isClass = ['and', ['=', 'type', 'Class'], ...own.slice(1)]
  const classes = await readQueryRows(store, createPostQuery(['from', 'resources', ['extract', ['title'], isClass]]))
  const facts = await queryNode('facts', ['name', 'value'], ['order_by', ['name']])
  const newest = [
    ['order_by', [['producer_timestamp', 'desc']]],
    ['limit', lastReports],
  ]
  const reports = await queryNode('reports', reportFields, ...newest)
  const [last] = reports
  return {
    node,
    line: buildNodeLine(node, places.get(name), { now, unresponsive_after: settings.unresponsive_after }),
    catalog: catalog ? { ...catalog, resources: counted?.['count'] ?? 0 } : null,
    classes: classes.map((row) => String(toPlainObject(row)['title'])).sort(),
    facts: Object.fromEntries(facts.map(({ name: fact, value }) => [String(fact), value ?? null])),
    reports,
    error: last?.['status'] === 'failed' ? await findReportError(store, String(last['hash'])) : null,
  }
}

async function findReportError(store: NodeQueryStore, hash: string): Promise<string | null> {
  const logs = await readQueryRows(store, createGetQuery(['reports', hash, 'logs']))
  return findFirstError(logs.map((line) => toPlainObject(line) as unknown as ErrorLine))?.message ?? null
}

function formatNodeSummary({ line, catalog, classes, facts, reports, error }: Known, { columns = 0 }: Io): string {
  const { certname, state, last_heard, environment } = line
  const lines = [
    String(certname),
    ...formatFields({ state, ...(error !== null && { error }), 'last contact': last_heard ?? '', environment }),
    ...(catalog ? ['catalog:', ...formatFields(removeNulls(catalog))] : ['no catalog']),
    `classes: ${classes.length}`,
    ...classes.map((each) => `  ${each}`),
    `last reports: ${reports.length === 0 ? 'none' : ''}`.trimEnd(),
    ...reports.map(
      (report) =>
        `  ${reportFields
          .slice(0, 4)
          .flatMap((name) => formatReportField(name, report))
          .join('  ')}`,
    ),
    `facts: ${Object.keys(facts).length}`,
    ...formatFields(facts, ' = '),
  ]
  return `${lines.map((line) => truncateLine(toPrintable(line), columns)).join('\n')}\n`
}

function formatReportField(name: string, report: Row): readonly string[] {
  const value = report[name]
  if (name === 'noop') return value === true ? ['noop'] : []
  return value === null || value === undefined ? [] : [formatCell(value)]
}

const removeNulls = (row: ExactObject): Row =>
  Object.fromEntries(Object.entries(toPlainObject(row)).filter(([, value]) => value !== null))

function formatFields(row: Row, between = ': '): readonly string[] {
  return Object.entries(row).map(([name, value]) => `  ${name}${between}${formatCell(value)}`)
}

/** Truncates a line to a width; 0 means no limit. */
function truncateLine(line: string, columns: number): string {
  const characters = [...line]
  return columns === 0 || characters.length <= columns ? line : `${characters.slice(0, columns - 1).join('')}…`
}
