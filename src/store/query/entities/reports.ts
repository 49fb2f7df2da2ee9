import { inflateRawSync } from 'node:zlib'
import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import type { EntityOf, Field, Loading } from '../entity.ts'
import { flag, number, text, time } from './columns.ts'
import { grouped, withHref } from './facts.ts'
import { certname, environment } from './nodes.ts'
import { byCertname, byEnvironment, byProducer } from './relationships.ts'

const json = (load: Loading): Field => ({
  type: 'json',
  queryable: false,
  loaded: { id: sql.ref('reports.id'), load },
})

/** Reports of agent runs and plans. */
export const reports: EntityOf = () => ({
  alias: 'reports',
  fields: {
    receive_time: time('reports.receive_time'),
    corrective_change: { ...flag('reports.corrective_change'), type: 'string' },
    code_id: text('reports.code_id'),
    noop: flag('reports.noop'),
    certname,
    puppet_version: text('reports.puppet_version'),
    hash: text('reports.hash'),
    cached_catalog_status: text('reports.cached_catalog_status'),
    transaction_uuid: text('reports.transaction_uuid'),
    configuration_version: text('reports.configuration_version'),
    status: text('reports.status'),
    job_id: text('reports.job_id'),
    producer: text('producers.name'),
    catalog_uuid: text('reports.catalog_uuid'),
    logs: json(loadDeflated('logs')),
    noop_pending: flag('reports.noop_pending'),
    end_time: time('reports.end_time'),
    type: text('reports.report_type'),
    environment: environment('reports.environment_id'),
    'latest_report?': { type: 'string', projectable: false },
    start_time: time('reports.start_time'),
    resource_events: json(loadEvents),
    metrics: json(loadDeflated('metrics')),
    producer_timestamp: time('reports.producer_timestamp'),
    report_format: number('reports.report_format'),
  },
  from: sql`reports join nodes on nodes.id = reports.node_id
    left join environments on environments.id = reports.environment_id
    left join producers on producers.id = reports.producer_id`,
  relationships: { ...byCertname, ...byEnvironment, ...byProducer, events: { local: ['hash'], foreign: ['report'] } },
  dotted: [],
  latestReport: 'reports',
  hidesPlans: true,
})

/** Events of reports. */
export const events: EntityOf = () => ({
  alias: 'events',
  fields: {
    message: text('resource_events.message'),
    old_value: { ...text('resource_events.old_value'), reading: 'json' },
    report_receive_time: time('reports.receive_time'),
    corrective_change: flag('resource_events.corrective_change'),
    containment_path: { type: 'array', sql: sql.ref('resource_events.containment_path'), reading: 'json' },
    certname,
    timestamp: time('resource_events.timestamp'),
    run_end_time: time('reports.end_time'),
    name: text('resource_events.name'),
    configuration_version: text('reports.configuration_version'),
    new_value: { ...text('resource_events.new_value'), reading: 'json' },
    resource_title: text('resource_events.resource_title'),
    status: text('resource_events.status'),
    property: text('resource_events.property'),
    resource_type: text('resource_events.resource_type'),
    line: number('resource_events.line'),
    environment: environment('reports.environment_id'),
    containing_class: text('resource_events.containing_class'),
    run_start_time: time('reports.start_time'),
    'latest_report?': { type: 'boolean', projectable: false },
    file: text('resource_events.file'),
    report: text('reports.hash'),
  },
  from: sql`resource_events
    join reports on reports.id = resource_events.report_id
    join nodes on nodes.id = resource_events.node_id
    left join environments on environments.id = reports.environment_id`,
  relationships: { ...byCertname, ...byEnvironment, reports: { local: ['report'], foreign: ['hash'] } },
  dotted: [],
  latestReport: 'events',
})

function loadDeflated(column: 'logs' | 'metrics'): Loading {
  return async (database, ids) => {
    const rows = await (database.past?.present ?? database).all<{ id: number; hash: string; data: Uint8Array }>(
      sql`select id, hash, ${sql.ref(column)} as data from reports
        where id in (select value from ${database.dialect.integers(ids)})`,
    )
    return new Map(
      rows.map(({ id, hash, data }) => [
        id,
        withHref(inflateRawSync(data).toString(), `/pdb/query/v4/reports/${hash}/${column}`),
      ]),
    )
  }
}

interface EventRow {
  readonly id: number
  readonly hash: string
  readonly timestamp: number
  readonly new_value: string
  readonly old_value: string
  readonly containment_path: string | null
  readonly corrective_change: number | boolean | null
}

async function loadEvents(given: Database, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const database = given.past?.present ?? given
  const { integers, jsonText } = database.dialect
  const rows = await database.all<EventRow>(
    sql`select reports.id as id, reports.hash as hash, resource_events.status as status,
        resource_events.timestamp as timestamp, resource_type, resource_title, property,
        resource_events.corrective_change as corrective_change, new_value, old_value, message, file, line,
        ${jsonText(sql.ref('containment_path'))} as containment_path, containing_class, name
      from reports join resource_events on resource_events.report_id = reports.id
      where reports.id in (select value from ${integers(ids)})`,
  )
  const found = grouped(rows, { text: eventText, href: ({ hash }) => `/pdb/query/v4/reports/${hash}/events` })
  const missing = ids.filter((id) => !found.has(id))
  if (missing.length === 0) return found
  const hashes = await database.all<{ id: number; hash: string }>(
    sql`select id, hash from reports where id in (select value from ${integers(missing)})`,
  )
  return new Map([
    ...found,
    ...hashes.map(({ id, hash }) => [id, withHref('null', `/pdb/query/v4/reports/${hash}/events`)] as const),
  ])
}

function eventText(row: EventRow): string {
  const { id: _, hash: __, new_value, old_value, containment_path, corrective_change, timestamp, ...rest } = row
  const plain = JSON.stringify({
    ...rest,
    timestamp: postgresTime(timestamp),
    corrective_change: corrective_change === null ? null : Boolean(corrective_change),
  })
  return `${plain.slice(0, -1)},"new_value":${new_value},"old_value":${old_value},"containment_path":${containment_path}}`
}

/** Formats a time as PostgreSQL does in JSON; PuppetDB returns this text unchanged: `2026-11-20T06:04:30.01+00:00`. */
function postgresTime(milliseconds: number): string {
  return `${new Date(milliseconds)
    .toISOString()
    .replace(/\.?0{1,3}Z$/, '')
    .replace(/Z$/, '')}+00:00`
}

/** The latest report of each node, for expanded queries. */
export const latestReport: EntityOf = () => ({
  alias: 'latest_report',
  fields: { latest_report_hash: text('reports.hash') },
  from: sql`nodes join reports on reports.id = nodes.latest_report_id`,
  relationships: {},
  dotted: [],
})
