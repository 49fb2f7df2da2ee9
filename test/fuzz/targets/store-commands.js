import fc from 'fast-check'
import { PuppetError } from '../../../dist/base/issue.js'
import { formatExactJson } from '../../../dist/base/json/json-text.js'
import { lastVersions, readCommand } from '../../../dist/store/commands/read-command.js'
import { readSubmission } from '../../../dist/store/commands/submission.js'
import { allowing, must } from '../target.js'

const received = '2026-11-23T00:00:00.000Z'
const uuid = '7b0c9f0e-6c1d-4d55-8a63-0b8f1b1c9f10'
const resource =
  '{"type":"File","title":"/a","aliases":[],"exported":true,"file":"/m","line":1,"tags":["a"],"parameters":{"a":[1.0,null]}}'
const edge = '{"source":{"type":"File","title":"/a"},"target":{"type":"File","title":"/a"},"relationship":"before"}'
const event =
  '{"status":"noop","timestamp":"2026-11-23T00:00:00Z","property":"p","new_value":1,"old_value":[],"message":"m","corrective_change":null}'

/**
 * A command to the store: a byte for its name, one for its version, then the payload; or all in the old form. Refused in
 * words. What is read has its times in UTC, and reads again as it was from its last version. @type {import('../target.js').Target}
 */
export default {
  name: 'store-commands',
  seeds: [
    `c9{"certname":"n","version":"1","environment":null,"transaction_uuid":"${uuid}","catalog_uuid":null,"code_id":null,"job_id":null,"producer_timestamp":"2026-11-23","producer":null,"edges":[${edge}],"resources":[${resource}]}`,
    `c3{"metadata":{"api_version":1},"data":{"name":"n","version":"1","transaction-uuid":null,"edges":[${edge}],"resources":[${resource.replace(',null', '')}]}}`,
    `c1{"data":{"name":"n","resources":[${resource}],"edges":[${edge}]}}`,
    'f5{"certname":"n","environment":"e","producer_timestamp":"2026-W47-7","producer":"p","values":{"a":1.0,"10":{}},"package_inventory":[["a","1","apt"]]}',
    'f1"{\\"name\\":\\"n\\",\\"values\\":{}}"',
    `r8{"certname":"n","puppet_version":"7","report_format":12,"configuration_version":"1","start_time":"2026-11-23T00:00:00Z","end_time":"2026-11-23T00:00:00+01:00","producer_timestamp":"2026-11-23T00:00:00Z","producer":null,"corrective_change":null,"resources":[{"skipped":false,"timestamp":"2026-11-23T00:00:00Z","resource_type":"File","resource_title":"/a","file":null,"line":null,"containment_path":[],"corrective_change":null,"events":[${event}]}],"noop":null,"noop_pending":null,"transaction_uuid":null,"catalog_uuid":null,"code_id":null,"cached_catalog_status":null,"metrics":[{"category":"a","name":"b","value":1}],"logs":[],"environment":"e","status":null}`,
    `r3{"certname":"n","puppet-version":"7","report-format":3,"configuration-version":"1","start-time":"2026-11-23T00:00:00Z","end-time":"2026-11-23T00:00:00Z","environment":"e","transaction-uuid":null,"resource-events":[{"status":"skipped","timestamp":"2026-11-23T00:00:00Z","resource-type":"File","resource-title":"/a","property":null,"new-value":null,"old-value":null,"message":null,"file":null,"line":null,"containment-path":null}]}`,
    'd3{"certname":"n","producer_timestamp":"Mon, 23 Nov 2026 06:32:56 +0000"}',
    'd1"\\"n\\""',
    'e1{"certname":"n","expire":{"facts":true}}',
    `i1{"certname":"n","catalog_uuid":"${uuid}","producer_timestamp":1763793176123,"inputs":[["hiera","a"]]}`,
    '-0{"command":"replace facts","version":5,"payload":{"certname":"n"}}',
  ],
  dictionary: [
    ...[
      '"certname":',
      '"resources":',
      '"edges":',
      '"source":',
      '"target":',
      '"relationship":',
      '"tags":',
      '"parameters":',
    ],
    ...[
      '"producer_timestamp":',
      '"metadata":',
      '"data":',
      '"api_version":',
      '"values":',
      '"resource-events":',
      '"events":',
    ],
    ...[
      'null',
      'true',
      '1.0',
      '1e400',
      '12345678901234567890',
      '\\u0000',
      '\\ud800',
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
    ],
    ...[
      '2026-11-23T06:32:56.123456789+01:00',
      '20261123T063256Z',
      '2026-326',
      'T06:32',
      '+18:01',
      '__proto__',
      '"10":',
    ],
  ],
  grammar: fc
    .tuple(fc.constantFrom('c9', 'c3', 'c1', 'f5', 'r8', 'd3', 'd2', 'e1', 'i1', '-0'), fc.json())
    .map(([kind, json]) => kind + json),
  run(bytes) {
    const [kind, digit] = Buffer.from(bytes.subarray(0, 2)).toString('latin1')
    const payload = bytes.subarray(2)
    const name = Object.keys(lastVersions).find((each) => names[kind] === each)
    if (name === undefined) return void readSubmission({ query: [], headers: {} }, payload, 1_000_000)
    const version = Number(digit) || 1
    const command = allowing([PuppetError], () => readCommand({ name, version, payload, received }))
    if (command === undefined) return
    const { producer_timestamp: time, certname } = command.payload
    must(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(time), `no time in UTC: ${time}`)
    must(typeof certname === 'string', 'no certname')
    if (name === 'store report') return
    const text = formatExactJson(command.payload)
    const again = readCommand({ name, version: lastVersions[name], payload: Buffer.from(text), received })
    must(formatExactJson(again.payload) === text, `read again as another: ${text}`)
  },
}

const names = {
  c: 'replace catalog',
  f: 'replace facts',
  r: 'store report',
  d: 'deactivate node',
  e: 'configure expiration',
  i: 'replace catalog inputs',
}
