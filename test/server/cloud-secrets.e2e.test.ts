import { afterAll, beforeAll, expect, it } from 'vitest'
import { writeSopsJson } from '../compiler/hiera/sops/sops-writer.ts'
import { type Cloud, openCloud } from '../support/cloud.ts'
import { controlRepository } from '../support/control-repository.ts'
import { eventually } from '../support/eventually.js'
import { runHere } from '../support/run-here.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { requestRichCatalog } from './rich-catalog.ts'
import { type Serving, serve } from './serving.ts'

const folder = scratchFolder('cloud-secrets')
let cloud: Cloud
let serving: Serving

beforeAll(async () => {
  cloud = await openCloud(folder)
  const vault = { vault_name: 'main', vault_api_version: '7.4', metadata_api_version: '2018-04-02' }
  const hierarchy = [
    { name: 'SOPS', lookup_key: 'sops_lookup_key', path: 'secrets.json' },
    { name: 'Azure', lookup_key: 'azure_key_vault::lookup', options: { ...vault, confine_to_keys: ['^important.*'] } },
  ]
  const key = 'projects/p/locations/global/keyRings/r/cryptoKeys/k'
  const encrypted = writeSopsJson(
    { password: 's3cret' },
    {
      groups: [[]],
      services: (part) => ({
        gcp_kms: [{ resource_id: key, enc: Buffer.concat([Buffer.from('google:'), part]).toString('base64') }],
      }),
    },
  )
  const repository = controlRepository({
    'hiera.yaml': JSON.stringify({ version: 5, hierarchy }),
    'data/secrets.json': encrypted,
    'manifests/site.pp': `
node 'sops.test' { notify { 'one': message => Sensitive(lookup('password')) } }
node 'azure.test' { notify { 'one': message => lookup('important_secret') } }`,
  })
  serving = await serve({
    code_repo: repository.bare,
    external_lookups: 'azure,google',
    external_secret_endpoints: cloud.endpoints.join(','),
    external_http_ca_file: `${folder}/ca.pem`,
    external_lookup_ttl: '0s',
    catalog_trace_checks: '0',
  })
})
afterAll(async () => {
  await serving?.stop()
  await cloud?.stop()
})

const request = (node: string) => requestRichCatalog(serving, node)

it('recalls a catalog with a secret of Azure while its version is the same', async () => {
  const text = expect.stringContaining('"two"')
  expect(await request('azure.test')).toMatchObject({ origin: 'compiled', text })
  expect(await request('azure.test')).toMatchObject({ origin: 'recalled', text })
  await cloud.set({ vaults: { main: { 'important-secret': { a2: 'two', a3: 'three' } } } })
  expect(await request('azure.test')).toMatchObject({ origin: 'compiled', text: expect.stringContaining('"three"') })
})

it('recalls a catalog with a file of SOPS, and asks the service once for its data key', async () => {
  const text = expect.stringContaining('s3cret')
  expect(await request('sops.test')).toMatchObject({ origin: 'compiled', text })
  expect(await request('sops.test')).toMatchObject({ origin: 'recalled', text })
  const asked = (await cloud.report()).seen.filter(({ url }) => url.endsWith(':decrypt'))
  expect(asked).toHaveLength(1)
})

it('records the versions of secrets and the keys of data in the audit log', async () => {
  const log = ['audit', 'log', '--auditdir', serving.settings.auditdir, '--kind', 'secrets', '--render-as', 'json']
  const records = await eventually(
    async () => (await runHere(log)).out,
    (out) => out.includes('cryptoKeys') && out.includes('a3'),
  )
  expect(records).toContain('{"address":"main","path":"important-secret","version":"a2"}')
  expect(records).toMatch(/"path":"projects\/p\/[^"]+","version":"[0-9a-f]{32}"/)
  expect(records).not.toMatch(/s3cret|"two"|token/)
})
