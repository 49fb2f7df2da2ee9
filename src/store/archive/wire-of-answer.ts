import { type ExactJson, type ExactObject, exactObject, memberOf } from '../../base/json/exact-json.ts'

/** A row of a query's response, as JSON. */
type Answered = ExactObject

const list = (json: ExactJson | undefined): readonly ExactObject[] =>
  (Array.isArray(json) ? json : []) as readonly ExactObject[]

/** The rows in an expanded field: `{"data":[…],"href":…}`. */
const expanded = (row: Answered, field: string) => list(memberOf(memberOf(row, field), 'data'))

const pick = (row: Answered, ...names: readonly string[]): ExactObject =>
  exactObject(names.map((name) => [name, memberOf(row, name) ?? null]))

/** Converts a row of a catalog query to wire format version 9. */
export function catalogOfAnswer(row: Answered): ExactObject {
  const scalars = ['catalog_uuid', 'producer', 'transaction_uuid', 'producer_timestamp', 'environment', 'code_id']
  return exactObject([
    ...scalars.map((name) => [name, memberOf(row, name) ?? null] as const),
    ['version', memberOf(row, 'version') ?? null],
    ['resources', expanded(row, 'resources').map(resourceOf) as unknown as ExactJson],
    ['certname', memberOf(row, 'certname') ?? null],
    ['edges', expanded(row, 'edges').map(edgeOf) as unknown as ExactJson],
    ['job_id', memberOf(row, 'job_id') ?? null],
  ])
}

function resourceOf(row: Answered): ExactObject {
  const place = ['file', 'line'].flatMap((name) => {
    const value = memberOf(row, name) ?? null
    return value === null ? [] : [[name, value] as const]
  })
  const whole = ['type', 'title', 'tags', 'exported'].map((name) => [name, memberOf(row, name) ?? null] as const)
  return exactObject([...whole, ...place, ['parameters', memberOf(row, 'parameters') ?? exactObject([])]])
}

function edgeOf(row: Answered): ExactObject {
  const end = (which: string) =>
    exactObject([
      ['title', memberOf(row, `${which}_title`) ?? null],
      ['type', memberOf(row, `${which}_type`) ?? null],
    ])
  return exactObject([
    ['source', end('source')],
    ['target', end('target')],
    ['relationship', memberOf(row, 'relationship') ?? null],
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
export function reportOfAnswer(row: Answered): ExactObject {
  const resources = new Map<string, { resource: readonly (readonly [string, ExactJson])[]; events: ExactObject[] }>()
  for (const event of expanded(row, 'resource_events')) {
    const skipped = memberOf(event, 'status') === 'skipped'
    const names = ['file', 'line', 'resource_type', 'resource_title', 'timestamp', 'containment_path']
    const resource = [
      ...names.map((name) => [name, memberOf(event, name) ?? null] as const),
      ['skipped', skipped] as const,
    ]
    const key = JSON.stringify(resource)
    const known = resources.get(key) ?? { resource, events: [] }
    known.events.push(pick(event, ...ofEvent))
    resources.set(key, known)
  }
  const whole = [...resources.values()].map(({ resource, events }) =>
    exactObject([...resource, ['events', events as unknown as ExactJson], ['corrective_change', null]]),
  )
  return exactObject([
    ...ofReport.map((name) => [name, memberOf(row, name) ?? null] as const),
    ['logs', expanded(row, 'logs') as unknown as ExactJson],
    ['metrics', expanded(row, 'metrics') as unknown as ExactJson],
    ['resources', whole as unknown as ExactJson],
  ])
}

/** Converts a factset row and the node's package rows to wire format version 5. */
export function factsOfAnswer(row: Answered, packages: readonly ExactObject[]): ExactObject {
  const values = expanded(row, 'facts').map(
    (fact) => [String(memberOf(fact, 'name')), memberOf(fact, 'value') ?? null] as const,
  )
  const inventory = packages.map((each) =>
    ['package_name', 'version', 'provider'].map((name) => memberOf(each, name) ?? null),
  )
  return exactObject([
    ...['certname', 'producer_timestamp', 'producer', 'environment'].map(
      (name) => [name, memberOf(row, name) ?? null] as const,
    ),
    ['values', exactObject(values)],
    ...(inventory.length > 0 ? [['package_inventory', inventory as unknown as ExactJson] as const] : []),
  ])
}

/**
 * Converts a node row to `configure expiration` version 1; `undefined` if no expiration was set.
 */
export function expirationOfAnswer(row: Answered): ExactObject | undefined {
  const updated = memberOf(row, 'expires_facts_updated') ?? null
  if (updated === null) return undefined
  return exactObject([
    ['certname', memberOf(row, 'certname') ?? null],
    ['expire', exactObject([['facts', memberOf(row, 'expires_facts') ?? null]])],
    ['producer_timestamp', updated],
  ])
}

/** Converts a row of a catalog-inputs query to wire format version 1. */
export function inputsOfAnswer(row: Answered): ExactObject {
  return pick(row, 'certname', 'producer_timestamp', 'catalog_uuid', 'inputs')
}
