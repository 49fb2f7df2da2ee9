/** A request to PuppetDB's commands. */
export interface SubmissionCase {
  readonly query: readonly (readonly [string, string])[]
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

const good = { command: 'replace_facts', version: '5', certname: 'web1' }

function asked(query: Readonly<Record<string, string>>, headers?: Readonly<Record<string, string>>): SubmissionCase {
  return { query: Object.entries(query), body: '{}', ...(headers && { headers }) }
}

function old(body: unknown): SubmissionCase {
  return { query: [], body: typeof body === 'string' ? body : JSON.stringify(body) }
}

const command = 'replace facts'
const payload = { certname: 'web1' }

/** Requests of both forms, good and bad ones. */
export const submissionCases: readonly SubmissionCase[] = [
  asked(good),
  asked({ ...good, command }),
  ...['configure_expiration', 'deactivate_node', 'replace_catalog', 'replace_catalog_inputs', 'store_report'].map(
    (each) => asked({ ...good, command: each, version: '9' }),
  ),
  asked({ ...good, version: '99' }),
  asked({ ...good, version: '+5' }),
  asked({ ...good, version: 'x' }),
  asked({ ...good, version: '' }),
  asked({ ...good, version: '5.0' }),
  asked({ ...good, version: '99999999999' }),
  asked({ ...good, version: '0' }),
  asked({ ...good, version: '-1' }),
  asked({ ...good, command: 'nope' }),
  asked({ ...good, command: '' }),
  asked({ ...good, command: 'Replace facts' }),
  asked({ command: 'replace facts', version: '5' }),
  asked({ command: 'replace facts', certname: 'web1' }),
  asked({ command: 'replace facts' }),
  asked({ command: 'nope' }),
  asked({ ...good, certname: '' }),
  asked({ ...good, certname: ' ' }),
  asked({ ...good, certname: 'a"\\b\n' }),
  asked({ ...good, certname: 'ä' }),
  { query: [...Object.entries(good), ['certname', 'web2']], body: '{}' },
  asked({ ...good, more: '1' }),
  asked({ ...good, more: '1', certname: '' }),
  asked({ ...good, received: '1' }),
  asked({ ...good, checksum: 'bad' }),
  asked({ ...good, 'producer-timestamp': '2026-11-22T06:32:56.123Z' }),
  asked({ ...good, 'producer-timestamp': 'bad' }),
  asked({ ...good, secondsToWaitForCompletion: '0' }),
  asked({ ...good, secondsToWaitForCompletion: '-1' }),
  asked({ ...good, secondsToWaitForCompletion: 'bad' }),
  old('nojson'),
  old(''),
  old({}),
  old({ command, version: 5 }),
  old({ command, version: 5, payload: null }),
  old({ command, version: 5, payload: false }),
  old({ command, version: 5, payload: 'x' }),
  old({ command, version: 5, payload: [] }),
  old({ command, version: 5, payload: {} }),
  old({ command, version: 5, payload }),
  old({ command, version: 5, payload, checksum: 'bad' }),
  old({ command, version: 5, payload, certname: 'other' }),
  old({ command, version: 5, payload, extra: 1 }),
  old({ command, version: 5, payload, extra: null }),
  old({ command, version: '5', payload }),
  old({ command, version: 5.5, payload }),
  old({ command, version: 0, payload }),
  old('{"command":"replace facts","version":5.0,"payload":{"certname":"web1"}}'),
  old({ command: 'replace_facts', version: 5, payload }),
  old({ command: 5, version: 5, payload }),
  old({ command, version: 5, payload: { certname: 5 } }),
  old({ command, version: 5, payload: { certname: '' } }),
  old({ command, version: 5, payload: { certname: null } }),
  { query: [['certname', 'other']], body: JSON.stringify({ command, version: 5, payload }) },
  asked(good, { 'content-encoding': 'identity' }),
  asked(good, { 'content-encoding': 'deflate' }),
  asked(good, { 'content-type': 'text/plain' }),
  asked(good, { 'content-type': 'application/json; charset=utf-8' }),
  asked(good, { accept: 'text/plain' }),
  asked(good, { accept: 'text/plain, */*' }),
  asked(good, { accept: 'application/*' }),
  { query: Object.entries(good), body: `"${'x'.repeat(2_000_000)}"` },
  old({ command, version: 5, payload: { ...payload, values: 'x'.repeat(2_000_000) } }),
]

/** The size in bytes from which commands are too large here. */
export const most = 2_000_000
