import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { controlRepository } from '../support/control-repository.ts'
import { eventually } from '../support/eventually.js'
import { runHere } from '../support/run-here.ts'
import { openVault, type VaultServer } from '../support/vault.ts'
import { requestRichCatalog } from './rich-catalog.ts'
import { type Serving, serve } from './serving.ts'

let vault: VaultServer
let serving: Serving
let commit: string

beforeAll(async () => {
  vault = await openVault()
  const level = (name: string, options: object) => ({
    ...{ name, lookup_key: 'hiera_vault' },
    options: { address: vault.url, token: 'root', v2_guess_mount: false, continue_if_not_found: true, ...options },
  })
  const hierarchy = [
    level('Leased', { mounts: { database: ['creds'] }, confine_to_keys: ['^account$'], strip_from_keys: [] }),
    level('Secrets', {
      mounts: { kv: ['app'] },
      v2_guess_mount: true,
      confine_to_keys: ['^password$'],
      default_field: 'value',
    }),
  ]
  const repository = controlRepository({
    'hiera.yaml': JSON.stringify({ version: 5, hierarchy }),
    'manifests/site.pp': `
node 'plain.test' { notify { 'one': message => Sensitive(lookup('password')) } }
node 'leased.test' { notify { lookup('account.username'): } }`,
  })
  commit = repository.git('rev-parse', 'HEAD')
  serving = await serve({
    code_repo: repository.bare,
    external_vault_addresses: vault.url,
    external_lookup_ttl: '0s',
    catalog_trace_checks: '0',
  })
})
afterAll(async () => {
  await serving?.stop()
  await vault?.stop()
})

const request = (node: string) => requestRichCatalog(serving, node)

it('recalls a catalog while the version of its secret is the same, and compiles it after a change', async () => {
  expect(await request('plain.test')).toMatchObject({ origin: 'compiled', text: expect.stringContaining('"two"') })
  expect(await request('plain.test')).toMatchObject({ origin: 'recalled', text: expect.stringContaining('"two"') })
  const { secrets } = await vault.report()
  const kv = { ...secrets['kv'], 'app/password': [{ value: 'one' }, { value: 'two' }, { value: 'the third one' }] }
  await vault.set({ secrets: { ...secrets, kv } })
  expect(await request('plain.test')).toMatchObject({
    origin: 'compiled',
    text: expect.stringContaining('the third one'),
  })
})

it('compiles a catalog again before the lease of its secret ends', async () => {
  await vault.set({ lease: 9 })
  const first = await request('leased.test')
  expect(first).toMatchObject({ origin: 'compiled', text: expect.stringContaining('v-1') })
  expect(await request('leased.test')).toMatchObject({ origin: 'recalled', text: first.text })
  const next = await eventually(
    () => request('leased.test'),
    ({ text }) => text !== first.text,
  )
  expect(next.text.match(/v-\d+/)?.[0]).toBe('v-2')
})

it('records the version of a secret, and never its value', async () => {
  const { auditdir, server_datadir } = serving.settings
  const records = await eventually(
    async () =>
      (await runHere(['audit', 'log', '--auditdir', auditdir, '--kind', 'secrets', '--render-as', 'json'])).out,
    (out) => out.includes('"version":"3 '),
  )
  const [first] = records.split('\n')
  const secret = { address: vault.url, path: 'kv/data/app/password', version: '2 2026-01-02T03:04:05.678Z' }
  const origin = { node: 'plain.test', environment: 'production', code_id: commit }
  expect(JSON.parse(first ?? '')).toMatchObject({ kind: 'secrets', ...origin, secrets: [secret] })
  const shown = await runHere(['audit', 'log', '--auditdir', auditdir, '--node', 'plain.test'])
  expect(shown.out).toContain('"path":"kv/data/app/password","version":"2 2026-01-02T03:04:05.678Z"')
  const files = readdirSync(server_datadir, { recursive: true, withFileTypes: true }).filter((each) => each.isFile())
  const holding = files.filter((each) => readFileSync(join(each.parentPath, each.name)).includes('the third one'))
  expect(files.length).toBeGreaterThan(3)
  expect(holding.map(({ name }) => name)).toEqual([])
})
