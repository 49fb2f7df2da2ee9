import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toCertificatePem } from '../../src/ca/x509/certificate.ts'
import { buildCertificateRequest } from '../../src/ca/x509/certificate-request.ts'
import { buildTextExtension } from '../../src/ca/x509/extensions.ts'
import { generatePrivateKey, toPrivateKeyPem } from '../../src/ca/x509/keys.ts'
import { localSystem } from '../../src/machine/system/local-system.ts'
import { openConfiguredAuthority } from '../../src/store/authority/configured-authority.ts'
import { type ControlRepository, controlRepository } from '../support/control-repository.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { type Serving, serve } from './serving.ts'

const arc = '1.3.6.1.4.1.34380.1.2'
const mapping = (oid: string, name: string) =>
  `oid_mapping:\n  '${oid}':\n    shortname: ${name}\n    longname: A name of ours\n`
const authConf = `authorization: { version: 1, rules: [
  { name: by extension, sort-order: 1, match-request: { path: "/puppet/v3/environments", type: path },
    allow: { extensions: { rack: "7b" } } },
  { name: catalogs, sort-order: 2, match-request: { path: "^/puppet/v3/catalog/([^/]+)$", type: regex }, allow: "$1" } ] }`

let repository: ControlRepository
let serving: Serving
let file: string
let credentials: { readonly key: string; readonly cert: string }

beforeAll(async () => {
  repository = controlRepository({
    'manifests/site.pp': `notify { "\${trusted['extensions'].map |$name, $value| { "\${name}=\${value}" }.join(' ')}": }\n`,
  })
  const folder = scratchFolder('extension-names')
  mkdirSync(folder, { recursive: true })
  file = join(folder, 'mapping.yaml')
  writeFileSync(file, mapping(`${arc}.1`, 'rack'))
  writeFileSync(join(folder, 'auth.conf'), authConf)
  serving = await serve({
    code_repo: repository.bare,
    trusted_oid_mapping_file: file,
    auth_conf: join(folder, 'auth.conf'),
  })
  credentials = await certificateOf('a.test', [
    [`${arc}.1`, '7b'],
    [`${arc}.2`, 'unnamed'],
  ])
})

afterAll(async () => {
  await serving?.stop()
})

async function certificateOf(name: string, extensions: readonly (readonly [oid: string, value: string])[]) {
  const authority = await openConfiguredAuthority(serving.settings, localSystem)
  const key = await generatePrivateKey({ type: 'ec', curve: 'prime256v1' })
  const asked = extensions.map(([oid, value]) => buildTextExtension(oid, value))
  await authority.submit(
    name,
    await buildCertificateRequest({ commonName: name, attributes: [], extensions: asked }, key),
  )
  return { key: toPrivateKeyPem(key), cert: toCertificatePem(await authority.sign(name)) }
}

const trustedExtensions = async () => {
  const asked = '/puppet/v3/catalog/a.test?environment=production'
  const { status, text } = await serving.call('GET', asked, { credentials, headers: { accept: 'application/json' } })
  const found = JSON.parse(text).resources as { type: string; title: string }[]
  return [status, found.find(({ type }) => type === 'Notify')?.title]
}
const environments = async () => (await serving.call('GET', '/puppet/v3/environments', { credentials })).status

describe('trusted_oid_mapping_file', () => {
  it('names extensions in $trusted, and in rules of auth.conf', async () => {
    expect(await trustedExtensions()).toEqual([200, `rack=7b ${arc}.2=unnamed`])
    expect(await environments()).toBe(200)
  })

  it('is read again with the rules', async () => {
    writeFileSync(file, mapping(`${arc}.2`, 'other'))
    await serving.server.reload()
    expect(await trustedExtensions()).toEqual([200, `${arc}.1=7b other=unnamed`])
    expect(await environments()).toBe(403)
  })

  it.each([
    ['an extension that may administer', mapping(`${arc}.1`, 'pp_cli_auth'), 'oid exists'],
    ["one of Puppet's object identifiers", mapping('1.3.6.1.4.1.34380.1.3.39', 'harmless'), 'oid exists'],
    ['nothing', '{}', "no such index 'oid_mapping'"],
  ])('cannot name %s', async (_, text, why) => {
    writeFileSync(file, text)
    await expect(serving.server.reload()).rejects.toThrow(`${file}': ${why}`)
    expect(await trustedExtensions()).toEqual([200, `${arc}.1=7b other=unnamed`])
  })
})
