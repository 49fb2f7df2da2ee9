import type { CommandName } from '../../../src/store/commands/command.ts'
import { readCommand } from '../../../src/store/commands/read-command.ts'
import type { Database } from '../../../src/store/database/database.ts'
import { ingest } from '../../../src/store/ingest/ingest.ts'
import { prepareNodeWrite } from '../../../src/store/ingest/write-locks.ts'

/** A command that a node's run makes. */
export interface FleetCommand {
  readonly name: CommandName
  readonly version: number
  readonly certname: string
  readonly payload: Buffer
}

const uuid = '11111111-1111-1111-1111-111111111111'

/** The commands of a run: what is in them depends on the node and on the number of the run alone. */
export function runOf(node: number, run: number, time: number, resources = 8): readonly FleetCommand[] {
  const certname = `node${node}.test`
  const at = new Date(time).toISOString()
  const common = { certname, environment: `env${(node + run) % 5}`, producer: 'server.test', producer_timestamp: at }
  const command = (name: CommandName, version: number, payload: object): FleetCommand => ({
    ...{ name, version, certname },
    payload: Buffer.from(JSON.stringify({ ...common, ...payload })),
  })
  return [
    command('replace facts', 5, {
      values: { uptime: run, kernel: 'Linux', list: [node % 3, run % 4], [`only${node % 7}`]: { deep: run % 3 } },
      package_inventory: [[`package${run % 6}`, String(node % 3), 'apt']],
    }),
    command('replace catalog', 9, catalogOf(node, run, resources)),
    command('store report', 8, reportOf(run, at)),
  ]
}

function catalogOf(node: number, run: number, count: number): object {
  const resources = Array.from({ length: count }, (_, at) => ({
    ...{
      type: 'File',
      title: `/tmp/${(node + at * run) % 40}`,
      exported: false,
      file: at === 0 ? `/run${run}.pp` : `/m${(run + at) % 6}.pp`,
    },
    ...{
      line: at + 1,
      tags: ['file', at === 0 ? `run${run}` : `t${(run * at) % 9}`],
      aliases: [],
      parameters: { content: `${(run + at) % 10}` },
    },
  }))
  const distinct = [...new Map(resources.map((each) => [each.title, each])).values()]
  const spec = ({ type, title }: { type: string; title: string }) => ({ type, title })
  const edges = distinct
    .slice(1)
    .map((each, at) => ({ source: spec(distinct[at]!), target: spec(each), relationship: 'before' }))
  return {
    ...{ version: String(run), transaction_uuid: uuid, catalog_uuid: uuid, code_id: `code${run % 3}`, job_id: null },
    ...{ resources: distinct, edges, sourced_files: { '/tmp/1': `{sha256}${node % 2}${run}` } },
  }
}

function reportOf(run: number, at: string): object {
  const event = { status: 'success', timestamp: at, property: 'ensure', name: 'x', new_value: 'a', old_value: 'b' }
  const resource = {
    ...{ resource_type: 'File', resource_title: '/tmp/1', file: null, line: null, skipped: false, timestamp: at },
    ...{ containment_path: ['Stage[main]'], corrective_change: false },
    events: [{ ...event, message: 'changed', corrective_change: false }],
  }
  return {
    ...{ puppet_version: '8.10.0', report_format: 12, configuration_version: String(run), start_time: at },
    ...{ end_time: at, resources: [resource], noop: false, noop_pending: false, corrective_change: false },
    ...{ transaction_uuid: uuid, catalog_uuid: null, code_id: null, job_id: null, cached_catalog_status: 'not_used' },
    ...{ metrics: [], logs: [], status: 'changed', type: 'agent' },
  }
}

/** Writes commands, as the thread that writes does: all in one transaction. */
export async function written(database: Database, commands: readonly FleetCommand[]): Promise<void> {
  const received = new Date().toISOString()
  await database.transaction(async (inside) => {
    await prepareNodeWrite(
      inside,
      commands.map(({ certname }) => certname),
    )
    for (const command of commands) await ingest(inside, readCommand({ ...command, received }), Date.parse(received))
  })
}
