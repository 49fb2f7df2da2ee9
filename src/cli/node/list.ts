import type { ExactJson } from '../../base/json/exact-json.ts'
import { splitJsonArray } from '../../base/json/json-rows.ts'
import { parseJson } from '../../base/json/json-text.ts'
import { loadSettings, type Settings } from '../../machine/settings/settings.ts'
import {
  computeReportDeadline,
  getNodeState,
  type LastRun,
  nodeStates,
  type StateName,
} from '../../server/pages/node-state.ts'
import { formatRelativeTime } from '../../server/pages/parts/time-format.ts'
import { findOwnEnvironments, type OwnEnvironment } from '../../store/node-environments.ts'
import { createRowReader, getLastContactTime, getReportedEnvironment } from '../../store/node-rows.ts'
import { defineCommand } from '../command/command.ts'
import { tokenOptions } from '../connection/token-session.ts'
import { createPostQuery, readQueryRows, streamJsonArray, toPlainObject } from '../query/query-rows.ts'
import { type NodeQueryStore, withQueryStore } from '../query/query-store.ts'
import { renderRows, rowsFormat } from '../query/row-output.ts'

const states = nodeStates.map(({ label }) => label.toLowerCase())

/** The command `plumb node list`. */
export const nodeList = defineCommand({
  name: 'list',
  summary: 'List nodes with their states, times of last contact, and commits.',
  description: `The states are those of the console: failed, drifting (the last run corrected drift), unresponsive (no report within
unresponsive_after), pending (changes in a noop run), changed and unchanged. --all adds deactivated and expired nodes.
The time is that of the last report, catalog or facts.

The environment of a node is that of its last report, with two exceptions: a noop run does not change the environment,
and a run in an environment chosen by the agent changes it only after one day.

Queries the store of this machine, or with --server the store of another server. Exits with 0, with 1 if the store
cannot be queried, or with 2 if no node is found.

  plumb node list
  plumb node list --state failed --state pending
  plumb node list --all --render-as json
  plumb node list --server puppet.example.com`,
  options: [
    { flags: '--all', doc: 'Include deactivated and expired nodes.' },
    { flags: '--state <states...>', doc: 'List only nodes in these states.', choices: states },
    ...tokenOptions,
    rowsFormat,
  ],
  async run(invocation) {
    const { options, io, settings: given } = invocation
    const settings = loadSettings({ given, runMode: 'server' })
    const forPeople = !['json', 'csv'].includes(options.renderAs)
    const wanted = { all: options.all === true, states: options.state, forPeople }
    const count = await withQueryStore(invocation, (store) =>
      renderRows(streamJsonArray(listNodeLines(store, wanted, settings)), options.renderAs, io),
    )
    return count === 0 ? 2 : 0
  },
})

interface Wanted {
  readonly all: boolean
  readonly states: readonly string[] | undefined
  readonly forPeople: boolean
}

async function* listNodeLines(
  store: NodeQueryStore,
  { all, states: wanted, forPeople }: Wanted,
  settings: NodeTimes,
): AsyncIterable<object> {
  const now = Date.now()
  const state = ['=', 'node_state', all ? 'any' : 'active']
  const catalogs = await readQueryRows(
    store,
    createPostQuery(['from', 'catalogs', ['extract', ['certname', 'code_id'], state]]),
  )
  const codes = new Map(catalogs.map(toPlainObject).map(({ certname, code_id }) => [certname, code_id ?? null]))
  const own = await findOwnEnvironments(createRowReader(store), { now, ttl: settings.node_ttl * 1000 })
  const answer = await store.ask(createPostQuery(['from', 'nodes', state, ['order_by', ['certname']]]))
  if (!answer) return
  for await (const texts of splitJsonArray(answer.pieces))
    for (const text of texts) {
      const row = toPlainObject(parseJson(text) as never)
      const place = own.get(String(row['certname']))
      const line = buildNodeLine(row, place, { now, unresponsive_after: settings.unresponsive_after })
      if (wanted && !wanted.includes(line.state)) continue
      const time = line.last_heard
      const last_heard = forPeople && time !== null ? formatRelativeTime(now - Date.parse(time)) : time
      yield { ...line, last_heard, code_id: place?.codeId ?? codes.get(row['certname'] ?? null) ?? null }
    }
}

/** Settings that determine the state of a node. */
export type NodeTimes = Pick<Settings, 'node_ttl' | 'unresponsive_after'>

/** Builds the list line of a node from its store row and its environment. */
export function buildNodeLine(
  row: Readonly<Record<string, ExactJson>>,
  own: OwnEnvironment | undefined,
  { now, unresponsive_after }: Pick<NodeTimes, 'unresponsive_after'> & { readonly now: number },
) {
  return {
    certname: row['certname'],
    state: formatNodeState(
      row,
      computeReportDeadline({ now: () => now, unresponsiveAfter: unresponsive_after * 1000 }),
    ),
    last_heard: getLastContactTime(row),
    environment: own?.environment ?? getReportedEnvironment(row),
  }
}

function formatNodeState(row: Readonly<Record<string, ExactJson>>, since: string): string {
  if (row['deactivated']) return 'deactivated'
  if (row['expired']) return 'expired'
  return labels.get(getNodeState(row as unknown as LastRun, since))!
}

const labels: ReadonlyMap<StateName, string> = new Map(nodeStates.map(({ name, label }) => [name, label.toLowerCase()]))
