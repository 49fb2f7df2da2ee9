import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { OutsideRequests } from '../../../../src/network/outside/outside-requests.ts'
import { type Cloud, openCloud } from '../../../support/cloud.ts'
import { askCloud, openCloudRequests } from '../../../support/cloud-requests.ts'
import { scratchFolder } from '../../../support/scratch-folder.ts'

const folder = scratchFolder('cloud-credentials')
const environment = { ...process.env }
let cloud: Cloud

beforeAll(async () => {
  cloud = await openCloud(folder)
  writeFileSync(join(folder, 'pod-token'), 'pod-token\n')
  writeFileSync(join(folder, 'echo.yaml'), `tenant_id: my-tenant\nclient_id: echo\nclient_secret: 'a"b\\c/d~e'\n`)
})
beforeEach(() =>
  cloud.set({ odd: undefined, lifetime: 3600, challenge: '', issued: '', valid: '', epoch: 0, seen: [] }),
)
afterEach(() => {
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name]
})
afterAll(() => cloud?.stop())

const open = () => openCloudRequests(cloud, folder)
const ask = (question: object, requests: OutsideRequests = open()) => askCloud(requests, question)
const seen = async (part: string) => (await cloud.report()).seen.filter(({ url }) => url.includes(part)).length
const encrypt = (service: string, encoding: BufferEncoding = 'base64') =>
  Buffer.from(`${service}:data key`).toString(encoding)

const awsKeys = { aws_access_key: 'AKIAKEY', aws_secret_key: 'very-secret' }
const region = { address: 'eu-central-1', credentials: awsKeys }
const metadata = { vault_api_version: '7.4', metadata_api_version: '2018-04-02' }
const parameter = { store: 'aws-parameters', path: '/app/password', ...region }
const azure = { store: 'azure', address: 'main', path: 'important-secret', credentials: metadata }
const google = { store: 'google', address: 'my-project', path: 'app--password' }
const keyPath = 'projects/p/locations/global/keyRings/r/cryptoKeys/k'
const stores = {
  'AWS Secrets Manager': { store: 'aws', path: 'x', ...region },
  'AWS parameters': parameter,
  'a list of AWS parameters': { ...parameter, path: '/app', list: 'recursive' },
  'AWS KMS': { store: 'aws-kms', path: 'arn:x', ciphertext: encrypt('aws'), ...region },
  Azure: azure,
  'Azure keys': { store: 'azure-keys', address: 'main', path: 'k/1', ciphertext: encrypt('azure', 'base64url') },
  Google: google,
  'Google KMS': { store: 'google-kms', path: keyPath, ciphertext: encrypt('google') },
}

describe('a response without a secret is neither an empty nor a missing one', () => {
  it.each(Object.entries(stores))('%s', async (_, question) => {
    const requests = openCloudRequests(cloud, folder, {
      external_secret_endpoints: [...cloud.endpoints, `secretsmanager=${cloud.url}`],
    })
    // The first request logs in.
    await ask({ ...question, path: keyPath, ciphertext: 'eA==' }, requests)
    await ask({ ...question, path: 'none', ciphertext: 'eA==' }, requests)
    const odd = [
      ...['200', '404', '{}', '{"value": null, "SecretString": null, "Parameters": null, "name": null}'],
      ...['{"value": 5, "SecretString": "x", "VersionId": {}, "Parameters": [{}], "name": "a/1", "payload": {}}'],
      ...['{"value": "#", "Plaintext": "#", "plaintext": "", "SecretBinary": "#", "Parameters": {}, "name": "x"}'],
    ]
    for (const each of odd) {
      await cloud.set({ odd: each })
      const answer = await ask({ ...question, ...('ciphertext' in question && { context: { each } }) }, requests)
      if (question.store === 'azure' && each.includes('"#"')) expect(answer).toMatchObject({ data: { text: '#' } })
      else expect([each, Object.keys(answer)]).toEqual([each, expect.not.arrayContaining(['data', 'absent'])])
    }
  })
})

describe('a rejected token or key of an earlier request is replaced once', () => {
  const pod = () => {
    process.env['AWS_CONTAINER_CREDENTIALS_FULL_URI'] = `${cloud.plainUrl}/pod`
    process.env['AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE'] = join(folder, 'pod-token')
  }
  it.each([
    ['AWS', { ...parameter, credentials: {} }, '/pod', { status: 400 }],
    ['Azure', azure, '/imds/', { status: 401 }],
    ['Google', google, '/google-metadata/', { failure: expect.stringContaining('Invalid token') }],
  ])('%s', async (_, question, login, rejection) => {
    pod()
    const requests = open()
    const next = (path: string) => ask({ ...question, path }, requests)
    const data = { data: expect.anything() }
    expect(await next(question.path)).toMatchObject(data)
    await cloud.set({ issued: '-2', valid: '-2' })
    expect(await next(question.path)).toMatchObject(data)
    expect(await seen(login)).toBe(2)
    // The metadata service issues the old token again: whether the secret may be read is unknown.
    await cloud.set({ valid: '-3' })
    const unchanged = {
      failure: 'it rejects the temporary credentials of this server, which were issued again unchanged',
    }
    expect(await next(question.path)).toEqual(unchanged)
    expect(await seen(login)).toBe(3)
    // A fresh token is rejected: this is the answer.
    expect(await next('other')).toMatchObject(rejection)
    expect(await seen(login)).toBe(4)
    await cloud.set({ issued: '-3' })
    const answers = await Promise.all([next(question.path), next(question.path)])
    expect(answers).toMatchObject([data, data])
    expect(await seen(login)).toBe(5)
  })

  it('not keys of the options', async () => {
    await cloud.set({ valid: '-2' })
    expect(await ask(parameter)).toMatchObject({ status: 400, kind: 'UnrecognizedClientException' })
    expect((await cloud.report()).seen).toHaveLength(1)
  })
})

it.each([
  ['parameter', parameter],
  ['list of parameters', { ...parameter, path: '/app', list: true }],
  ['secret of Google', google],
])('a %s that is deleted and created again has another version', async (_, question) => {
  const requests = open()
  const first = await ask(question, requests)
  expect(await ask({ ...question, version: first.version }, requests)).toEqual(first)
  await cloud.set({ epoch: 1 })
  const second = await ask({ ...question, version: first.version }, requests)
  expect(second).toEqual({ data: first.data, version: expect.not.stringMatching(first.version) })
})

it('a secret of Google has a digest as its version if the role may not read the time of creation', async () => {
  const question = { ...google, path: 'value-only' }
  const [requests, others] = [open(), open()]
  const first = await ask(question, requests)
  expect(first).toMatchObject({ data: expect.anything(), version: expect.stringMatching(/^1 [0-9a-f]{32}$/) })
  expect(await ask({ ...question, version: first.version }, requests)).toEqual(first)
  expect((await ask(question, others)).version).not.toBe(first.version)
  const { projects } = await cloud.report()
  await cloud.set({ projects: { 'my-project': { ...projects['my-project'], 'value-only': ['new'] } } })
  expect((await ask(question, requests)).version).not.toBe(first.version)
})

it('hides the credentials of a request in all forms, and bounds texts of a server', async () => {
  const credentials = { service_principal_credentials: join(folder, 'echo.yaml') }
  const { failure } = await ask({ ...azure, credentials })
  expect(failure).toContain('client_secret=[redacted]')
  expect(failure).not.toMatch(/d~e|d%7ee/i)
  const { errors } = await ask({ ...parameter, path: '/echo' })
  expect(errors).toMatch(/^\[redacted\] M+$/)
  expect(errors).toHaveLength(1000)
})

it('empty credentials in the options are those of the server, and share no failure', async () => {
  const requests = open()
  const files = ['', undefined, join(folder, 'none.json'), '']
  const answers = []
  for (const credentials_file of files)
    answers.push(await ask({ ...google, credentials: { credentials_file } }, requests))
  const data = { data: expect.anything() }
  expect(answers).toMatchObject([data, data, { refused: expect.anything() }, data])
  process.env['AWS_ACCESS_KEY_ID'] = 'AKIAKEY'
  process.env['AWS_SECRET_ACCESS_KEY'] = 'x'
  const credentials = { aws_access_key: '', aws_secret_key: '' }
  expect(await ask({ ...parameter, credentials })).toMatchObject(data)
})

it.each<readonly [title: string, question: object]>([
  ['the versions of a secret of Azure', { ...azure, path: 'important-secret/versions' }],
  ['a longer path in Azure', { ...azure, path: 'a/b/c' }],
  ['another operation with a key of Azure', { ...stores['Azure keys'], path: 'k/1/rotate' }],
  ['a vault whose name is no host', { ...azure, address: 'xn--a' }],
  ['a project of Google that is a path', { ...google, address: 'a/b' }],
  ['a secret of Google that is a path', { ...google, path: 'a/versions/1' }],
  ['another resource of Google KMS', { ...stores['Google KMS'], path: 'projects/p/locations/global' }],
  ['another operation of Google KMS', { ...stores['Google KMS'], path: `${keyPath}:encrypt` }],
])('refuses %s', async (_, question) => {
  expect(await ask(question)).toEqual({ refused: expect.stringMatching(/^The option \w+ has the invalid value/) })
  expect((await cloud.report()).seen).toEqual([])
})

it('ends a list whose pages never end', async () => {
  // A busy machine reaches the time limit of the list before its number of pages.
  expect(await ask({ ...parameter, path: '/endless', list: true })).toEqual({
    failure: expect.stringMatching(/^(?:it has more than 1000 pages|no response within 10 seconds)$/),
  })
})
