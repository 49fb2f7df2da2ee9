import {
  type ExactJson,
  type ExactObject,
  entriesOf,
  exactObject,
  isExactObject,
  memberOf,
} from '../../../base/json/exact-json.ts'
import { printJson } from '../../../base/json/json-text.ts'
import type { StoredEvent, StoredReport, StoredResourceStatus } from '../command.ts'
import {
  booleanIn,
  listIn,
  renamed,
  reportTimeShape,
  textIn,
  timeIn,
  underscored,
  uuidIn,
  withDefaults,
  withMembers,
} from './fields.ts'
import { issues } from './issues.ts'
import { anyNumber, anything, boolean, integer, listOf, nullable, objectOf, oneOf, shaped, text } from './shape.ts'

/** Parses a report of versions 1 to 8. */
export function readReport(payload: ExactObject, version: number, received: string): StoredReport {
  const report = shaped(inLastVersion(payload, version, received), shape, issues.COMMAND_SHAPE)
  return {
    certname: textIn(report, 'certname')!,
    environment: version <= 2 ? null : textIn(report, 'environment'),
    puppet_version: textIn(report, 'puppet_version')!,
    report_format: memberOf(report, 'report_format') as number,
    configuration_version: textIn(report, 'configuration_version')!,
    start_time: timeIn(report, 'start_time'),
    end_time: timeIn(report, 'end_time'),
    producer_timestamp: timeIn(report, 'producer_timestamp'),
    producer: textIn(report, 'producer'),
    resources: listIn(report, 'resources').map(storedResource),
    noop: booleanIn(report, 'noop'),
    noop_pending: booleanIn(report, 'noop_pending'),
    corrective_change: booleanIn(report, 'corrective_change'),
    transaction_uuid: uuidIn(report, 'transaction_uuid'),
    catalog_uuid: uuidIn(report, 'catalog_uuid'),
    code_id: textIn(report, 'code_id'),
    job_id: textIn(report, 'job_id'),
    cached_catalog_status: textIn(report, 'cached_catalog_status'),
    metrics: listIn(report, 'metrics'),
    logs: listIn(report, 'logs'),
    status: textIn(report, 'status'),
    type: textIn(report, 'type') ?? 'agent',
  }
}

function storedResource(resource: ExactObject): StoredResourceStatus {
  return {
    resource_type: textIn(resource, 'resource_type')!,
    resource_title: textIn(resource, 'resource_title')!,
    timestamp: timeIn(resource, 'timestamp'),
    skipped: booleanIn(resource, 'skipped')!,
    file: textIn(resource, 'file'),
    line: (memberOf(resource, 'line') ?? null) as number | null,
    containment_path: (memberOf(resource, 'containment_path') ?? null) as readonly string[] | null,
    corrective_change: booleanIn(resource, 'corrective_change'),
    events: listIn(resource, 'events').map(storedEvent),
  }
}

function storedEvent(event: ExactObject): StoredEvent {
  return {
    status: textIn(event, 'status')!,
    timestamp: timeIn(event, 'timestamp'),
    name: textIn(event, 'name'),
    property: textIn(event, 'property'),
    new_value: memberOf(event, 'new_value') ?? null,
    old_value: memberOf(event, 'old_value') ?? null,
    message: textIn(event, 'message'),
    corrective_change: booleanIn(event, 'corrective_change'),
  }
}

/** Adds the fields that an older version does not have. PuppetDB: reports.clj, `wire-v3->wire-v8` and so on. */
function inLastVersion(payload: ExactObject, version: number, received: string): ExactObject {
  let report = payload
  if (version <= 2) report = withoutPlaces(report)
  if (version <= 3) report = withMembers(report, { status: null })
  if (version <= 4) {
    report = renamed(report, underscored)
    const events = objectsIn(report, 'resource_events').map((event) => renamed(event, underscored))
    const unknown = { metrics: null, logs: null, noop: null, producer_timestamp: received }
    report = withMembers(report, { ...unknown, resource_events: events })
  }
  if (version <= 5) {
    const resources = resourcesOf(objectsIn(report, 'resource_events'))
    report = withMembers(
      renamed(report, (key) => (key === 'resource_events' ? 'resources' : key)),
      { resources },
    )
  }
  if (version <= 6) {
    const catalog = memberOf(report, 'transaction_uuid') ?? null
    report = withDefaults(report, { catalog_uuid: catalog, cached_catalog_status: null, code_id: null })
  }
  return version <= 7 ? withoutCorrections(report) : report
}

/**
 * Adds the fields that versions 1 and 2 may lack: the environment; in version 1, also the file and
 * line of an event, and the transaction UUID of the report.
 */
function withoutPlaces(report: ExactObject): ExactObject {
  const place = { file: null, line: null, 'containment-path': null }
  const events = objectsIn(report, 'resource-events').map((event) => withDefaults(event, place))
  return withDefaults(withMembers(report, { environment: '', 'resource-events': events }), { 'transaction-uuid': null })
}

function withoutCorrections(report: ExactObject): ExactObject {
  const none = { corrective_change: null }
  const resources = objectsIn(report, 'resources').map((resource) =>
    withMembers(resource, { ...none, events: objectsIn(resource, 'events').map((event) => withMembers(event, none)) }),
  )
  const unknown = { noop_pending: null, corrective_change: null, producer: null, job_id: null }
  return withMembers(withDefaults(report, unknown), { resources })
}

function objectsIn(object: ExactObject, field: string): readonly ExactObject[] {
  const value = memberOf(object, field)
  return Array.isArray(value) ? value.filter(isExactObject) : []
}

const ofResource = ['file', 'line', 'timestamp', 'resource_type', 'resource_title', 'containment_path']

/**
 * Groups events by resource. Up to version 5, a report lists events; events with the same resource
 * and the same timestamp belong together.
 */
function resourcesOf(events: readonly ExactObject[]): ExactObject[] {
  const resources = new Map<string, { readonly resource: ExactObject; readonly its: ExactObject[] }>()
  for (const event of events) {
    const members = ofResource.flatMap((key) => {
      const value = memberOf(event, key)
      return value === undefined ? [] : [[key, value] as const]
    })
    const skipped = memberOf(event, 'status') === 'skipped'
    const resource = { ...Object.fromEntries(members), skipped }
    const key = printJson(resource)
    if (!resources.has(key)) resources.set(key, { resource, its: [] })
    resources.get(key)!.its.push(withDefaults(withoutPlace(event), { corrective_change: null }))
  }
  return [...resources.values()].map(({ resource, its }) =>
    withMembers(resource, { events: its, corrective_change: null }),
  )
}

function withoutPlace(event: ExactObject): ExactObject {
  const place = ofResource.filter((key) => key !== 'timestamp')
  const members = [...entriesOf(event)].filter(([key, value]) => value !== undefined && !place.includes(key))
  return exactObject(members as [string, ExactJson][])
}

const eventShape = objectOf({
  required: {
    status: text,
    corrective_change: nullable(boolean),
    timestamp: reportTimeShape,
    property: nullable(text),
    new_value: anything,
    old_value: anything,
    message: nullable(text),
  },
  optional: { name: nullable(text) },
})

const resourceShape = objectOf({
  required: {
    skipped: boolean,
    timestamp: reportTimeShape,
    resource_type: text,
    resource_title: text,
    file: nullable(text),
    line: nullable(integer),
    containment_path: listOf(text),
    corrective_change: nullable(boolean),
    events: listOf(eventShape),
  },
})

const metricShape = objectOf({ required: { category: text, name: text, value: anyNumber } })

const logShape = objectOf({
  required: {
    file: nullable(text),
    line: nullable(integer),
    level: text,
    message: text,
    source: text,
    tags: listOf(text),
    time: reportTimeShape,
  },
})

const shape = objectOf({
  required: {
    certname: text,
    puppet_version: text,
    report_format: integer,
    configuration_version: text,
    start_time: reportTimeShape,
    end_time: reportTimeShape,
    producer_timestamp: reportTimeShape,
    producer: nullable(text),
    corrective_change: nullable(boolean),
    resources: listOf(resourceShape),
    noop: nullable(boolean),
    noop_pending: nullable(boolean),
    transaction_uuid: nullable(text),
    catalog_uuid: nullable(text),
    code_id: nullable(text),
    cached_catalog_status: nullable(text),
    metrics: listOf(metricShape),
    logs: listOf(logShape),
    environment: text,
    status: nullable(text),
  },
  optional: { job_id: nullable(text), type: oneOf('agent', 'plan') },
})
