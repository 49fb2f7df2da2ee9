import type { CommandName } from '../../../src/store/commands/command.ts'

/** A command that PuppetDB and ours are asked to read. */
export interface CommandCase {
  readonly name: string
  readonly command: CommandName
  readonly version: number
  /** JSON text, or what stands in its place. */
  readonly payload: string
}

type Members = Readonly<Record<string, unknown>>

/** The moment at which all of them came in. */
export const received = '2026-11-23T00:00:00.000Z'

const uuid = '7b0c9f0e-6c1d-4d55-8a63-0b8f1b1c9f10'

/** A catalog of version 9, of two resources. */
export function catalog(more: Members = {}): Members {
  return {
    certname: 'web1',
    version: '1763851976',
    environment: 'production',
    transaction_uuid: uuid,
    catalog_uuid: '827a74c8-cf98-44da-9ff7-18c5e4bee41e',
    code_id: null,
    job_id: null,
    producer_timestamp: '2026-11-22T06:32:56.123Z',
    producer: 'puppet',
    edges: [edge()],
    resources: [resource({ type: 'Class', title: 'Motd', parameters: {} }), resource()],
    ...more,
  }
}

/** A resource of it. */
export function resource(more: Members = {}): Members {
  return {
    type: 'File',
    title: '/etc/motd',
    exported: false,
    file: '/m.pp',
    line: 3,
    tags: ['file', 'class', 'motd'],
    parameters: { ensure: 'file', big: 123, list: ['a', null, { b: 1 }] },
    ...more,
  }
}

/** An edge of it. */
export function edge(more: Members = {}): Members {
  return {
    source: { type: 'Class', title: 'Motd' },
    target: { type: 'File', title: '/etc/motd' },
    relationship: 'contains',
    ...more,
  }
}

function without(members: Members, ...keys: readonly string[]): Members {
  return Object.fromEntries(Object.entries(members).filter(([key]) => !keys.includes(key)))
}

function dashed(members: Members): Members {
  return Object.fromEntries(Object.entries(members).map(([key, value]) => [key.replaceAll('_', '-'), value]))
}

const catalogs: Readonly<Record<string, unknown>> = {
  whole: catalog(),
  'nothing in it': catalog({ edges: [], resources: [] }),
  'no certname': without(catalog(), 'certname'),
  'certname a number': catalog({ certname: 5 }),
  'certname null': catalog({ certname: null }),
  'version a number': catalog({ version: 1763851976 }),
  'a long wrong value': catalog({ version: { a: 'x'.repeat(40) } }),
  'a long wrong list': catalog({ producer: ['x'.repeat(40)] }),
  'no environment': without(catalog(), 'environment'),
  'no transaction': without(catalog(), 'transaction_uuid'),
  'no catalog uuid': without(catalog(), 'catalog_uuid'),
  'no code_id': without(catalog(), 'code_id'),
  'no job_id': without(catalog(), 'job_id'),
  'no producer': without(catalog(), 'producer'),
  'job_id a number': catalog({ job_id: 7 }),
  'unknown keys': catalog({ metadata: {}, classes: ['a'] }),
  'time of seconds': catalog({ producer_timestamp: '2026-11-22T06:32:56Z' }),
  'time with offset': catalog({ producer_timestamp: '2026-11-22T06:32:56.5+05:30' }),
  'time of a day': catalog({ producer_timestamp: '2026-11-22' }),
  'time in milliseconds': catalog({ producer_timestamp: 1763793176123 }),
  'time wrong': catalog({ producer_timestamp: 'yesterday' }),
  'time null': catalog({ producer_timestamp: null }),
  'time true': catalog({ producer_timestamp: true }),
  'no time': without(catalog(), 'producer_timestamp'),
  'no resources': without(catalog(), 'resources'),
  'resources null': catalog({ resources: null }),
  'resources text': catalog({ resources: 'x' }),
  'resources an object': catalog({ resources: {} }),
  'a resource of text': catalog({ resources: ['x'] }),
  'a resource of null': catalog({ resources: [null] }),
  'no tags': catalog({ edges: [], resources: [without(resource(), 'tags')] }),
  'tags null': catalog({ edges: [], resources: [resource({ tags: null })] }),
  'tag a number': catalog({ edges: [], resources: [resource({ tags: ['a', 5] })] }),
  'tag in upper case': catalog({ edges: [], resources: [resource({ tags: ['a', 'Bad'] })] }),
  'tag empty': catalog({ edges: [], resources: [resource({ tags: [''] })] }),
  'tag with a blank': catalog({ edges: [], resources: [resource({ tags: ['a b'] })] }),
  'tags of all kinds': catalog({
    edges: [],
    resources: [resource({ tags: ['a::b', '_x', '9', 'ä', 'ß-.:', '漢', 'a', 'a'] })],
  }),
  'tag beginning with a dash': catalog({ edges: [], resources: [resource({ tags: ['-a'] })] }),
  'a tag in title case': catalog({ edges: [], resources: [resource({ tags: ['ǅ'] })] }),
  'resource twice': catalog({ edges: [], resources: [resource(), resource()] }),
  'no parameters': catalog({ edges: [], resources: [resource({ parameters: {} })] }),
  'unknown keys of a resource': catalog({ edges: [], resources: [resource({ kind: 'x', more: 1 })] }),
  'no place': catalog({ edges: [], resources: [without(resource(), 'file', 'line')] }),
  'place null': catalog({ edges: [], resources: [resource({ file: null, line: null })] }),
  'keys of digits': catalog({ edges: [], resources: [resource({ parameters: { 10: 'a', 9: 'b', 'a/b': 'c' } })] }),
  'no edges': without(catalog(), 'edges'),
  'edges null': catalog({ edges: null }),
  'edges text': catalog({ edges: 'x' }),
  'edges an empty object': catalog({ edges: {} }),
  'edges an object': catalog({ edges: { a: 1 } }),
  'an edge of text': catalog({ edges: ['x'] }),
  'edge twice': catalog({ edges: [edge(), edge()] }),
  'edge to what is not listed': catalog({ edges: [edge({ target: { type: 'File', title: 'a "b"\n' } })] }),
  'edge from what is not listed': catalog({ edges: [edge({ source: { type: 'Class', title: 'None' } })] }),
  'edge without source': catalog({ edges: [without(edge(), 'source')] }),
  'edge with source null': catalog({ edges: [edge({ source: null })] }),
  'edge with a source of text': catalog({ edges: [edge({ source: 'Class[Motd]' })] }),
  'edge with more in its source': catalog({ edges: [edge({ source: { type: 'Class', title: 'Motd', x: 1 } })] }),
  'edge with its source turned round': catalog({ edges: [edge({ source: { title: 'Motd', type: 'Class' } })] }),
  'edge with more': catalog({ edges: [edge({ more: 1 })] }),
  'no relationship': catalog({ edges: [without(edge(), 'relationship')] }),
  'relationship unknown': catalog({ edges: [edge({ relationship: 'likes' })] }),
  'relationship a number': catalog({ edges: [edge({ relationship: 5 })] }),
  'all relationships': catalog({
    edges: ['contains', 'before', 'required-by', 'notifies', 'subscription-of'].map((relationship) =>
      edge({ relationship }),
    ),
  }),
  'a list': [],
  null: null,
  'a number': 5,
  'text of a catalog': JSON.stringify(catalog()),
  'text of a list': '[1]',
}

/** Facts of version 5. */
export function facts(more: Members = {}): Members {
  return {
    certname: 'web1',
    environment: 'production',
    producer_timestamp: '2026-11-22T06:32:56.123Z',
    producer: 'puppet',
    values: {
      kernel: 'Linux',
      os: { release: { major: '12' } },
      list: [1, 2.5, null, true],
      10: 'ten',
      'a/b': 'slash',
    },
    ...more,
  }
}

const factsets: Readonly<Record<string, unknown>> = {
  whole: facts(),
  'no values': without(facts(), 'values'),
  'values a list': facts({ values: [] }),
  'values null': facts({ values: null }),
  'values empty': facts({ values: {} }),
  'no certname': without(facts(), 'certname'),
  'certname a number': facts({ certname: 5 }),
  'environment null': facts({ environment: null }),
  'no environment': without(facts(), 'environment'),
  'no time': without(facts(), 'producer_timestamp'),
  'time wrong': facts({ producer_timestamp: 'x' }),
  'time in milliseconds': facts({ producer_timestamp: 1763793176123 }),
  'time of a day': facts({ producer_timestamp: '2026-11-22' }),
  'no producer': without(facts(), 'producer'),
  'unknown key': facts({ more: 1 }),
  packages: facts({
    package_inventory: [
      ['a', '1', 'apt'],
      ['b', '2', 'apt'],
      ['a', '1', 'apt'],
    ],
  }),
  'packages null': facts({ package_inventory: null }),
  'packages none': facts({ package_inventory: [] }),
  'packages text': facts({ package_inventory: 'x' }),
  'a package of two': facts({ package_inventory: [['a', '1']] }),
  'a package of four': facts({ package_inventory: [['a', '1', 'apt', 'x']] }),
  'a package with a number': facts({ package_inventory: [['a', 1, 'apt']] }),
  'a list': [],
}

function event(more: Members = {}): Members {
  return {
    status: 'success',
    timestamp: '2026-11-22T06:32:57.000+01:00',
    name: 'content_changed',
    property: 'content',
    new_value: 'b',
    old_value: ['a', { b: 1 }],
    corrective_change: false,
    message: 'content changed',
    ...more,
  }
}

function status(more: Members = {}): Members {
  return {
    skipped: false,
    timestamp: '2026-11-22T06:32:57.000Z',
    resource_type: 'File',
    resource_title: '/etc/motd',
    file: '/m.pp',
    line: 3,
    containment_path: ['Stage[main]', 'Motd', 'File[/etc/motd]'],
    corrective_change: false,
    events: [event()],
    ...more,
  }
}

const log = {
  file: null,
  line: null,
  level: 'notice',
  message: 'hi',
  source: 'Puppet',
  tags: ['notice'],
  time: '2026-11-22T06:32:57.123456789+01:00',
}

/** A report of version 8. */
export function report(more: Members = {}): Members {
  return {
    certname: 'web1',
    job_id: null,
    puppet_version: '7.23.0',
    report_format: 12,
    configuration_version: '1763851976',
    producer_timestamp: '2026-11-22T06:32:59.123Z',
    start_time: '2026-11-22T06:32:56.123+01:00',
    end_time: '2026-11-22T06:32:58Z',
    environment: 'production',
    transaction_uuid: uuid,
    status: 'changed',
    noop: false,
    noop_pending: false,
    corrective_change: false,
    logs: [log],
    metrics: [
      { category: 'resources', name: 'total', value: 7 },
      { category: 'time', name: 'total', value: 1.5 },
    ],
    resources: [status()],
    catalog_uuid: '827a74c8-cf98-44da-9ff7-18c5e4bee41e',
    code_id: null,
    cached_catalog_status: 'not_used',
    producer: 'puppet',
    ...more,
  }
}

function inEvent(more: Members): Members {
  return report({ resources: [status({ events: [event(more)] })] })
}

const reports: Readonly<Record<string, unknown>> = {
  whole: report(),
  'of a plan': report({ type: 'plan' }),
  'of an unknown type': report({ type: 'task' }),
  'no certname': without(report(), 'certname'),
  'no resources': without(report(), 'resources'),
  'resources null': report({ resources: null }),
  'resources text': report({ resources: 'x' }),
  'environment null': report({ environment: null }),
  'report_format a text': report({ report_format: '12' }),
  'noop text': report({ noop: 'no' }),
  'noop null': report({ noop: null, noop_pending: null, corrective_change: null, status: null }),
  'time of a day': report({ start_time: '2026-11-22' }),
  'time without offset': report({ start_time: '2026-11-22T06:32:56' }),
  'time with an offset without colon': report({ start_time: '2026-11-22T06:32:56+0100' }),
  'time in milliseconds': report({ start_time: 1763793176123 }),
  'time without seconds': report({ start_time: '2026-11-22T06:32Z' }),
  'no job_id': without(report(), 'job_id'),
  'unknown key': report({ more: 1 }),
  'logs null': report({ logs: null, metrics: null }),
  'log without time': report({ logs: [without(log, 'time')] }),
  'log with more': report({ logs: [log, { ...log, more: 1 }] }),
  'metric of text': report({ metrics: [{ category: 'a', name: 'b', value: 'c' }] }),
  'metric of a large number': report({ metrics: [{ category: 'a', name: 'b', value: 1e300 }] }),
  'skipped text': report({ resources: [status({ skipped: 'no' })] }),
  'line a text': report({ resources: [status({ line: '3' })] }),
  'line a float': report({ resources: [status({ line: 3.5 })] }),
  'path null': report({ resources: [status({ containment_path: null })] }),
  'path of numbers': report({ resources: [status({ containment_path: ['a', 1] })] }),
  'second of two wrong': report({ resources: [status(), status({ resource_title: 5 })] }),
  'event without name': report({ resources: [status({ events: [without(event(), 'name')] })] }),
  'event without message': report({ resources: [status({ events: [without(event(), 'message')] })] }),
  'event without new_value': report({ resources: [status({ events: [without(event(), 'new_value')] })] }),
  'event with values null': inEvent({ new_value: null, old_value: null, message: null, property: null, name: null }),
  'event with a wrong status': inEvent({ status: 5 }),
  'event with an unknown key': inEvent({ more: 1 }),
  'no events': report({ resources: [status({ events: [], skipped: true })] }),
  'events null': report({ resources: [status({ events: null })] }),
  'text of digits': report({ status: '5' }),
}

/** A report of version 5 lists events. */
function report5(more: Members = {}): Members {
  const place = without(status(), 'skipped', 'events', 'corrective_change')
  const old = without(event(), 'corrective_change', 'name')
  return {
    ...without(
      report(),
      'resources',
      'producer',
      'noop_pending',
      'corrective_change',
      'job_id',
      'catalog_uuid',
      'code_id',
      'cached_catalog_status',
    ),
    resource_events: [
      { ...place, ...old, timestamp: place['timestamp'] },
      { ...place, ...old, timestamp: place['timestamp'], property: 'mode' },
      { ...place, ...old, timestamp: place['timestamp'], status: 'skipped', resource_title: '/b' },
    ],
    ...more,
  }
}

function report4(more: Members = {}): Members {
  const { resource_events: events, ...rest } = report5() as { resource_events: readonly Members[] }
  const old = without(rest, 'logs', 'metrics', 'noop', 'producer_timestamp')
  return { ...dashed(old), 'resource-events': events.map(dashed), ...more }
}

const others: readonly (readonly [string, CommandName, number, unknown])[] = [
  ['whole', 'deactivate node', 3, { certname: 'web1', producer_timestamp: '2026-11-22T06:32:56.123Z' }],
  ['no time', 'deactivate node', 3, { certname: 'web1' }],
  ['time null', 'deactivate node', 3, { certname: 'web1', producer_timestamp: null }],
  ['time of a day', 'deactivate node', 3, { certname: 'web1', producer_timestamp: '2026-11-22' }],
  ['time wrong', 'deactivate node', 3, { certname: 'web1', producer_timestamp: 'x' }],
  ['no certname', 'deactivate node', 3, {}],
  ['unknown key', 'deactivate node', 3, { certname: 'web1', more: 1 }],
  ['text', 'deactivate node', 3, 'web1'],
  ['text', 'deactivate node', 2, 'web1'],
  ['a number', 'deactivate node', 2, 5],
  ['text in text', 'deactivate node', 1, '"web1"'],
  [
    'whole',
    'configure expiration',
    1,
    { certname: 'web1', expire: { facts: false }, producer_timestamp: '2026-11-22' },
  ],
  ['no time', 'configure expiration', 1, { certname: 'web1', expire: { facts: true } }],
  ['no facts', 'configure expiration', 1, { certname: 'web1', expire: {} }],
  ['facts text', 'configure expiration', 1, { certname: 'web1', expire: { facts: 'true' } }],
  ['more', 'configure expiration', 1, { certname: 'web1', expire: { facts: true, more: 1 } }],
  ['no expire', 'configure expiration', 1, { certname: 'web1' }],
  ['expire a list', 'configure expiration', 1, { certname: 'web1', expire: [] }],
  ['version 7', 'replace catalog', 7, without(catalog(), 'catalog_uuid')],
  ['version 8', 'replace catalog', 8, without(catalog(), 'producer', 'job_id')],
  ['version 8, a producer', 'replace catalog', 8, catalog({ job_id: 5 })],
  ['version 6', 'replace catalog', 6, without(catalog(), 'catalog_uuid', 'code_id')],
  ['version 5', 'replace catalog', 5, dashed({ ...without(catalog(), 'certname'), name: 'web1', api_version: 1 })],
  ['version 4', 'replace catalog', 4, dashed({ ...without(catalog(), 'certname'), name: 'web1' })],
  ['version 10', 'replace catalog', 10, catalog()],
  ['version 0', 'replace catalog', 0, catalog()],
  ['version 4', 'replace facts', 4, without(facts(), 'producer')],
  ['version 4, a producer', 'replace facts', 4, facts()],
  ['version 3', 'replace facts', 3, dashed({ ...without(facts(), 'certname', 'producer'), name: 'web1' })],
  ['version 2', 'replace facts', 2, { name: 'web1', environment: 'e', values: { a: 'b' } }],
  ['version 7', 'store report', 7, without(report(), 'producer', 'noop_pending', 'corrective_change', 'job_id')],
  ['version 6', 'store report', 6, without(report(), 'producer', 'catalog_uuid', 'code_id', 'cached_catalog_status')],
  ['version 5', 'store report', 5, report5()],
  ['version 5, no events', 'store report', 5, report5({ resource_events: [] })],
  ['version 4', 'store report', 4, report4()],
  ['version 3', 'store report', 3, without(report4(), 'status')],
]

/** What JSON.stringify does not write. */
const texts: readonly (readonly [string, CommandName, number, string])[] = [
  ['no JSON', 'replace facts', 5, '{"a":'],
  [
    'exact numbers',
    'replace facts',
    5,
    JSON.stringify(facts({ values: { x: 'X' } })).replace(
      '"X"',
      '[1.0,123456789012345678901234567890,-0.5,1e3,9007199254740993]',
    ),
  ],
  ['12.0 for 12', 'store report', 8, JSON.stringify(report()).replace('"report_format":12', '"report_format":12.0')],
]

/** Times that a catalog and a report are tried with. */
export const times: readonly string[] = [
  ...['2026-11-22T06:32:56.123Z', '2026-11-22T06:32:56.123456789Z', '2026-11-22T06:32:56Z', '2026-11-22t06:32:56z'],
  ...['2026-11-22T06:32:56,5Z', '2026-11-22T06:32Z', '2026-11-22T06Z', '2026-11-22T06:32:56.5', '2026-11-22T06:32:56'],
  ...['2026-11-22T06:32', '2026-11-22T06', '2026-11-22T', '2026-11-22', '2026-11', '2026', '12', '7'],
  ...['2026-1-2', '2026-1-2T3:4:5Z', '2026-11-22T06:32:56+01:00', '2026-11-22T06:32:56+0100', '2026-11-22T06:32:56+01'],
  ...['2026-11-22T06:32:56-05:30', '2026-11-22T06.5Z', '2026-11-22T06:32.25Z', '2026-11-22T23:59:59.999+00:00'],
  ...['20261122', '20261122T063256Z', '20261122T063256.123Z', '20261122T063256.123+0100', '20261122T063256', '2026326'],
  ...['2026326T063256Z', '2026-326', '2026-326T06:32:56Z', '2026-W47-7', '2026-W47', '2026W477', '2026W477T063256Z'],
  ...['2026-W54-1', '2026-W53-7', '2027-W53-1', '2026-W47-7T06:32:56.5Z', '2026-366', '2024-366', '2026-000'],
  ...['T06:32', 'T06:32:56Z', '06:32', '06:32:56.5', '06:32:56.5Z', '063256Z', 'T063256.5Z', '06Z', '10.5'],
  ...['2026-11-22 06:32:56', '2026-11-22 06:32', '2026-11-22 06:32:56Z', 'Sun, 22 Nov 2026 06:32:56 +0000'],
  ...['Mon, 22 Nov 2026 06:32:56 +0000', 'sun, 2 nov 2025 06:32:56 -0130', 'Sun, 22 Nov 2026 06:32:56 GMT'],
  ...[
    '2026-02-29',
    '2024-02-29',
    '2026-13-01',
    '2026-11-31',
    '2026-11-22T24:00:00Z',
    '2026-11-22T06:60Z',
    '0000-01-01',
  ],
  ...[
    '2026-11-22T06:32:60Z',
    '',
    ' 2026-11-22',
    '2026-11-22 ',
    'now',
    '1763793176123',
    '2026-11-22T06:32:56.Z',
    '0001-01-01',
  ],
  ...[
    '2026-11-22T06:32:56+24:00',
    '2026-11-22T06:32:56+23:59',
    '2026-11-22T06:32:56.1234567890Z',
    '+2026-11-22',
    '9999-12-31',
  ],
]

function whole(command: CommandName, version: number, payloads: Readonly<Record<string, unknown>>): CommandCase[] {
  return Object.entries(payloads).map(([name, payload]) => ({
    name,
    command,
    version,
    payload: JSON.stringify(payload),
  }))
}

/** All cases. */
export const commandCases: readonly CommandCase[] = [
  ...whole('replace catalog', 9, catalogs),
  ...whole('replace facts', 5, factsets),
  ...whole('store report', 8, reports),
  ...others.map(([name, command, version, payload]) => ({ name, command, version, payload: JSON.stringify(payload) })),
  ...texts.map(([name, command, version, payload]) => ({ name, command, version, payload })),
  ...times.map((time) => ({
    name: `time ${time}`,
    command: 'replace facts' as const,
    version: 5,
    payload: JSON.stringify(facts({ producer_timestamp: time, values: {} })),
  })),
  ...times.map((time) => ({
    name: `time ${time}`,
    command: 'store report' as const,
    version: 8,
    payload: JSON.stringify(report({ start_time: time, resources: [], logs: [], metrics: [] })),
  })),
]
