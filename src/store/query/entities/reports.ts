import { inflateRawSync } from 'node:zlib'
import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import type { EntityFactory, EntityField, ValueLoader } from '../entity.ts'
import { createBooleanField, createNumberField, createTextField, createTimeField } from './columns.ts'
import { addHref, groupByOwner } from './facts.ts'
import { certnameField, createEnvironmentField } from './nodes.ts'
import { certnameRelationships, environmentRelationships, producerRelationships } from './relationships.ts'

const createReportJsonField = (load: ValueLoader): EntityField => ({
  type: 'json',
  queryable: false,
  loaded: { id: sql.ref('reports.id'), load },
})

/** Reports of agent runs and plans. */
export const createReportsEntity: EntityFactory = () => ({
  alias: 'reports',
  fields: {
    receive_time: createTimeField('reports.receive_time'),
    corrective_change: { ...createBooleanField('reports.corrective_change'), type: 'string' },
    code_id: createTextField('reports.code_id'),
    noop: createBooleanField('reports.noop'),
    certname: certnameField,
    puppet_version: createTextField('reports.puppet_version'),
    hash: createTextField('reports.hash'),
    cached_catalog_status: createTextField('reports.cached_catalog_status'),
    transaction_uuid: createTextField('reports.transaction_uuid'),
    configuration_version: createTextField('reports.configuration_version'),
    status: createTextField('reports.status'),
    job_id: createTextField('reports.job_id'),
    producer: createTextField('producers.name'),
    catalog_uuid: createTextField('reports.catalog_uuid'),
    logs: createReportJsonField(createDeflatedLoader('logs')),
    noop_pending: createBooleanField('reports.noop_pending'),
    end_time: createTimeField('reports.end_time'),
    type: createTextField('reports.report_type'),
    environment: createEnvironmentField('reports.environment_id'),
    'latest_report?': { type: 'string', projectable: false },
    start_time: createTimeField('reports.start_time'),
    resource_events: createReportJsonField(loadEvents),
    metrics: createReportJsonField(createDeflatedLoader('metrics')),
    producer_timestamp: createTimeField('reports.producer_timestamp'),
    report_format: createNumberField('reports.report_format'),
  },
  from: sql`reports join nodes on nodes.id = reports.node_id
    left join environments on environments.id = reports.environment_id
    left join producers on producers.id = reports.producer_id`,
  relationships: {
    ...certnameRelationships,
    ...environmentRelationships,
    ...producerRelationships,
    events: { local: ['hash'], foreign: ['report'] },
  },
  dotted: [],
  latestReport: 'reports',
  hidesPlans: true,
})

/** Events of reports. */
export const createEventsEntity: EntityFactory = () => ({
  alias: 'events',
  fields: {
    message: createTextField('resource_events.message'),
    old_value: { ...createTextField('resource_events.old_value'), reading: 'json' },
    report_receive_time: createTimeField('reports.receive_time'),
    corrective_change: createBooleanField('resource_events.corrective_change'),
    containment_path: { type: 'array', sql: sql.ref('resource_events.containment_path'), reading: 'json' },
    certname: certnameField,
    timestamp: createTimeField('resource_events.timestamp'),
    run_end_time: createTimeField('reports.end_time'),
    name: createTextField('resource_events.name'),
    configuration_version: createTextField('reports.configuration_version'),
    new_value: { ...createTextField('resource_events.new_value'), reading: 'json' },
    resource_title: createTextField('resource_events.resource_title'),
    status: createTextField('resource_events.status'),
    property: createTextField('resource_events.property'),
    resource_type: createTextField('resource_events.resource_type'),
    line: createNumberField('resource_events.line'),
    environment: createEnvironmentField('reports.environment_id'),
    containing_class: createTextField('resource_events.containing_class'),
    run_start_time: createTimeField('reports.start_time'),
    'latest_report?': { type: 'boolean', projectable: false },
    file: createTextField('resource_events.file'),
    report: createTextField('reports.hash'),
  },
  from: sql`resource_events
    join reports on reports.id = resource_events.report_id
    join nodes on nodes.id = resource_events.node_id
    left join environments on environments.id = reports.environment_id`,
  relationships: {
    ...certnameRelationships,
    ...environmentRelationships,
    reports: { local: ['report'], foreign: ['hash'] },
  },
  dotted: [],
  latestReport: 'events',
})

function createDeflatedLoader(column: 'logs' | 'metrics'): ValueLoader {
  return async (database, ids) => {
    const rows = await (database.past?.present ?? database).all<{ id: number; hash: string; data: Uint8Array }>(
      sql`select id, hash, ${sql.ref(column)} as data from reports
        where id in (select value from ${database.dialect.integers(ids)})`,
    )
    return new Map(
      rows.map(({ id, hash, data }) => [
        id,
        addHref(inflateRawSync(data).toString(), `/pdb/query/v4/reports/${hash}/${column}`),
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
  const found = groupByOwner(rows, { text: formatEvent, href: ({ hash }) => `/pdb/query/v4/reports/${hash}/events` })
  const missing = ids.filter((id) => !found.has(id))
  if (missing.length === 0) return found
  const hashes = await database.all<{ id: number; hash: string }>(
    sql`select id, hash from reports where id in (select value from ${integers(missing)})`,
  )
  return new Map([
    ...found,
    ...hashes.map(({ id, hash }) => [id, addHref('null', `/pdb/query/v4/reports/${hash}/events`)] as const),
  ])
}

function formatEvent(row: EventRow): string {
  const { id: _, hash: __, new_value, old_value, containment_path, corrective_change, timestamp, ...rest } = row
  const plain = JSON.stringify({
    ...rest,
    timestamp: formatPostgresTime(timestamp),
    corrective_change: corrective_change === null ? null : Boolean(corrective_change),
  })
  return `${plain.slice(0, -1)},"new_value":${new_value},"old_value":${old_value},"containment_path":${containment_path}}`
}

/** Formats a time as PostgreSQL does in JSON; PuppetDB returns this text unchanged: `2026-11-20T06:04:30.01+00:00`. */
function formatPostgresTime(milliseconds: number): string {
  return `${new Date(milliseconds)
    .toISOString()
    .replace(/\.?0{1,3}Z$/, '')
    .replace(/Z$/, '')}+00:00`
}

/** The latest report of each node, for expanded queries. */
export const createLatestReportEntity: EntityFactory = () => ({
  alias: 'latest_report',
  fields: { latest_report_hash: createTextField('reports.hash') },
  from: sql`nodes join reports on reports.id = nodes.latest_report_id`,
  relationships: {},
  dotted: [],
})
