import { describe, expect, it } from 'vitest'
import type { ExactJson, ExactObject } from '../../../src/base/json/exact-json.ts'
import { formatExactJson } from '../../../src/base/json/json-text.ts'
import { readCommand } from '../../../src/store/commands/read-command.ts'
import { buildFactsPayload } from '../../../src/store/commands/writing/facts.ts'
import { buildDeactivationPayload, buildInputsPayload } from '../../../src/store/commands/writing/node.ts'
import { buildReportPayload } from '../../../src/store/commands/writing/report.ts'
import { without } from '../../support/needs.ts'
import { received } from './command-cases.ts'
import { askTerminus, canonical } from './terminus.ts'

const missing = without('real Puppet 7.23', 'puppet-terminus-puppetdb')
const producerTimestamp = '2026-11-22T06:32:59.123Z'

const factsets: readonly ExactObject[] = [
  { kernel: 'Linux', os: { release: { major: '12' } }, trusted: 'replaced' },
  { a: 1, _puppet_inventory_1: { packages: [['a', '1', 'apt']], more: 1 } },
  { _puppet_inventory_1: {} },
  { _puppet_inventory_1: 'text' },
  { _puppet_inventory_1: null },
  {},
]

const event = {
  audited: false,
  property: 'content',
  previous_value: null,
  desired_value: 'b',
  historical_value: null,
  message: 'changed',
  name: 'content_changed',
  status: 'success',
  time: '2026-11-22T06:32:57.123999999+01:00',
  redacted: null,
  corrective_change: false,
}

function status(title: string, more: ExactObject = {}): ExactObject {
  return {
    title,
    file: '/m.pp',
    line: 3,
    resource: `File[${title}]`,
    resource_type: 'File',
    provider_used: 'posix',
    containment_path: ['Stage[main]', `File[${title}]`],
    evaluation_time: 0.5,
    tags: ['file'],
    time: '2026-11-22T06:32:57.5+01:00',
    failed: false,
    failed_to_restart: false,
    changed: true,
    out_of_sync: true,
    skipped: false,
    change_count: 1,
    out_of_sync_count: 1,
    events: [],
    corrective_change: false,
    ...more,
  }
}

function report(more: ExactObject = {}): ExactObject {
  return {
    host: 'web1',
    time: '2026-11-22T06:32:56.000000000+01:00',
    configuration_version: 1763851976,
    transaction_uuid: '7b0c9f0e-6c1d-4d55-8a63-0b8f1b1c9f10',
    report_format: 12,
    puppet_version: '7.23.0',
    status: 'changed',
    transaction_completed: true,
    noop: false,
    noop_pending: false,
    environment: 'production',
    logs: [
      {
        ...{ level: 'notice', message: 'hi', source: 'Puppet', tags: ['notice', 'a'] },
        ...{ time: '2026-11-22T06:32:57.999999999Z', file: null, line: null },
      },
    ],
    metrics: {
      resources: { name: 'resources', label: 'Resources', values: [['total', 'Total', 7]] },
      time: {
        name: 'time',
        label: 'Time',
        values: [
          ['file', 'File', 0.1],
          ['total', 'Total', 0.3],
        ],
      },
    },
    resource_statuses: {
      'File[/a]': status('/a', { events: [event] }),
      'File[/b]': status('/b'),
      'File[/c]': status('/c', { skipped: true }),
    },
    corrective_change: false,
    catalog_uuid: '827a74c8-cf98-44da-9ff7-18c5e4bee41e',
    cached_catalog_status: 'not_used',
    ...more,
  }
}

function withEvents(...events: readonly ExactObject[]): ExactObject {
  const of = { 'File[/a]': status('/a', { events: events.map((each) => ({ ...event, ...each })) as ExactJson }) }
  return report({ noop: null, resource_statuses: of })
}

const reports: readonly ExactObject[] = [
  report(),
  report({ code_id: 'abc', job_id: '7', server_used: 'x', configuration_version: 'r2' }),
  report({ metrics: {}, logs: [], resource_statuses: {}, status: 'failed' }),
  report({ noop: true, noop_pending: true, corrective_change: true }),
  ...[0, 1.5, 0.3, 0.7000000001, 12.999999, 3600, 1e-7].map((seconds) =>
    report({ metrics: { time: { name: 'time', label: 'Time', values: [['total', 'Total', seconds]] } } }),
  ),
  ...['2026-11-22T06:32:56Z', '2026-11-22T06:32:56.9999+05:30', '2024-02-29T23:59:59.999-11:00'].map((time) =>
    report({ time }),
  ),
  ...['text', '', 5, 1.5, true, false, null, ['a', 1, null, ['b']], { a: 1, b: { c: "d'\n" } }].map((value) =>
    withEvents({ desired_value: value, previous_value: [value] }),
  ),
  withEvents({ status: 'noop' }),
  withEvents({ status: 'noop' }, { status: 'success' }),
  withEvents({ status: 'audit', name: null, property: null }),
  report({ environment: null }),
]

describe(`payloads as puppet-terminus-puppetdb sends them${missing}`, () => {
  it.skipIf(missing !== '')('facts', () => {
    const options = { environment: 'production', producer: 'puppet', producerTimestamp, trusted: { certname: 'web1' } }
    const real = askTerminus(factsets.map((values) => ({ kind: 'facts', name: 'web1', values, options })))
    const ours = factsets.map((values) =>
      buildFactsPayload({ name: 'web1', values: values as Record<string, ExactJson> }, options),
    )
    expect(ours.map(canonical)).toEqual(real.map(canonical))
  })

  it.skipIf(missing !== '').each([false, true])('reports; unchanged resources: %s', (includeUnchanged) => {
    const options = { producer: 'puppet', producerTimestamp, includeUnchanged }
    const real = askTerminus(reports.map((each) => ({ kind: 'report', report: each, options })))
    const ours = reports.map((each) => {
      try {
        return buildReportPayload(each, options)
      } catch (error) {
        return { error: (error as Error).message }
      }
    })
    for (const [index, each] of ours.entries())
      expect(formatExactJson(canonical(each)), formatExactJson(reports[index])).toEqual(
        formatExactJson(canonical(real[index])),
      )
  })
})

describe('payloads that are written', () => {
  const read = (
    name: 'deactivate node' | 'configure expiration' | 'replace catalog inputs',
    version: number,
    payload: unknown,
  ) => readCommand({ name, version, payload: Buffer.from(formatExactJson(payload)), received }).payload

  it('are read as they were', () => {
    const deactivation = buildDeactivationPayload('web1', producerTimestamp)
    expect(read('deactivate node', 3, deactivation)).toEqual(deactivation)
    const expiration = { certname: 'web1', producer_timestamp: producerTimestamp, expire: { facts: false } }
    expect(read('configure expiration', 1, expiration)).toEqual(expiration)
    const catalogUuid = '827a74c8-cf98-44da-9ff7-18c5e4bee41e'
    const inputs = buildInputsPayload({ certname: 'web1', catalogUuid, producerTimestamp, keys: ['a', 'b::c'] })
    expect(read('replace catalog inputs', 1, inputs)).toEqual(inputs)
    expect(buildInputsPayload({ certname: 'web1', catalogUuid, producerTimestamp, keys: [] })).toBeUndefined()
    const asked = [{ question: '{"query":"nodes { }"}', digest: 'ab' }]
    const answered = buildInputsPayload({ certname: 'web1', catalogUuid, producerTimestamp, keys: ['a'], asked })
    expect(read('replace catalog inputs', 1, answered)).toMatchObject({
      inputs: [
        ['hiera', 'a'],
        ['puppetdb_query', 'sha256:ab {"query":"nodes { }"}'],
      ],
    })
  })

  it('are what the store takes', () => {
    const sending = { producer: 'puppet', producerTimestamp, includeUnchanged: true }
    for (const each of reports.slice(0, -1)) {
      const payload = Buffer.from(formatExactJson(buildReportPayload(each, sending)))
      expect(readCommand({ name: 'store report', version: 8, payload, received }).payload.certname).toBe('web1')
    }
  })
})
