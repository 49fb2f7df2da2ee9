import {
  createExactObject,
  type ExactJson,
  type ExactObject,
  getEntries,
  getMember,
  isExactObject,
} from '../../../base/json/exact-json.ts'
import { formatExactJson } from '../../../base/json/json-text.ts'
import type { StoredEvent, StoredReport, StoredResourceStatus } from '../command.ts'
import {
  addDefaults,
  readBooleanField,
  readListField,
  readTextField,
  readTimeField,
  readUuidField,
  renameKeys,
  replaceHyphens,
  replaceMembers,
  reportTimeShape,
} from './fields.ts'
import { storeCommandIssues } from './issues.ts'
import {
  allowNull,
  booleanShape,
  checkShape,
  createChoiceShape,
  createListShape,
  createObjectShape,
  matchAnything,
  matchInteger,
  numberShape,
  textShape,
} from './shape.ts'

/** Parses a report of versions 1 to 8. */
export function readReport(payload: ExactObject, version: number, received: string): StoredReport {
  const report = checkShape(upgradeReport(payload, version, received), shape, storeCommandIssues.COMMAND_SHAPE)
  return {
    certname: readTextField(report, 'certname')!,
    environment: version <= 2 ? null : readTextField(report, 'environment'),
    puppet_version: readTextField(report, 'puppet_version')!,
    report_format: getMember(report, 'report_format') as number,
    configuration_version: readTextField(report, 'configuration_version')!,
    start_time: readTimeField(report, 'start_time'),
    end_time: readTimeField(report, 'end_time'),
    producer_timestamp: readTimeField(report, 'producer_timestamp'),
    producer: readTextField(report, 'producer'),
    resources: readListField(report, 'resources').map(toStoredResource),
    noop: readBooleanField(report, 'noop'),
    noop_pending: readBooleanField(report, 'noop_pending'),
    corrective_change: readBooleanField(report, 'corrective_change'),
    transaction_uuid: readUuidField(report, 'transaction_uuid'),
    catalog_uuid: readUuidField(report, 'catalog_uuid'),
    code_id: readTextField(report, 'code_id'),
    job_id: readTextField(report, 'job_id'),
    cached_catalog_status: readTextField(report, 'cached_catalog_status'),
    metrics: readListField(report, 'metrics'),
    logs: readListField(report, 'logs'),
    status: readTextField(report, 'status'),
    type: readTextField(report, 'type') ?? 'agent',
  }
}

function toStoredResource(resource: ExactObject): StoredResourceStatus {
  return {
    resource_type: readTextField(resource, 'resource_type')!,
    resource_title: readTextField(resource, 'resource_title')!,
    timestamp: readTimeField(resource, 'timestamp'),
    skipped: readBooleanField(resource, 'skipped')!,
    file: readTextField(resource, 'file'),
    line: (getMember(resource, 'line') ?? null) as number | null,
    containment_path: (getMember(resource, 'containment_path') ?? null) as readonly string[] | null,
    corrective_change: readBooleanField(resource, 'corrective_change'),
    events: readListField(resource, 'events').map(toStoredEvent),
  }
}

function toStoredEvent(event: ExactObject): StoredEvent {
  return {
    status: readTextField(event, 'status')!,
    timestamp: readTimeField(event, 'timestamp'),
    name: readTextField(event, 'name'),
    property: readTextField(event, 'property'),
    new_value: getMember(event, 'new_value') ?? null,
    old_value: getMember(event, 'old_value') ?? null,
    message: readTextField(event, 'message'),
    corrective_change: readBooleanField(event, 'corrective_change'),
  }
}

/** Adds the fields that an older version does not have. PuppetDB: reports.clj, `wire-v3->wire-v8` and so on. */
function upgradeReport(payload: ExactObject, version: number, received: string): ExactObject {
  let report = payload
  if (version <= 2) report = addMissingPlaces(report)
  if (version <= 3) report = replaceMembers(report, { status: null })
  if (version <= 4) {
    report = renameKeys(report, replaceHyphens)
    const events = readObjectList(report, 'resource_events').map((event) => renameKeys(event, replaceHyphens))
    const unknown = { metrics: null, logs: null, noop: null, producer_timestamp: received }
    report = replaceMembers(report, { ...unknown, resource_events: events })
  }
  if (version <= 5) {
    const resources = groupEventsByResource(readObjectList(report, 'resource_events'))
    report = replaceMembers(
      renameKeys(report, (key) => (key === 'resource_events' ? 'resources' : key)),
      { resources },
    )
  }
  if (version <= 6) {
    const catalog = getMember(report, 'transaction_uuid') ?? null
    report = addDefaults(report, { catalog_uuid: catalog, cached_catalog_status: null, code_id: null })
  }
  return version <= 7 ? addCorrectiveChange(report) : report
}

/**
 * Adds the fields that versions 1 and 2 may lack: the environment; in version 1, also the file and
 * line of an event, and the transaction UUID of the report.
 */
function addMissingPlaces(report: ExactObject): ExactObject {
  const place = { file: null, line: null, 'containment-path': null }
  const events = readObjectList(report, 'resource-events').map((event) => addDefaults(event, place))
  return addDefaults(replaceMembers(report, { environment: '', 'resource-events': events }), {
    'transaction-uuid': null,
  })
}

function addCorrectiveChange(report: ExactObject): ExactObject {
  const none = { corrective_change: null }
  const resources = readObjectList(report, 'resources').map((resource) =>
    replaceMembers(resource, {
      ...none,
      events: readObjectList(resource, 'events').map((event) => replaceMembers(event, none)),
    }),
  )
  const unknown = { noop_pending: null, corrective_change: null, producer: null, job_id: null }
  return replaceMembers(addDefaults(report, unknown), { resources })
}

function readObjectList(object: ExactObject, field: string): readonly ExactObject[] {
  const value = getMember(object, field)
  return Array.isArray(value) ? value.filter(isExactObject) : []
}

const resourceFields = ['file', 'line', 'timestamp', 'resource_type', 'resource_title', 'containment_path']

/**
 * Groups events by resource. Up to version 5, a report lists events; events with the same resource
 * and the same timestamp belong together.
 */
function groupEventsByResource(events: readonly ExactObject[]): ExactObject[] {
  const resources = new Map<string, { readonly resource: ExactObject; readonly its: ExactObject[] }>()
  for (const event of events) {
    const members = resourceFields.flatMap((key) => {
      const value = getMember(event, key)
      return value === undefined ? [] : [[key, value] as const]
    })
    const skipped = getMember(event, 'status') === 'skipped'
    const resource = { ...Object.fromEntries(members), skipped }
    const key = formatExactJson(resource)
    if (!resources.has(key)) resources.set(key, { resource, its: [] })
    resources.get(key)!.its.push(addDefaults(omitResourceFields(event), { corrective_change: null }))
  }
  return [...resources.values()].map(({ resource, its }) =>
    replaceMembers(resource, { events: its, corrective_change: null }),
  )
}

function omitResourceFields(event: ExactObject): ExactObject {
  const place = resourceFields.filter((key) => key !== 'timestamp')
  const members = [...getEntries(event)].filter(([key, value]) => value !== undefined && !place.includes(key))
  return createExactObject(members as [string, ExactJson][])
}

const eventShape = createObjectShape({
  required: {
    status: textShape,
    corrective_change: allowNull(booleanShape),
    timestamp: reportTimeShape,
    property: allowNull(textShape),
    new_value: matchAnything,
    old_value: matchAnything,
    message: allowNull(textShape),
  },
  optional: { name: allowNull(textShape) },
})

const resourceShape = createObjectShape({
  required: {
    skipped: booleanShape,
    timestamp: reportTimeShape,
    resource_type: textShape,
    resource_title: textShape,
    file: allowNull(textShape),
    line: allowNull(matchInteger),
    containment_path: createListShape(textShape),
    corrective_change: allowNull(booleanShape),
    events: createListShape(eventShape),
  },
})

const metricShape = createObjectShape({ required: { category: textShape, name: textShape, value: numberShape } })

const logShape = createObjectShape({
  required: {
    file: allowNull(textShape),
    line: allowNull(matchInteger),
    level: textShape,
    message: textShape,
    source: textShape,
    tags: createListShape(textShape),
    time: reportTimeShape,
  },
})

const shape = createObjectShape({
  required: {
    certname: textShape,
    puppet_version: textShape,
    report_format: matchInteger,
    configuration_version: textShape,
    start_time: reportTimeShape,
    end_time: reportTimeShape,
    producer_timestamp: reportTimeShape,
    producer: allowNull(textShape),
    corrective_change: allowNull(booleanShape),
    resources: createListShape(resourceShape),
    noop: allowNull(booleanShape),
    noop_pending: allowNull(booleanShape),
    transaction_uuid: allowNull(textShape),
    catalog_uuid: allowNull(textShape),
    code_id: allowNull(textShape),
    cached_catalog_status: allowNull(textShape),
    metrics: createListShape(metricShape),
    logs: createListShape(logShape),
    environment: textShape,
    status: allowNull(textShape),
  },
  optional: { job_id: allowNull(textShape), type: createChoiceShape('agent', 'plan') },
})
