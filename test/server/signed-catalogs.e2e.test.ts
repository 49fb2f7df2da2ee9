import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseCertificates } from '../../src/ca/x509/certificate.ts'
import { parseRevocationLists } from '../../src/ca/x509/revocation-list.ts'
import { localFiles } from '../../src/machine/system/files.ts'
import { verifyCatalog } from '../../src/model/catalog-signature.ts'
import { verifyAuditLog } from '../../src/store/audit/verify.ts'
import { type ControlRepository, controlRepository } from '../support/control-repository.ts'
import { eventually } from '../support/eventually.js'
import { runHere } from '../support/run-here.ts'
import { type Answer, type Serving, serve } from './serving.ts'

let repository: ControlRepository
let serving: Serving
let commit: string
beforeAll(async () => {
  repository = controlRepository({
    'manifests/site.pp': `
Integer[1, 2000].each |$n| { notify { "a longer text for each of them \${n}": } }
`,
  })
  commit = repository.git('rev-parse', 'HEAD')
  repository.push({}, 'other')
  serving = await serve({ code_repo: repository.bare })
})
afterAll(async () => {
  await serving?.stop()
})

function catalogOf(
  node: string,
  query = 'environment=production',
  accept = 'application/json',
  to = serving,
): Promise<Answer> {
  return to.call('GET', `/puppet/v3/catalog/${node}?${query}`, { as: node, headers: { accept } })
}

async function trustOf({ settings }: Serving) {
  return {
    authorities: parseCertificates(readFileSync(settings.localcacert, 'utf8')),
    lists: parseRevocationLists(readFileSync(join(settings.cadir, 'ca_crl.pem'), 'utf8')),
    revocation: 'chain',
  } as const
}

/** What an answer's signature proves of its body. */
async function proven(answer: Answer, to = serving) {
  const signature = answer.headers['x-plumb-catalog-signature'] as string | undefined
  const catalog = { wire: JSON.parse(answer.text), text: answer.text, signature }
  return verifyCatalog(catalog, { trust: await trustOf(to), now: new Date() })
}

describe('an answer with a catalog', () => {
  it.each(['application/json', 'application/vnd.puppet.rich+json'])(
    'is signed as it is sent, in %s',
    async (accept) => {
      const statement = await proven(await catalogOf('a.test', 'environment=production&transaction_uuid=f0f0', accept))
      const { signer: _, digest: __, time, ...said } = statement
      expect(said).toEqual({ node: 'a.test', environment: 'production', codeId: commit, transaction: 'f0f0' })
      expect(Math.abs(Date.parse(time) - Date.now())).toBeLessThan(60_000)
    },
  )

  it('is signed for its own node, environment and moment', async () => {
    const [mine, yours, other] = [
      await catalogOf('a.test'),
      await catalogOf('b.test'),
      await catalogOf('a.test', 'environment=other'),
    ]
    for (const [answer, by] of [
      [mine, yours],
      [yours, mine],
      [mine, other],
    ] as const)
      await expect(proven({ ...answer, headers: by.headers })).rejects.toThrow(
        /signature belongs to another catalog|was changed after it was signed/,
      )
  })

  it('is signed whatever a client calls its request', async () => {
    const long = 'x'.repeat(5000)
    expect(
      (await proven(await catalogOf('a.test', `environment=production&transaction_uuid=${long}`))).transaction,
    ).toBeUndefined()
  })

  it('is not signed where the settings say so', async () => {
    const silent = await serve({ code_repo: repository.bare, catalog_signing: 'false', audit: 'false' })
    try {
      const answer = await catalogOf('a.test', 'environment=production', 'application/json', silent)
      expect(answer.status).toBe(200)
      expect(answer.headers).not.toHaveProperty('x-plumb-catalog-signature')
      expect(await localFiles.stat(silent.settings.auditdir)).toBeUndefined()
      expect(await localFiles.stat(silent.settings.catalog_signer)).toBeUndefined()
    } finally {
      await silent.stop()
    }
  })
})

describe('the key for catalogs', () => {
  it('is nobody over TLS', async () => {
    const pem = readFileSync(serving.settings.catalog_signer, 'utf8')
    const path = '/puppet/v3/catalog/_catalogs.localhost?environment=production'
    const answer = await serving.call('GET', path, { credentials: { key: pem, cert: pem } })
    expect(answer.status).toBe(403)
    expect(serving.log.some((line) => line.includes('the certificate is not trusted'))).toBe(true)
  })

  it('is another one at once after a reload, where it was revoked', async () => {
    const before = await proven(await catalogOf('a.test'))
    await serving.revoke('_catalogs.localhost')
    await serving.server.reload()
    const after = await proven(await catalogOf('a.test'))
    expect(after.signer.serial).not.toBe(before.signer.serial)
  })
})

it('the audit log has each catalog with the digest that was signed, who asked for it, and what is served', async () => {
  const { auditdir } = serving.settings
  const { digest } = await proven(await catalogOf('c.test'))
  const next = repository.push({ 'manifests/site.pp': "notify { 'next': }" })
  await serving.server.reload()
  repository.push({ 'manifests/site.pp': 'notify { "x":' })
  await serving.server.reload()
  await serving.call('GET', '/puppet/v3/catalog/d.test?environment=production', { as: 'admin.test' })
  // What is added is written at once, and not waited for.
  const records = await eventually(
    async () => {
      const { out } = await runHere(['audit', 'log', '--auditdir', auditdir, '--render-as', 'json'])
      return out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    },
    (all) => all.some(({ result }) => result === 'refused'),
  )
  expect(records.filter(({ node }) => node === 'c.test')).toMatchObject([{ kind: 'catalog', digest, code_id: commit }])
  expect(records.find(({ node }) => node === 'c.test')).not.toHaveProperty('client')
  const deploys = records.filter(({ kind, environment }) => kind === 'deploy' && environment === 'production')
  expect(deploys).toMatchObject([
    { old: null, new: commit, result: 'served', ref: 'refs/heads/production' },
    { old: commit, new: next, result: 'served' },
    { old: next, result: 'refused', reason: expect.stringContaining('Syntax error') },
  ])
  expect((await verifyAuditLog(auditdir, localFiles)).problems).toEqual([])
})
