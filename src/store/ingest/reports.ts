import { deflateRawSync } from 'node:zlib'
import { sql } from 'kysely'
import type { StoredReport } from '../commands/command.ts'
import { type Database, getFirstRow } from '../database/database.ts'
import { computeIdentityHash, formatStoredJson } from './identity.ts'
import { activateNode, findOrInsertName, type IngestOutcome } from './nodes.ts'

/**
 * Adds a report with its events. The newest report of an agent run becomes the node's latest
 * report.
 */
export async function addReport(database: Database, report: StoredReport, received: number): Promise<IngestOutcome> {
  const time = Date.parse(report.producer_timestamp)
  const nodeId = await activateNode(database, report.certname, time)
  const hash = hashReport(report)
  const known = sql`select id from reports where hash = ${hash}`
  if (await getFirstRow(database, known, { prepared: true })) return 'duplicate'
  const row = { ...(await buildReportRow(database, report)), hash, node_id: nodeId, receive_time: received }
  const columns = sql.join(Object.keys(row).map((name) => sql.id(name)))
  const inserted = await getFirstRow<{ id: number }>(
    database,
    sql`insert into reports (${columns}) values (${sql.join(Object.values(row))}) returning id`,
  )
  await writeEvents(database, report, { reportId: inserted!.id, nodeId })
  if (report.type !== 'plan')
    await database.run(
      sql`update nodes set latest_report_id = ${inserted!.id}, latest_report_timestamp = ${time}
        where id = ${nodeId} and (latest_report_timestamp is null or latest_report_timestamp < ${time})`,
    )
  return 'incorporated'
}

/** PuppetDB's digest of a report. */
function hashReport(report: StoredReport): string {
  const { certname, puppet_version, report_format, configuration_version, transaction_uuid } = report
  const { start_time, end_time, producer_timestamp } = report
  return computeIdentityHash({
    certname,
    puppet_version,
    report_format,
    configuration_version,
    start_time,
    end_time,
    producer_timestamp,
    transaction_uuid,
  })
}

async function buildReportRow(database: Database, report: StoredReport) {
  const { status, noop, noop_pending, corrective_change, puppet_version, report_format } = report
  const { configuration_version, transaction_uuid, catalog_uuid, code_id, job_id, cached_catalog_status } = report
  return {
    environment_id: await findOrInsertName(database, 'environments', report.environment),
    producer_id: await findOrInsertName(database, 'producers', report.producer),
    status,
    noop,
    noop_pending,
    corrective_change,
    puppet_version,
    report_format,
    configuration_version,
    start_time: Date.parse(report.start_time),
    end_time: Date.parse(report.end_time),
    producer_timestamp: Date.parse(report.producer_timestamp),
    transaction_uuid,
    catalog_uuid,
    code_id,
    job_id,
    cached_catalog_status,
    report_type: report.type,
    metrics: deflateRawSync(formatStoredJson(report.metrics)),
    logs: deflateRawSync(formatStoredJson(report.logs)),
  }
}

const eventColumns = {
  status: 'text',
  timestamp: 'integer',
  resource_type: 'text',
  resource_title: 'text',
  property: 'text',
  name: 'text',
  new_value: 'text',
  old_value: 'text',
  message: 'text',
  file: 'text',
  line: 'integer',
  containment_path: 'json',
  containing_class: 'text',
  corrective_change: 'boolean',
} as const

/**
 * Writes the distinct events of a report. A skipped resource has one event with the status
 * `skipped`.
 */
async function writeEvents(
  database: Database,
  { resources }: StoredReport,
  { reportId, nodeId }: { reportId: number; nodeId: number },
): Promise<void> {
  const rows = new Map<string, readonly unknown[]>()
  for (const resource of resources) {
    const { resource_type, resource_title, file, line, containment_path: path } = resource
    const skipped = { status: 'skipped', timestamp: resource.timestamp, property: null, name: null, new_value: null }
    const none = { ...skipped, old_value: null, message: null, corrective_change: null }
    for (const event of resource.skipped ? [none] : resource.events) {
      const { status, timestamp, property, name, new_value, old_value, message, corrective_change } = event
      const values = [formatStoredJson(new_value), formatStoredJson(old_value)]
      const row = [
        status,
        Date.parse(timestamp),
        resource_type,
        resource_title,
        property,
        name,
        ...values,
        message,
        file,
        line,
      ]
      const place = [path === null ? null : JSON.stringify(path), getContainingClass(path)]
      rows.set(JSON.stringify(row), [...row, ...place, corrective_change])
    }
  }
  if (rows.size === 0) return
  const names = sql.join(Object.keys(eventColumns).map((name) => sql.id(name)))
  const handed = database.dialect.rows(eventColumns, [...rows.values()])
  await database.run(
    sql`insert into resource_events (report_id, node_id, ${names}) select ${reportId}, ${nodeId}, ${names} from ${handed}`,
  )
}

/** The innermost class in a containment path: the last entry without brackets. */
function getContainingClass(path: readonly string[] | null): string | null {
  return path?.findLast((each) => each !== '' && !each.includes('[')) ?? null
}
