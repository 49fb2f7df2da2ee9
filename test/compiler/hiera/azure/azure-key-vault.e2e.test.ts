import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Cloud, openCloud } from '../../../support/cloud.ts'
import { CloudLookups } from '../../../support/cloud-lookups.ts'
import { recordedAnswers } from '../../../support/recorded-answers.ts'
import { scratchFolder } from '../../../support/scratch-folder.ts'

const folder = scratchFolder('azure')
let cloud: Cloud
let lookups: CloudLookups

beforeAll(async () => {
  cloud = await openCloud(folder)
  lookups = new CloudLookups(folder, cloud, ['--external_lookups', 'azure'])
  writeFileSync(join(folder, 'principal.yaml'), 'tenant_id: my-tenant\nclient_id: me\nclient_secret: client secret!\n')
  writeFileSync(join(folder, 'wrong.yaml'), 'tenant_id: my-tenant\nclient_id: me\nclient_secret: another\n')
})
beforeEach(() => cloud.set({ odd: undefined, lifetime: 3600 }))
afterAll(() => cloud?.stop())

interface Case {
  readonly key: string
  readonly options?: Record<string, unknown>
  readonly more?: readonly string[]
}

const machine = { vault_name: 'main', vault_api_version: '2016-10-01', metadata_api_version: '2018-04-02' }
const level = ({ options = {} }: Case) => ({
  ...{ lookup_key: 'azure_key_vault::lookup', options: { ...machine, confine_to_keys: ['.*'], ...options } },
})
const principal = (name: string) => ({
  service_principal_credentials: join(folder, name),
  metadata_api_version: undefined,
})

/** Lookups that behave as with the module azure_key_vault. */
const cases: Readonly<Record<string, Case>> = {
  'a secret': { key: 'important_secret' },
  'a key with colons': { key: 'app::password' },
  'another replacement': { key: 'app::password', options: { key_replacement_token: 'X' } },
  'an invalid replacement': { key: 'important_secret', options: { key_replacement_token: '_' } },
  'an empty replacement': { key: '::password', options: { key_replacement_token: '' } },
  'a missing secret, then the next level': { key: 'missing' },
  'a missing secret, then a default': { key: 'nothing', more: ['--default', 'a default'] },
  'a missing vault': { key: 'missing', options: { vault_name: 'other' } },
  'a forbidden secret, with a warning': { key: 'denied' },
  'a key that is not confined': { key: 'missing', options: { confine_to_keys: ['^miss', 'x'] } },
  'a confined key': { key: 'important_secret', options: { confine_to_keys: ['^pass.*', '^imp.*'] } },
  'no confinement': { key: 'important_secret', options: { confine_to_keys: undefined } },
  'an invalid pattern': { key: 'important_secret', options: { confine_to_keys: ['['] } },
  'a stripped key': { key: 'azure_password', options: { strip_from_keys: ['^azure_'] } },
  'an invalid pattern to strip': { key: 'important_secret', options: { strip_from_keys: ['['] } },
  'the first prefix': { key: 'token', options: { prefixes: ['nodes--%{trusted.certname}--', 'common--'] } },
  'a later prefix': { key: 'token', options: { prefixes: ['nodes::none::', 'common::'] } },
  'no prefix that fits': { key: 'missing', options: { prefixes: ['x--'] } },
  'a service principal': { key: 'important_secret', options: principal('principal.yaml') },
  'both kinds of credentials': {
    ...{ key: 'important_secret', options: { service_principal_credentials: join(folder, 'principal.yaml') } },
  },
  'no credentials': { key: 'important_secret', options: { metadata_api_version: undefined } },
  'an invalid metadata version': { key: 'important_secret', options: { metadata_api_version: '1' } },
  'an invalid vault version': { key: 'missing', options: { vault_api_version: 'x' } },
  'another cloud': { key: 'missing', options: { cloud_type: 'Mars' } },
  'a segment of a secret': { key: 'important_secret.x' },
  'an explanation': { key: 'azure_password', options: { strip_from_keys: ['^azure_'] }, more: ['--explain'] },
  'an explanation of prefixes': { key: 'token', options: { prefixes: ['common--'] }, more: ['--explain'] },
  'an explanation of a key that is not confined': {
    ...{ key: 'x', options: { confine_to_keys: ['^y$'] }, more: ['--explain'] },
  },
}

/** Compilations with a secret of Hiera, which print warnings. */
const compiled: Readonly<Record<string, Case>> = {
  'a secret in a catalog': { key: 'important_secret' },
  'a forbidden secret in a catalog': { key: 'denied' },
  'an invalid name in a catalog': { key: 'under_score', options: { key_replacement_token: '_' } },
  'an invalid service principal in a catalog': { key: 'missing', options: principal('wrong.yaml') },
}

const real = recordedAnswers(import.meta.filename, 'Puppet 7.23.0 with tragiccode/azure_key_vault 4.1.0')

describe('azure_key_vault::lookup beside the module azure_key_vault', () => {
  it.each(Object.entries(cases))('reads %s', async (title, given) => {
    const asked = { ...given, level: level(given) }
    const expected = real.one(title, asked, () => lookups.real(asked))
    expect(await lookups.own(asked)).toMatchObject(expected)
  })

  it.each(Object.entries(compiled))('compiles %s', async (title, given) => {
    const code = `notify { 'x': message => Sensitive(lookup('${given.key}')).unwrap }`
    const asked = { key: '', level: level(given), site: code }
    const expected = real.one(title, asked, () => lookups.real(asked))
    expect(await lookups.own(asked)).toMatchObject(expected)
  })
})

const site = (...args: readonly string[]) =>
  `notify { 'x': message => azure_key_vault::secret(${args.join(', ')}).unwrap }`
const api = `{ vault_api_version => '2016-10-01', metadata_api_version => '2018-04-02' }`
const apiOf = (members: string) => `{ vault_api_version => '2016-10-01', ${members} }`
const own = (secret: string, more = '') =>
  apiOf(
    `service_principal_credentials => { tenant_id => 'my-tenant', client_id => 'me', client_secret => '${secret}' }${more}`,
  )

/** Calls of the function that behave as with the module azure_key_vault. */
const calls: Readonly<Record<string, string>> = {
  'the newest version': site(`'main'`, `'important-secret'`, api),
  'a version': site(`'main'`, `'important-secret'`, api, `'a1'`),
  'a missing version': site(`'main'`, `'important-secret'`, api, `'a9'`),
  'a missing secret of the function': site(`'main'`, `'none'`, api),
  'a service principal of the function': site(`'main'`, `'important-secret'`, own('client secret!')),
  'no credentials of the function': site(`'main'`, `'important-secret'`, apiOf(``)),
  'both kinds of credentials of the function': site(
    ...[`'main'`, `'important-secret'`, own('x', `, metadata_api_version => '2018-04-02'`)],
  ),
  'a forbidden secret of the function': site(`'main'`, `'denied'`, api),
  'Arc with a service principal': site(
    ...[`'main'`, `'important-secret'`, own('x', ', use_azure_arc_authentication => true')],
  ),
  'Arc without metadata': site(`'main'`, `'important-secret'`, apiOf('use_azure_arc_authentication => true')),
  'another type of the function': site(`'main'`, `'important-secret'`, `{}`),
}

describe('azure_key_vault::secret beside the module azure_key_vault', () => {
  it.each(Object.entries(calls))('reads %s', async (title, text) => {
    const asked = { key: '', level: { path: 'none.yaml' }, site: text }
    const expected = real.one(title, asked, () => lookups.real(asked))
    expect(await lookups.own(asked)).toMatchObject(expected)
  })
})

it('records the version of a secret, and reads it again at this version', async () => {
  const inputs = join(folder, 'inputs.json')
  const code = `notify { 'x': message => lookup('important_secret').unwrap }`
  const asked = { key: '', level: level({ key: '' }), site: code }
  expect(await lookups.own(asked, ['--save-inputs', inputs])).toMatchObject({ message: 'two' })
  expect(readFileSync(inputs, 'utf8')).toContain('"answer":{"version":"a2"}')
  expect(readFileSync(inputs, 'utf8')).not.toMatch(/"two"|azure-token/)
  const { vaults } = await cloud.report()
  await cloud.set({ vaults: { main: { 'important-secret': { a1: 'one', a2: 'two', a3: 'three' } } } })
  expect(await lookups.own(asked)).toMatchObject({ message: 'three' })
  expect(await lookups.own(asked, ['--inputs', inputs])).toMatchObject({ message: 'two' })
  await cloud.set({ vaults })
})

it('fails if the vault is overloaded, instead of using another value', async () => {
  const answer = await lookups.own({ key: 'throttled', level: level({ key: '' }), more: ['--default', 'another'] })
  expect(answer).toMatchObject({ status: 1, out: '', error: expect.stringContaining('too many requests') })
})
