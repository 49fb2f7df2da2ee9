import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Cloud, openCloud } from '../../../support/cloud.ts'
import { CloudLookups } from '../../../support/cloud-lookups.ts'
import { scratchFolder } from '../../../support/scratch-folder.ts'
import { openVault, type VaultServer } from '../../../support/vault.ts'
import { type Plain, type WriterOptions, writeSopsJson } from './sops-writer.ts'

const folder = scratchFolder('sops-services')
const environment = { ...process.env }
let cloud: Cloud
let vault: VaultServer
let lookups: CloudLookups

beforeAll(async () => {
  cloud = await openCloud(folder)
  vault = await openVault()
  lookups = new CloudLookups(folder, cloud, ['--external_lookups', 'aws,azure,google'])
})
beforeEach(async () => {
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'AKIAKEY', AWS_SECRET_ACCESS_KEY: 'very-secret' })
  await cloud.set({ odd: undefined, seen: [] })
})
afterEach(() => {
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name]
})
afterAll(() => Promise.all([cloud?.stop(), vault?.stop()]))

/** The encryption of the servers: the name of the service before the text. */
const encrypt = (service: string, part: Buffer, encoding: BufferEncoding = 'base64') =>
  Buffer.concat([Buffer.from(`${service}:`), part]).toString(encoding)

type Recipients = (part: Buffer) => Readonly<Record<string, Plain>>

const arn = 'arn:aws:kms:eu-central-1:1:key/k'
const azureKey = { vault_url: 'https://main.vault.azure.net', name: 'k', version: 'v1' }
const googleKey = { resource_id: 'projects/p/locations/global/keyRings/r/cryptoKeys/k' }
const recipients: Readonly<Record<string, Recipients>> = {
  'AWS KMS': (part) => ({ kms: [{ arn, enc: encrypt('aws', part), aws_profile: '' }] }),
  'AWS KMS with a context': (part) => ({ kms: [{ arn, enc: encrypt('awsprod', part), context: { env: 'prod' } }] }),
  'Google Cloud KMS': (part) => ({ gcp_kms: [{ ...googleKey, enc: encrypt('google', part) }] }),
  'Azure Key Vault': (part) => ({ azure_kv: [{ ...azureKey, enc: encrypt('azure', part, 'base64url') }] }),
  'the transit engine of Vault': (part) => ({
    hc_vault: [
      {
        ...{ vault_address: vault.url, engine_path: 'transit', key_name: 'k' },
        enc: `vault:v1:${part.toString('base64')}`,
      },
    ],
  }),
  'the second of two services': (part) => ({
    kms: [{ arn, enc: encrypt('other', part) }],
    gcp_kms: [{ ...googleKey, enc: encrypt('google', part) }],
  }),
}

const write = (services: Recipients, more: Partial<WriterOptions> = {}) =>
  writeSopsJson({ password: 's3cret' }, { groups: [[]], services, ...more })

const ask = (text: string, options: object = {}, settings: readonly string[] = []) => {
  const level = { lookup_key: 'sops_lookup_key', path: 's.json', options: { token: 'root', ...options } }
  const asked = { key: 'password', level, files: { 'data/s.json': text } }
  return lookups.own(asked, ['--external_vault_addresses', vault.url, ...settings])
}

describe('files of sops', () => {
  it.each(Object.entries(recipients))('are decrypted by %s', async (_, services) => {
    expect(await ask(write(services))).toMatchObject({ status: 0, out: '"s3cret"' })
  })

  it('are decrypted by groups of services', async () => {
    const all = Object.values(recipients)
    const services = (part: Buffer, group: number) => all[group]!(part)
    const text = write(recipients['AWS KMS']!, { groups: [[], [], []], threshold: 2, services })
    expect(await ask(text)).toMatchObject({ out: '"s3cret"' })
  })

  it.each<readonly [title: string, services: Recipients, why: string | RegExp]>([
    ['a wrong key', (part) => ({ kms: [{ arn, enc: encrypt('x', part) }] }), 'kms: The ciphertext is invalid.'],
    ['a role', (part) => ({ kms: [{ arn, role: 'r', enc: encrypt('aws', part) }] }), 'the role r of a KMS key'],
    ['an ARN that is a host', () => ({ kms: [{ arn: 'arn:aws:kms:x/y:1', enc: 'eA==' }] }), 'kms: The option region'],
    [
      'a vault that is not of Azure',
      () => ({ azure_kv: [{ ...azureKey, vault_url: 'https://main.evil.example', enc: 'eA' }] }),
      'azure_kv: The option vault_name',
    ],
    [
      'a Vault that is not allowed',
      () => ({
        hc_vault: [{ vault_address: 'https://evil.example', engine_path: 't', key_name: 'k', enc: 'vault:v1:eA==' }],
      }),
      'hc_vault: The setting external_vault_addresses does not allow https://evil.example',
    ],
    [
      'a text that another engine of Vault would write',
      () => ({ hc_vault: [{ vault_address: vault.url, engine_path: 'secret/app', key_name: 'x', enc: 'evil value' }] }),
      'hc_vault: the text for secret/app/decrypt/x is not a ciphertext',
    ],
    [
      'a key service of Huawei',
      () => ({ hckms: [{ key_id: 'k', enc: 'x' }] }),
      'neither age_key_file nor gpg_gnupghome',
    ],
  ])('are refused for %s', async (_, services, why) => {
    expect((await ask(write(services))).error).toContain(why)
  })

  it('are refused if the settings do not allow the service', async () => {
    const answer = await ask(write(recipients['AWS KMS']!), {}, ['--external_lookups', ''])
    expect(answer.error).toContain('kms: Network access is disabled during catalog compilation')
  })

  it('are tried again as soon as the service answers', async () => {
    const text = write(recipients['AWS KMS']!)
    await cloud.set({ odd: '500' })
    expect((await ask(text)).error).toContain('kms: status 500')
    await cloud.set({ odd: undefined })
    expect(await ask(text)).toMatchObject({ out: '"s3cret"' })
  })

  it('are recorded by the digest of the data key, and never by the plain text', async () => {
    const inputs = join(folder, 'inputs.json')
    const text = write(recipients['AWS KMS']!)
    const level = { lookup_key: 'sops_lookup_key', path: 's.json' }
    const site = "notify { 'x': message => lookup('password') }"
    const asked = { key: '', level, site, files: { 'data/s.json': text } }
    for (const settings of [
      ['--save-inputs', inputs],
      ['--save-inputs', inputs],
      ['--inputs', inputs],
    ]) {
      expect(await lookups.own(asked, settings)).toMatchObject({ message: 's3cret' })
      expect(readFileSync(inputs, 'utf8')).toMatch(/"store":"aws-kms".*"answer":\{"version":"[0-9a-f]{32}"\}/)
      expect(readFileSync(inputs, 'utf8')).not.toMatch(/s3cret|very-secret/)
    }
  })
})

describe('values of hiera-eyaml-kms', () => {
  const value = (text: string) => `password: 'a ${text} z'\n`
  const asked = (text: string) => ({
    ...{ key: 'password', files: { 'data/s.eyaml': value(text) } },
    level: { lookup_key: 'eyaml_lookup_key', path: 's.eyaml', options: { kms_aws_region: 'eu-central-1' } },
  })

  it('are decrypted by AWS KMS', async () => {
    const text = `ENC[KMS,${encrypt('aws', Buffer.from('grün'))}]`
    expect(await lookups.own(asked(text))).toMatchObject({ out: '"a grün z"' })
  })

  it('are refused with the reason of AWS', async () => {
    const { error } = await lookups.own(asked(`ENC[KMS,${encrypt('x', Buffer.from('a'))}]`))
    expect(error).toContain('AWS KMS does not decrypt the value: The ciphertext is invalid.')
  })
})
