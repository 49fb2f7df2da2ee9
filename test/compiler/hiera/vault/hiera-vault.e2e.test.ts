import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { recordedAnswers } from '../../../support/recorded-answers.ts'
import { runHere } from '../../../support/run-here.ts'
import { scratchFolder } from '../../../support/scratch-folder.ts'
import { openVault, type VaultServer } from '../../../support/vault.ts'

const folder = scratchFolder('hiera-vault')

interface Case {
  readonly key: string
  /** Options of the level, besides the address, the token `root` and the mounts of `mounts`. */
  readonly options?: Record<string, unknown>
  readonly more?: readonly string[]
  readonly isSealed?: boolean
}

const mounts = { kv: ['app'] }
const only = { default_field: 'value', default_field_behavior: 'only' }
const token = { kv: ['%{os.family}', 'common'] }

/** Lookups that behave as with the module hiera_vault and its gem, whose answers are recorded. */
const cases: Readonly<Record<string, Case>> = {
  'the whole secret': { key: 'password' },
  'a field': { key: 'password', options: { default_field: 'value' } },
  'a missing field': { key: 'other', options: { default_field: 'value' } },
  'a missing field, then the next level': {
    ...{ key: 'other', options: { default_field: 'value', continue_if_not_found: true } },
  },
  'only the field': { key: 'password', options: only },
  'only the field, of several': { key: 'several', options: only },
  'ignored fields': { key: 'several', options: { default_field: 'value', default_field_behavior: 'ignore' } },
  'a field as JSON': { key: 'json', options: { default_field: 'value', default_field_parse: 'json' } },
  'a field that is not JSON': { key: 'notjson', options: { default_field: 'value', default_field_parse: 'json' } },
  'a field as a string': { key: 'json', options: { default_field: 'value', default_field_parse: 'string' } },
  'an invalid default_field_parse': { key: 'json', options: { default_field_parse: 'yaml' } },
  'an invalid default_field_behavior': { key: 'json', options: { default_field_behavior: 'some' } },
  'an invalid cache_for': { key: 'json', options: { cache_for: 'long' } },
  'a cached secret': { key: 'password', options: { cache_for: 30 } },
  'KV v1': { key: 'many', options: { mounts: { old: ['app'] } } },
  'KV v1, a field': { key: 'password', options: { mounts: { old: ['app'] }, default_field: 'value' } },
  'KV v1 turned off': { key: 'many', options: { mounts: { old: ['app'] }, v1_lookup: false } },
  'a mount with its path': { key: 'password', options: { mounts: { 'kv/data': ['app'] }, v2_guess_mount: false } },
  'the first path that has the secret': { key: 'token', options: { mounts: token } },
  'alternatives in a path': { key: 'token', options: { mounts: { kv: ['nothing,common,Debian'] } } },
  'an empty path': { key: 'app/password', options: { mounts: { kv: [''] } } },
  'a missing secret': { key: 'nothing' },
  'a missing secret in strict mode': { key: 'nothing', options: { strict_mode: true } },
  'a missing secret, then a default': { key: 'nothing', more: ['--default', 'a default'] },
  'a deleted secret': { key: 'gone' },
  'a confined key': { key: 'password', options: { confine_to_keys: ['^pass.*', '^x$'] } },
  'another key than the confined ones': { key: 'password', options: { confine_to_keys: ['^pass', '^x$'] } },
  'confine_to_keys of another type': { key: 'password', options: { confine_to_keys: '^pass' } },
  'a stripped key': { key: 'vault__password', options: { strip_from_keys: ['^vault__'] } },
  'strip_from_keys of another type': { key: 'password', options: { strip_from_keys: 'a' } },
  'a forbidden secret': { key: 'password', options: { token: 'only-self' } },
  'a forbidden secret in strict mode': { key: 'password', options: { token: 'only-self', strict_mode: true } },
  'an invalid token': { key: 'password', options: { token: 'nonsense', strict_mode: true } },
  'the token IGNORE-VAULT': { key: 'password', options: { token: 'IGNORE-VAULT' }, more: ['--default', 'ignored'] },
  'the mount generic': { key: 'password', options: { mounts: { generic: ['app'] } } },
  'a sealed server': { key: 'password', isSealed: true },
  'a segment of a secret': { key: 'several.other' },
  'a key with spaces': { key: 'umläut key', options: { default_field: 'value' } },
  'an explanation': { key: 'token', options: { mounts: token }, more: ['--explain'] },
  'an explanation of a confined key': { key: 'x', options: { confine_to_keys: ['^y$'] }, more: ['--explain'] },
}

let vault: VaultServer
beforeAll(async () => {
  vault = await openVault()
  writeFileSync(facts, '{"os":{"family":"Debian"}}')
})
beforeEach(() => vault.set({ isSealed: false, odd: undefined, seen: [] }))
afterAll(() => vault?.stop())

function writeEnvironment(name: string, options: Record<string, unknown>): void {
  const environment = join(folder, name)
  mkdirSync(join(environment, 'data'), { recursive: true })
  const level = {
    name: 'Vault',
    lookup_key: 'hiera_vault',
    options: { address: vault.url, token: 'root', mounts, ...options },
  }
  const hiera = { version: 5, hierarchy: [level, { name: 'Common', path: 'common.yaml' }] }
  writeFileSync(join(environment, 'hiera.yaml'), JSON.stringify(hiera))
  writeFileSync(join(environment, 'data/common.yaml'), 'other: from YAML\n')
}

const facts = join(folder, 'facts.json')
const words = ({ key, more = [] }: Case, name: string) => [
  ...['lookup', key, '--environmentpath', folder, '--environment', name, '--node', 'web1', '--facts', facts],
  ...['--render-as', 'json', ...more],
]

/** What a command printed, without paths, the port and colors; of an explanation, the texts of the backend. */
function general(status: number | null, out: string, err: string) {
  const plain = (text: string) =>
    text
      .replaceAll(vault.url, 'URL')
      .replaceAll(folder, 'FOLDER')
      .replace(/\x1b\[[0-9;]*m/g, '')
      .trim()
  const texts = out.includes('"branches"') ? listTexts(JSON.parse(plain(out))) : undefined
  const [error = ''] = plain(err).split('\n')
  return { status, ...(texts ? { texts } : { out: plain(out) }), error: error.replace('Could not run: ', '') }
}

/** The texts of all steps of an explanation. */
function listTexts(step: { texts?: string[]; branches?: [] }): readonly string[] {
  return [...(step.texts ?? []), ...(step.branches ?? []).flatMap(listTexts)]
}

/**
 * The answer of real Puppet with the module hiera_vault 2.0 and the gem vault 0.20, which `$HIERA_VAULT` contains in
 * `modules` and `lib`. The server runs in another thread, so that it answers while this thread waits.
 */
function askReal(name: string, given: Case): object {
  const home = process.env['HIERA_VAULT'] ?? ''
  const more = ['--basemodulepath', join(home, 'modules')]
  const env = { ...process.env, RUBYLIB: join(home, 'lib') }
  const { status, stdout, stderr } = spawnSync('puppet', [...words(given, name), ...more], { encoding: 'utf8', env })
  const { error, ...answer } = general(status, stdout, stderr)
  // The command does not print a LookupError; a compilation does.
  return error === '' && status !== 0 ? answer : { ...answer, error }
}

const real = recordedAnswers(import.meta.filename, 'Puppet 7.23.0 with petems/hiera_vault 2.0.0 and vault 0.20.1')

describe('hiera_vault beside the module hiera_vault', () => {
  it.each(Object.entries(cases))('reads %s', async (title, given) => {
    const name = title.replace(/\W+/g, '_').toLowerCase()
    writeEnvironment(name, given.options ?? {})
    await vault.set({ isSealed: given.isSealed === true })
    const expected = real.one(title, given, () => askReal(name, given))
    const { status, out, err } = await runHere([...words(given, name), '--external_vault_addresses', vault.url])
    expect(general(status, out, err)).toMatchObject(expected)
  })
})

it('compiles a catalog again with the recorded version of its secret, which the inputs do not contain', async () => {
  writeEnvironment('again', { default_field: 'value' })
  mkdirSync(join(folder, 'again/manifests'), { recursive: true })
  writeFileSync(join(folder, 'again/manifests/site.pp'), "notify { 'x': message => lookup('password') }")
  const inputs = join(folder, 'inputs.json')
  const compile = (...more: string[]) => {
    const node = ['--environmentpath', folder, '--environment', 'again', '--node', 'web1', '--facts', facts]
    return runHere(['catalog', 'compile', ...node, '--external_vault_addresses', vault.url, ...more])
  }
  const first = await compile('--save-inputs', inputs)
  expect(first.out).toContain('"two"')
  const recorded = readFileSync(inputs, 'utf8')
  expect(recorded).toContain('"answer":{"version":"2 2026-01-02T03:04:05.678Z"}')
  expect(recorded).not.toMatch(/two|root/)

  const { secrets } = await vault.report()
  const kv = { ...secrets['kv'], 'app/password': [{ value: 'one' }, { value: 'two' }, { value: 'three' }] }
  await vault.set({ secrets: { ...secrets, kv } })
  expect((await compile()).out).toContain('"three"')
  expect((await compile('--inputs', inputs)).out).toBe(first.out)

  await vault.set({ secrets: { ...secrets, kv: { ...kv, 'app/password': [] } } })
  const { status, err } = await compile('--inputs', inputs)
  expect([status, err]).toEqual([
    1,
    expect.stringContaining('The secret kv/data/app/password no longer has the version'),
  ])
})

it('does not expand a path with thousands of alternatives, which a fact may contain', async () => {
  writeEnvironment('many', { mounts: { kv: ['%{many}'] } })
  writeFileSync(facts, JSON.stringify({ many: 'a,b/'.repeat(30) }))
  const { err } = await runHere([...words({ key: 'x' }, 'many'), '--external_vault_addresses', vault.url])
  expect(err).toContain('[hiera-vault] a path has more than 100 alternatives')
})

it.each([408, 412, 429, 472, 473, 500])('fails if Vault answers %i, instead of using another value', async (status) => {
  writeEnvironment(`status${status}`, {})
  await vault.set({ odd: String(status) })
  const more = ['--default', 'another value']
  const answer = await runHere([
    ...words({ key: 'password', more }, `status${status}`),
    '--external_vault_addresses',
    vault.url,
  ])
  expect(answer).toMatchObject({ status: 1, out: '', err: expect.stringContaining('Configuration error: status ') })
})
