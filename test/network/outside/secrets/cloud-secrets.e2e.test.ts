import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Settings } from '../../../../src/machine/settings/settings.ts'
import { AzureTokens, findAzureCloud } from '../../../../src/network/outside/secrets/azure-tokens.ts'
import { createEndpoints } from '../../../../src/network/outside/secrets/endpoints.ts'
import { computeCredentialsId } from '../../../../src/network/outside/secrets/secret-question.ts'
import { SecretRequests } from '../../../../src/network/outside/secrets/secret-requests.ts'
import { testSettings } from '../../../code/environments/settings.ts'
import { type Cloud, openCloud } from '../../../support/cloud.ts'
import { askCloud, openCloudRequests } from '../../../support/cloud-requests.ts'
import { scratchFolder } from '../../../support/scratch-folder.ts'

const folder = scratchFolder('cloud')
const file = (name: string) => join(folder, name)
let cloud: Cloud
const environment = { ...process.env }

beforeAll(async () => {
  cloud = await openCloud(folder)
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const [key, account] = [
    privateKey.export({ type: 'pkcs8', format: 'pem' }),
    publicKey.export({ type: 'spki', format: 'pem' }),
  ]
  await cloud.set({ account: String(account) })
  const own = { client_email: 'sa@my-project.iam', private_key_id: 'k1', private_key: String(key) }
  const files = {
    'google.json': JSON.stringify(own),
    'stranger.json': JSON.stringify({ ...own, client_email: 'other@x' }),
    'broken.json': JSON.stringify({ ...own, private_key: 'no key, but secret' }),
    'text.json': 'hunter2',
    'azure.yaml': 'tenant_id: my-tenant\nclient_id: me\nclient_secret: client secret!\n',
    'echo.yaml': 'tenant_id: my-tenant\nclient_id: me\nclient_secret: echo\n',
    'part.yaml': 'tenant_id: my-tenant\n',
    'odd.yaml': 'tenant_id: [hunter2',
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(file(name), text)
})
beforeEach(() =>
  cloud.set({ odd: undefined, lifetime: 3600, challenge: '', issued: '', valid: '', epoch: 0, seen: [] }),
)
afterEach(() => {
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name]
})
afterAll(() => cloud?.stop())

const open = (given: Partial<Settings> = {}, limitMs?: number) => openCloudRequests(cloud, folder, given, limitMs)
const ask = (question: object, requests = open()) => askCloud(requests, question)

const awsKeys = { aws_access_key: 'AKIAKEY', aws_secret_key: 'very-secret' }
const encrypted = (service: string, encoding: BufferEncoding = 'base64') =>
  Buffer.from(`${service}:data key`).toString(encoding)
const plain = Buffer.from('data key').toString('base64')

const parameter = { store: 'aws-parameters', address: 'eu-central-1', path: '/app/password', credentials: awsKeys }
const awsKms = {
  store: 'aws-kms',
  address: 'eu-central-1',
  path: 'arn:x',
  ciphertext: encrypted('aws'),
  credentials: awsKeys,
}
const metadata = { vault_api_version: '7.4', metadata_api_version: '2018-04-02' }
const azure = { store: 'azure', address: 'main', path: 'important-secret', credentials: metadata }
const azureKey = { store: 'azure-keys', address: 'main', path: 'k/1', ciphertext: encrypted('azure', 'base64url') }
const google = { store: 'google', address: 'my-project', path: 'app--password' }
const keyPath = 'projects/p/locations/global/keyRings/r/cryptoKeys/k'
const googleKms = { store: 'google-kms', path: keyPath, ciphertext: encrypted('google') }

describe('reads', () => {
  it.each<readonly [title: string, question: object, answer: object]>([
    ['a parameter', parameter, { data: { text: 'second' }, version: '2 1767312002.25' }],
    [
      'a version of a parameter',
      { ...parameter, version: '1 1767312001.25' },
      { data: { text: 'first' }, version: '1 1767312001.25' },
    ],
    ['a missing parameter', { ...parameter, path: '/none' }, { absent: true }],
    [
      'a selected version again',
      { ...parameter, path: '/app/password:1', version: 1 },
      { data: { text: 'first' }, version: '1 1767312001.25' },
    ],
    [
      'parameters on several pages',
      { ...parameter, path: '/app', list: 'recursive' },
      {
        data: { '/app/app/user': 'ada', '/app/deep/key': 'deep', '/app/password': 'second' },
        version: expect.stringMatching(/^[0-9a-f]{32}$/),
      },
    ],
    ['a data key of AWS', awsKms, { data: { base64: plain }, version: expect.stringMatching(/^[0-9a-f]{32}$/) }],
    [
      'a data key with a context',
      { ...awsKms, ciphertext: encrypted('awsprod'), context: { env: 'prod' } },
      { data: { base64: plain } },
    ],
    ['a secret of Azure', azure, { data: { text: 'two' }, version: 'a2' }],
    ['a version in Azure', { ...azure, version: 'a1' }, { data: { text: 'one' }, version: 'a1' }],
    [
      'a version in the path',
      { ...azure, path: 'important-secret/a1', version: 'a1' },
      { data: { text: 'one' }, version: 'a1' },
    ],
    ['a missing secret of Azure', { ...azure, path: 'none' }, { absent: true }],
    ['a data key of Azure', azureKey, { data: { base64: plain } }],
    [
      'a secret of Google',
      google,
      { data: { base64: Buffer.from('two').toString('base64') }, version: '2 2026-01-01T00:00:02.123456Z' },
    ],
    [
      'a version in Google',
      { ...google, version: '1 2026' },
      { data: { base64: Buffer.from('one').toString('base64') }, version: '1 2026-01-01T00:00:01.123456Z' },
    ],
    ['a missing secret of Google', { ...google, path: 'none' }, { absent: true }],
    ['a data key of Google', googleKms, { data: { base64: plain } }],
  ])('%s', async (_, question, answer) => {
    expect(await ask(question)).toMatchObject(answer)
  })

  it('the ciphertext of a key again, without its credentials', async () => {
    const requests = open()
    const first = await ask(awsKms, requests)
    const { credentials: _, ...recorded } = awsKms
    const id = computeCredentialsId(awsKeys)
    expect(await ask({ ...recorded, credentials: id }, requests)).toEqual(first)
  })
})

describe('logs in', () => {
  it.each<readonly [title: string, question: object, variables: Record<string, string>]>([
    [
      'as a service principal of Azure',
      { ...azure, credentials: { service_principal_credentials: file('azure.yaml') } },
      {},
    ],
    [
      'as a service principal of the environment',
      azureKey,
      {
        ...{ AZURE_TENANT_ID: 'my-tenant', AZURE_CLIENT_ID: 'me', AZURE_CLIENT_SECRET: 'client secret!' },
      },
    ],
    ['as a service account of Google', { ...google, credentials: { credentials_file: file('google.json') } }, {}],
    ['as a service account of the environment', google, { GOOGLE_APPLICATION_CREDENTIALS: file('google.json') }],
    [
      'with keys of AWS in the environment',
      { ...parameter, credentials: {} },
      {
        ...{ AWS_ACCESS_KEY_ID: 'AKIAKEY', AWS_SECRET_ACCESS_KEY: 'x' },
      },
    ],
  ])('%s', async (_, question, variables) => {
    Object.assign(process.env, variables)
    expect(await ask(question)).toMatchObject({ data: expect.anything() })
  })

  it.each([
    ['Azure', azure, '/imds/'],
    ['Google', google, '/google-metadata/'],
  ])('to %s once for many secrets, also with an odd lifetime', async (_, question, path) => {
    const requests = open()
    const names = Array.from({ length: 5 }, (_each, index) => ({ ...question, path: `none-${index}` }))
    await Promise.all(names.map((each) => ask(each, requests)))
    const logins = async () => (await cloud.report()).seen.filter(({ url }) => url.startsWith(path)).length
    expect(await logins()).toBe(1)
    for (const lifetime of [10, -5, 'abc', null, '1e300', 'Infinity']) {
      await cloud.set({ lifetime, seen: [] })
      const odd = open()
      await ask(names[0]!, odd)
      await ask(names[1]!, odd)
      expect([lifetime, await logins()]).toEqual([lifetime, 1])
    }
  })

  it('at the agent of Azure Arc with the file that it names', async () => {
    const paths: string[] = []
    const sources = {
      ...{ readSecretFile: () => undefined, readOwnFile: () => '', authorities: undefined, environment: {} },
      readHostIdentity: () => ({ path: '', cert: '', key: '' }),
      readArcKey(path: string) {
        paths.push(path)
        return path === '/proof.key' ? 'proof' : undefined
      },
    }
    const find = () => {
      const connection = { endpoints: createEndpoints(cloud.endpoints), requests: new SecretRequests(1500), sources }
      const tokens = new AzureTokens({ ...connection, settings: testSettings({}) })
      return tokens.fetch(findAzureCloud(undefined), { ...metadata, use_azure_arc_authentication: true })
    }
    await cloud.set({ challenge: '/proof.key' })
    expect(await find()).toMatchObject({ credentials: 'azure-token' })
    await cloud.set({ challenge: '/etc/shadow' })
    await expect(find()).rejects.toThrow('/etc/shadow is not a readable file of the agent of Azure Arc')
    await cloud.set({ challenge: '' })
    await expect(find()).rejects.toThrow('Response header Www-Authenticate is missing')
    expect(paths).toEqual(['/proof.key', '/etc/shadow'])
  })
})

describe('rejects', () => {
  const principal = (name: string) => ({ ...azure, credentials: { service_principal_credentials: file(name) } })
  const account = (name: string) => ({ ...google, credentials: { credentials_file: file(name) } })

  it.each<readonly [title: string, question: () => object, answer: object]>([
    ['a file elsewhere', () => principal('../x.yaml'), { refused: expect.stringContaining('is not a readable file') }],
    [
      'a file with a part',
      () => principal('part.yaml'),
      { refused: `${file('part.yaml')} does not contain the credential client_id` },
    ],
    [
      'a malformed YAML file',
      () => principal('odd.yaml'),
      { refused: `${file('odd.yaml')} does not contain the credential tenant_id` },
    ],
    [
      'a malformed JSON file',
      () => account('text.json'),
      { refused: `${file('text.json')} does not contain the credential client_email` },
    ],
    [
      'a malformed key',
      () => account('broken.json'),
      { refused: `${file('broken.json')} does not contain the credential private_key` },
    ],
    [
      'a vault that is another host',
      () => ({ ...azure, address: 'evil.example/' }),
      { refused: `The option vault_name has the invalid value 'evil.example/'` },
    ],
    [
      'a path out of the secrets',
      () => ({ ...azure, path: '../keys' }),
      { refused: `The option secret_name has the invalid value '..'` },
    ],
    [
      'another resource of Google',
      () => ({ ...googleKms, path: 'projects/p/../x' }),
      { refused: expect.stringContaining('The option resource has') },
    ],
    [
      'a project that is a path',
      () => ({ ...google, address: '../x' }),
      { refused: expect.stringContaining('The option resource has') },
    ],
    [
      'a region that is a host',
      () => ({ ...parameter, address: 'x.evil/' }),
      { refused: `The option region has the invalid value 'x.evil/'` },
    ],
    [
      'a store that does not exist',
      () => ({ store: 'toString' }),
      { refused: expect.stringContaining('does not allow toString') },
    ],
  ])('%s', async (_, question, answer) => {
    expect(await ask(question())).toEqual(answer)
    expect((await cloud.report()).seen.filter(({ url }) => !/imds|metadata/.test(url))).toEqual([])
  })

  it.each(['azure', 'azure-keys', 'google', 'google-kms', 'aws-parameters', 'aws-kms'])(
    '%s unless it is allowed',
    async (store) => {
      const path = store === 'google-kms' ? keyPath : 'name'
      const question = { ...azure, ...googleKms, ...parameter, store, path }
      const answer = await ask(question, open({ external_lookups: ['dns'] }))
      expect(answer).toEqual({ refused: expect.stringContaining('the setting external_lookups does not allow') })
      expect((await cloud.report()).seen).toEqual([])
    },
  )

  it.each(['x', 'nothing=https://a', 'ssm=ftp://a', 'ssm=https://', 'ssm'])('the endpoint %s', (entry) => {
    expect(() => open({ external_secret_endpoints: [entry] })).toThrow(
      `'${entry}' in the setting external_secret_endpoints`,
    )
  })
})

describe('reports', () => {
  it.each<readonly [title: string, question: object, answer: object]>([
    [
      'a forbidden parameter',
      { ...parameter, path: '/denied' },
      { status: 400, kind: 'AccessDeniedException', errors: 'User is not authorized to perform ssm:GetParameters' },
    ],
    [
      'a throttled parameter',
      { ...parameter, path: '/throttled' },
      { status: 400, kind: 'ThrottlingException', errors: 'Rate exceeded' },
    ],
    [
      'a wrong ciphertext',
      { ...awsKms, ciphertext: encrypted('other') },
      { status: 400, errors: 'The ciphertext is invalid.' },
    ],
    [
      'a forbidden secret of Azure',
      { ...azure, path: 'denied' },
      { status: 403, errors: expect.stringContaining('secrets get permission') },
    ],
    [
      'a throttled secret of Azure',
      { ...azure, path: 'throttled' },
      { failure: expect.stringContaining('too many requests') },
    ],
    [
      'a wrong ciphertext of Azure',
      { ...azureKey, ciphertext: encrypted('aws', 'base64url') },
      { failure: expect.stringContaining('BadParameter') },
    ],
    [
      'a wrong secret of a principal, without it',
      { ...azure, credentials: { service_principal_credentials: file('echo.yaml') } },
      {
        failure:
          '{"error":"invalid_client","error_description":"AADSTS7000215: Invalid client secret provided: [redacted]."}',
      },
    ],
    [
      'a forbidden secret of Google',
      { ...google, path: 'denied' },
      { failure: "Permission 'secretmanager.versions.access' denied" },
    ],
    ['a throttled secret of Google', { ...google, path: 'throttled' }, { failure: 'Quota exceeded' }],
    [
      'a wrong service account, without its assertion',
      { ...google, credentials: { credentials_file: file('stranger.json') } },
      {
        failure: '{"error":"invalid_grant","error_description":"Invalid JWT Signature: [redacted]"}',
      },
    ],
  ])('%s', async (_, question, answer) => {
    expect(await ask(question)).toMatchObject(answer)
  })

  const questions = { parameter, awsKms, google: { ...google, credentials: {} }, azure }
  it.each(Object.entries(questions))('a broken or hostile server: %s', async (_, question) => {
    const expected = {
      html: /^(?:its response with status 200 is not JSON)$/,
      huge: /^its response exceeds 1048576 bytes$/,
      endless: /^its response exceeds 1048576 bytes$/,
      deep: /^its response with status 200 is not JSON$/,
      silent: /^no response within 4 seconds$/,
    }
    for (const [odd, failure] of Object.entries(expected)) {
      await cloud.set({ odd })
      const requests = open({}, odd === 'silent' ? 4000 : undefined)
      expect([odd, await ask(question, requests)]).toEqual([odd, { failure: expect.stringMatching(failure) }])
    }
  })

  it.each(Object.entries(questions))('a certificate of another authority: %s', async (_, question) => {
    const answer = await ask(question, open({ external_http_ca_file: '' }))
    expect(answer).toEqual({ failure: expect.stringMatching(/certificate/) })
  })

  it.each(Object.entries(questions))('a redirect, which carries no token: %s', async (_, question) => {
    const requests = open()
    await ask(question, requests)
    await cloud.set({ odd: `${cloud.plainUrl}/elsewhere`, seen: [] })
    const answer = await ask(
      { ...question, ...('ciphertext' in question && { ciphertext: encrypted('other') }) },
      requests,
    )
    expect(JSON.stringify(answer)).toMatch(/status 307|not JSON/)
    expect((await cloud.report()).seen.filter(({ url }) => url.startsWith('/elsewhere'))).toEqual([])
    expect(JSON.stringify(answer)).not.toMatch(/token|secret/)
  })
})
