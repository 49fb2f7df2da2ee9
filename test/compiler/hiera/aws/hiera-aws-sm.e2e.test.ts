import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { OutsideRequests } from '../../../../src/network/outside/outside-requests.ts'
import { testSettings } from '../../../code/environments/settings.ts'
import { runHere } from '../../../support/run-here.ts'
import { scratchFolder } from '../../../support/scratch-folder.ts'

const folder = scratchFolder('hiera-aws')
const facts = join(folder, 'facts.json')
const keys = { aws_access_key: 'AKIAKEY', aws_secret_key: 'very-secret-key' }
let server: Worker
let url: string

beforeAll(async () => {
  server = new Worker(resolve(import.meta.dirname, '../../../support/aws-server.js'))
  const [port] = (await once(server, 'message')) as [number]
  url = `http://127.0.0.1:${port}`
  writeFileSync(facts, '{"os":{"family":"Debian"}}')
})
afterAll(() => server?.terminate())

const environment = { ...process.env }
afterEach(() => {
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name]
})

let count = 0
function writeEnvironment(options: object, more: Readonly<Record<string, string>> = {}): string {
  const name = `e${++count}`
  const level = { name: 'AWS', lookup_key: 'hiera_aws_sm', options: { region: 'eu-central-1', ...options } }
  const hiera = { version: 5, hierarchy: [level, { name: 'Common', path: 'common.yaml' }] }
  const files = { 'hiera.yaml': JSON.stringify(hiera), 'data/common.yaml': 'missing: from YAML\n', ...more }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, path, '..'), { recursive: true })
    writeFileSync(join(folder, name, path), text)
  }
  return name
}

const settings = () => ['--external_lookups', 'aws', '--external_secret_endpoints', `secretsmanager=${url}`]

async function lookup(key: string, options: object, given = settings()) {
  const name = writeEnvironment(options)
  const words = ['lookup', key, '--environmentpath', folder, '--environment', name, '--node', 'web1', '--facts', facts]
  const { status, out, err } = await runHere([...words, '--render-as', 'json', ...given])
  return status === 0 ? JSON.parse(out) : err.split('\n')[0]
}

async function report() {
  const reported = once(server, 'message')
  server.postMessage('report')
  return ((await reported) as [{ readonly url: string; readonly headers: Record<string, string> }[]])[0]
}

const prefixes = ['prod/%{trusted.certname}', 'prod/common/']

describe('hiera_aws_sm', () => {
  it.each<readonly [title: string, key: string, options: object, value: unknown]>([
    ['a text', 'app/password', keys, 'plain text'],
    ['JSON', 'json', keys, { user: 'u', port: 5432, tags: [1.5, null] }],
    ['a number', 'number', keys, 17],
    ['binary data', 'binary', keys, 'grün'],
    ['the first prefix', 'password', { ...keys, prefixes }, 'of web1'],
    ['a later prefix', 'password', { ...keys, prefixes: ['nowhere', 'prod/common'] }, 'of all'],
    ['another delimiter', 'web1/password', { ...keys, prefixes: ['prod'], delimiter: '/' }, 'of web1'],
    ['a missing secret, then the next level', 'missing', { ...keys, continue_if_not_found: true }, 'from YAML'],
    ['a key that is not confined', 'missing', { ...keys, confine_to_keys: ['^aws_.*'] }, 'from YAML'],
    ['a confined key', 'number', { ...keys, confine_to_keys: ['^num.*'] }, 17],
  ])('reads %s', async (_, key, options, value) => {
    expect(await lookup(key, options)).toEqual(value)
  })

  it.each<readonly [title: string, key: string, options: object, message: string]>([
    [
      'keys that AWS does not know',
      'json',
      { ...keys, aws_access_key: 'AKIAREVOKED' },
      '[hiera-aws-sm] Skipping backend. No permission to access lookup_options',
    ],
    [
      'a forbidden secret',
      'denied',
      keys,
      '[hiera-aws-sm] Skipping backend. Failed to lookup denied due to User is not authorized',
    ],
    ['prefixes of another type', 'json', { ...keys, prefixes: 'a' }, '[hiera-aws-sm] prefixes must be an array'],
    [
      'a delimiter of another type',
      'json',
      { ...keys, prefixes: ['a'], delimiter: 1 },
      '[hiera-aws-sm] delimiter must be a String',
    ],
    [
      'confine_to_keys of another type',
      'json',
      { ...keys, confine_to_keys: 'a' },
      '[hiera-aws-sm] confine_to_keys must be an array',
    ],
    [
      'a region that names a host',
      'json',
      { ...keys, region: 'x.evil.example/' },
      "[hiera-aws-sm] The option region has the invalid value 'x.evil.example/'",
    ],
  ])('rejects %s', async (_, key, options, message) => {
    expect(await lookup(key, options)).toBe(`Error: ${message}`)
  })

  it('sends no request unless the settings allow it', async () => {
    expect(await lookup('json', keys, ['--external_secret_endpoints', `secretsmanager=${url}`])).toBe(
      'Error: [hiera-aws-sm] Network access is disabled during catalog compilation: the setting external_lookups does not allow aws',
    )
  })

  it('uses the role of the machine, and its environment', async () => {
    process.env['AWS_EC2_METADATA_SERVICE_ENDPOINT'] = url
    expect(await lookup('json', {})).toMatchObject({ user: 'u' })
    expect((await report()).at(-1)?.headers).toMatchObject({
      authorization: expect.stringContaining('Credential=ASIAROLE/'),
      'x-amz-security-token': 'role-token',
    })
    process.env['AWS_ACCESS_KEY_ID'] = 'AKIAREVOKED'
    process.env['AWS_SECRET_ACCESS_KEY'] = 'x'
    expect(await lookup('json', {})).toContain('No permission to access lookup_options')
  })

  it('asks for the role of the machine once for many secrets, and repeats no signed headers in errors', async () => {
    process.env['AWS_EC2_METADATA_SERVICE_ENDPOINT'] = url
    const own = { external_lookups: 'aws', external_secret_endpoints: `secretsmanager=${url}` }
    const requests = new OutsideRequests(testSettings(own))
    const ask = async (path: string) => {
      const secret = { store: 'aws', address: 'eu-central-1', path, credentials: {} }
      return JSON.parse(await requests.ask(JSON.stringify({ secret })))
    }
    const before = await report()
    const answers = await Promise.all(['json', 'number', 'binary', 'app/password', 'unsigned'].map(ask))
    expect(answers.at(-1)).toMatchObject({ errors: 'InvalidSignatureException' })
    expect(JSON.stringify(answers)).not.toContain('role-token')
    const tokens = (await report()).slice(before.length).filter((each) => each.url === '/latest/api/token')
    expect(tokens).toHaveLength(1)
  })

  it('fails without credentials', async () => {
    server.postMessage({ role: '' })
    process.env['AWS_EC2_METADATA_SERVICE_ENDPOINT'] = url
    expect(await lookup('json', {})).toBe(
      'Error: [hiera-aws-sm] Skipping backend. Failed to lookup lookup_options due to no credentials for AWS',
    )
    server.postMessage({ role: 'web-role' })
  })

  it('records the version of a secret, and never its value or the keys', async () => {
    const site = "notify { 'x': message => lookup('app/password') }"
    const name = writeEnvironment(keys, { 'manifests/site.pp': site })
    const inputs = join(folder, 'inputs.json')
    const node = ['--environmentpath', folder, '--environment', name, '--node', 'web1', '--facts', facts]
    const compile = (...more: string[]) => runHere(['catalog', 'compile', ...node, ...settings(), ...more])
    const { out } = await compile('--save-inputs', inputs)
    expect(out).toContain('plain text')
    expect(readFileSync(inputs, 'utf8')).toContain('"answer":{"version":"v1"}')
    expect(readFileSync(inputs, 'utf8')).not.toMatch(/plain text|very-secret-key|AKIAKEY/)
    expect((await compile('--inputs', inputs)).out).toBe(out)
  })
})
