import { createExactObject, type ExactJson, type ExactObject, getMember } from '../../base/json/exact-json.ts'

/** A row of a query's response, as JSON. */
type ResponseRow = ExactObject

const toObjectList = (json: ExactJson | undefined): readonly ExactObject[] =>
  (Array.isArray(json) ? json : []) as readonly ExactObject[]

/** The rows in an expanded field: `{"data":[…],"href":…}`. */
const getExpandedRows = (row: ResponseRow, field: string) => toObjectList(getMember(getMember(row, field), 'data'))

const pickMembers = (row: ResponseRow, ...names: readonly string[]): ExactObject =>
  createExactObject(names.map((name) => [name, getMember(row, name) ?? null]))

/** Converts a row of a catalog query to wire format version 9. */
export function toWireCatalog(row: ResponseRow): ExactObject {
  const scalars = ['catalog_uuid', 'producer', 'transaction_uuid', 'producer_timestamp', 'environment', 'code_id']
  return createExactObject([
    ...scalars.map((name) => [name, getMember(row, name) ?? null] as const),
    ['version', getMember(row, 'version') ?? null],
    ['resources', getExpandedRows(row, 'resources').map(toWireResource) as unknown as ExactJson],
    ['certname', getMember(row, 'certname') ?? null],
    ['edges', getExpandedRows(row, 'edges').map(toWireEdge) as unknown as ExactJson],
    ['job_id', getMember(row, 'job_id') ?? null],
  ])
}

function toWireResource(row: ResponseRow): ExactObject {
  const place = ['file', 'line'].flatMap((name) => {
    const value = getMember(row, name) ?? null
    return value === null ? [] : [[name, value] as const]
  })
  const whole = ['type', 'title', 'tags', 'exported'].map((name) => [name, getMember(row, name) ?? null] as const)
  return createExactObject([...whole, ...place, ['parameters', getMember(row, 'parameters') ?? createExactObject([])]])
}

function toWireEdge(row: ResponseRow): ExactObject {
  const toEdgeEnd = (which: string) =>
    createExactObject([
      ['title', getMember(row, `${which}_title`) ?? null],
      ['type', getMember(row, `${which}_type`) ?? null],
    ])
  return createExactObject([
    ['source', toEdgeEnd('source')],
    ['target', toEdgeEnd('target')],
    ['relationship', getMember(row, 'relationship') ?? null],
  ])
}

const ofReport = [
  ...['catalog_uuid', 'producer', 'transaction_uuid', 'puppet_version', 'noop', 'corrective_change', 'report_format'],
  ...['start_time', 'producer_timestamp', 'type', 'cached_catalog_status', 'end_time', 'status'],
  ...['configuration_version', 'environment', 'code_id', 'noop_pending', 'certname', 'job_id'],
]
const ofEvent = ['new_value', 'corrective_change', 'property', 'name', 'old_value', 'status', 'timestamp', 'message']

/**
 * Converts a row of a report query to wire format version 8. That format groups events by resource,
 * while the query returns each event separately.
 */
export function toWireReport(row: ResponseRow): ExactObject {
  const resources = new Map<string, { resource: readonly (readonly [string, ExactJson])[]; events: ExactObject[] }>()
  for (const event of getExpandedRows(row, 'resource_events')) {
    const skipped = getMember(event, 'status') === 'skipped'
    const names = ['file', 'line', 'resource_type', 'resource_title', 'timestamp', 'containment_path']
    const resource = [
      ...names.map((name) => [name, getMember(event, name) ?? null] as const),
      ['skipped', skipped] as const,
    ]
    const key = JSON.stringify(resource)
    const known = resources.get(key) ?? { resource, events: [] }
    known.events.push(pickMembers(event, ...ofEvent))
    resources.set(key, known)
  }
  const whole = [...resources.values()].map(({ resource, events }) =>
    createExactObject([...resource, ['events', events as unknown as ExactJson], ['corrective_change', null]]),
  )
  return createExactObject([
    ...ofReport.map((name) => [name, getMember(row, name) ?? null] as const),
    ['logs', getExpandedRows(row, 'logs') as unknown as ExactJson],
    ['metrics', getExpandedRows(row, 'metrics') as unknown as ExactJson],
    ['resources', whole as unknown as ExactJson],
  ])
}

/** Converts a factset row and the node's package rows to wire format version 5. */
export function toWireFacts(row: ResponseRow, packages: readonly ExactObject[]): ExactObject {
  const values = getExpandedRows(row, 'facts').map(
    (fact) => [String(getMember(fact, 'name')), getMember(fact, 'value') ?? null] as const,
  )
  const inventory = packages.map((each) =>
    ['package_name', 'version', 'provider'].map((name) => getMember(each, name) ?? null),
  )
  return createExactObject([
    ...['certname', 'producer_timestamp', 'producer', 'environment'].map(
      (name) => [name, getMember(row, name) ?? null] as const,
    ),
    ['values', createExactObject(values)],
    ...(inventory.length > 0 ? [['package_inventory', inventory as unknown as ExactJson] as const] : []),
  ])
}

/**
 * Converts a node row to `configure expiration` version 1; `undefined` if no expiration was set.
 */
export function toWireExpiration(row: ResponseRow): ExactObject | undefined {
  const updated = getMember(row, 'expires_facts_updated') ?? null
  if (updated === null) return undefined
  return createExactObject([
    ['certname', getMember(row, 'certname') ?? null],
    ['expire', createExactObject([['facts', getMember(row, 'expires_facts') ?? null]])],
    ['producer_timestamp', updated],
  ])
}

/** Converts a row of a catalog-inputs query to wire format version 1. */
export function toWireInputs(row: ResponseRow): ExactObject {
  return pickMembers(row, 'certname', 'producer_timestamp', 'catalog_uuid', 'inputs')
}
