import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAuthorityCertificate, type Issuer, toListIssuer } from '../../src/ca/certificate-profile.ts'
import { getCaLayout } from '../../src/ca/file-layout.ts'
import { plainKeyAccess } from '../../src/ca/issuer.ts'
import { importAuthority } from '../../src/ca/setup.ts'
import { openAuthorityFolder } from '../../src/ca/storage/authority-folder.ts'
import { buildCertificate, toCertificatePem } from '../../src/ca/x509/certificate.ts'
import { createDistinguishedName } from '../../src/ca/x509/distinguished-name.ts'
import { generatePrivateKey, toPrivateKeyPem, toPublicKeyDer } from '../../src/ca/x509/keys.ts'
import { buildRevocationList, toRevocationListPem } from '../../src/ca/x509/revocation-list.ts'
import { createKeySigner } from '../../src/ca/x509/signature.ts'
import { localSystem } from '../../src/machine/system/local-system.ts'
import { type ControlRepository, controlRepository } from '../support/control-repository.ts'
import { plumb, plumbMain, startServer } from '../support/plumb.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { type Serving, serve } from './serving.ts'

let repository: ControlRepository
beforeAll(() => {
  repository = controlRepository({ 'manifests/site.pp': '' })
})

const environments = '/puppet/v3/environments'
const ec = { type: 'ec', curve: 'prime256v1' } as const
const day = 86_400_000

/** An authority below a root, in a folder, and how to write its lists. */
async function authorityBelowRoot() {
  const now = new Date()
  const seconds = (5 * 365 * day) / 1000
  const rootKey = await generatePrivateKey(ec)
  const root: Issuer = {
    certificate: await createAuthorityCertificate('Root', createKeySigner(rootKey), seconds, now),
    signer: createKeySigner(rootKey),
  }
  const key = await generatePrivateKey(ec)
  const { extensions, subject, notBefore, notAfter } = await createAuthorityCertificate(
    'Puppet CA: ours',
    createKeySigner(key),
    seconds,
    now,
  )
  const certificate = await buildCertificate(
    {
      ...{
        serial: 5n,
        issuer: createDistinguishedName('Root'),
        subject,
        notBefore,
        notAfter,
        spki: toPublicKeyDer(key),
      },
      extensions: extensions.filter(({ oid }) => oid !== '2.5.29.35'),
    },
    root.signer,
  )
  const ours: Issuer = { certificate, signer: createKeySigner(key) }
  const cadir = join(scratchFolder('revocation'), 'ca')
  await importAuthority({
    storage: openAuthorityFolder(cadir, localSystem),
    access: plainKeyAccess(localSystem),
    privateKey: toPrivateKeyPem(key),
    certificates: [certificate, root.certificate].map(toCertificatePem).join(''),
    revocationLists: (await listOf(ours)) + (await listOf(root)),
    system: localSystem,
  })
  return { cadir, root, ours }
}

interface ListContent {
  readonly revoked?: readonly bigint[]
  readonly from?: number
  readonly to?: number
}

/** A list in PEM, in force from yesterday to tomorrow unless it is told otherwise. */
async function listOf(issuer: Issuer, { revoked = [], from = -day, to = day }: ListContent = {}): Promise<string> {
  const date = new Date()
  const list = await buildRevocationList(toListIssuer(issuer), {
    added: revoked.map((serial) => ({ serial, date, reason: undefined })),
    thisUpdate: new Date(Date.now() + from),
    nextUpdate: new Date(Date.now() + to),
  })
  return toRevocationListPem(list)
}

describe('the lists of a chain', () => {
  let serving: Serving
  let chain: Awaited<ReturnType<typeof authorityBelowRoot>>

  beforeAll(async () => {
    chain = await authorityBelowRoot()
    serving = await serve({ code_repo: repository.bare, cadir: chain.cadir })
    await serving.credentials('a.test')
  })
  afterAll(() => serving?.stop())

  const cases: readonly (readonly [
    string,
    (root: Issuer, ours: Issuer) => readonly Promise<string>[],
    string | undefined,
  ])[] = [
    ['revoke nobody', (root, ours) => [listOf(ours), listOf(root)], undefined],
    ['are in any order', (root, ours) => [listOf(root), listOf(ours)], undefined],
    [
      'revoke the authority between',
      (root, ours) => [listOf(ours), listOf(root, { revoked: [5n] })],
      "Certificate 'CN=Puppet CA: ours' is revoked",
    ],
    [
      'revoke it in one list, and not in a later one',
      (root, ours) => [listOf(ours), listOf(root), listOf(root, { revoked: [5n] })],
      "Certificate 'CN=Puppet CA: ours' is revoked",
    ],
    ['lack the one of the root', (_, ours) => [listOf(ours)], "The CRL issued by 'CN=Root' is missing"],
    ['lack the one of the issuer', (root) => [listOf(root)], "The CRL issued by 'CN=Puppet CA: ours' is missing"],
    [
      'have one that another key signed',
      (root, ours) => [listOf(ours), listOf({ certificate: root.certificate, signer: ours.signer })],
      "Invalid signature for CRL issued by 'CN=Root'",
    ],
    [
      'have one that is over',
      (root, ours) => [listOf(ours, { from: -2 * day, to: -day }), listOf(root)],
      "The CRL issued by 'CN=Puppet CA: ours' has expired",
    ],
    [
      'have one of the future',
      (root, ours) => [listOf(ours), listOf(root, { from: day, to: 2 * day })],
      "The CRL issued by 'CN=Root' is not yet valid",
    ],
  ]
  it.each(cases)('%s', async (_, lists, refused) => {
    const { cadir, root, ours } = chain
    writeFileSync(getCaLayout(cadir).revocationList, (await Promise.all(lists(root, ours))).join(''))
    const before = serving.log.length
    const { status } = await serving.call('GET', environments, { as: 'a.test' })
    expect(status).toBe(refused === undefined ? 200 : 403)
    expect(serving.log.slice(before).join('')).toContain(refused ?? '')
  })

  it('hold as soon as the parent has sent its own, to the authority itself', async () => {
    const { cadir, root, ours } = chain
    writeFileSync(getCaLayout(cadir).revocationList, (await listOf(ours)) + (await listOf(root)))
    const admin = await serving.credentials('admin')
    const call = () => serving.call('GET', environments, { credentials: admin })
    expect((await call()).status).toBe(200)
    const sent = await serving.call('PUT', '/puppet-ca/v1/certificate_revocation_list', {
      credentials: admin,
      headers: { 'content-type': 'text/plain' },
      body: await listOf(root, { revoked: [5n] }),
    })
    expect([sent.status, (await call()).status]).toEqual([200, 403])
  })
})

const broken: readonly (readonly [string, (file: string) => void, string])[] = [
  ['gone', (file) => rmSync(file), 'The CRL is missing from'],
  ['empty', (file) => writeFileSync(file, ''), 'Failed to parse CRLs as PEM'],
  ['no PEM', (file) => writeFileSync(file, 'nonsense'), 'Failed to parse CRLs as PEM'],
  ['cut off', (file) => writeFileSync(file, readFileSync(file).subarray(0, 200)), 'Failed to parse CRLs as PEM'],
  [
    'no list within its PEM',
    (file) => writeFileSync(file, '-----BEGIN X509 CRL-----\nMAA=\n-----END X509 CRL-----\n'),
    'Failed to parse CRLs as PEM',
  ],
]

describe('a list that cannot be read', () => {
  it.each(broken)('lets nobody in while it is %s, and all as soon as it is whole', async (_, spoil, message) => {
    const serving = await serve({ code_repo: repository.bare })
    await serving.credentials('a.test')
    const call = (path: string) => serving.call('GET', path, { as: 'a.test' })
    await serving.credentials('revoked.test')
    await serving.revoke('revoked.test')
    const { revocationList } = getCaLayout(serving.settings.cadir)
    writeFileSync(`${revocationList}.kept`, readFileSync(revocationList))
    expect((await call(environments)).status).toBe(200)
    spoil(revocationList)
    for (const as of ['a.test', 'revoked.test']) {
      const { status, text } = await serving.call('GET', environments, { as })
      const said = 'The certificate cannot be verified now. Please see the server logs for details.'
      expect([status, text]).toEqual([503, said])
    }
    expect(serving.log.join('')).toContain(`All client certificates are rejected: ${message}`)
    expect((await call('/status/v1/simple')).text).toBe('running')
    renameSync(`${revocationList}.kept`, revocationList)
    expect((await call(environments)).status).toBe(200)
    expect((await serving.call('GET', environments, { as: 'revoked.test' })).status).toBe(403)
    await serving.stop()
  })

  it.each(broken)('ends a server that starts while it is %s, with status 1 and the reason', async (_, spoil) => {
    const server = await startServer({ repository: repository.bare })
    await server.stop()
    spoil(join(server.confdir, 'ca', 'ca_crl.pem'))
    const words = ['server', ...server.places, '--certname', 'localhost', '--code_repo', repository.bare]
    const more = ['--serverport', '0', '--bindaddress', '127.0.0.1']
    const result = await execa(process.execPath, [plumbMain, ...words, ...more], { reject: false, timeout: 60_000 })
    expect([result.exitCode, result.timedOut]).toEqual([1, false])
    expect(result.stderr).toMatch(/^Error: .*(CRL|ca_crl\.pem)/m)
  })

  it('is not made up for by an authority that cannot be read: nobody of the World Wide Web is trusted', async () => {
    const serving = await serve({ code_repo: repository.bare })
    await serving.credentials('a.test')
    for (const text of ['', 'nonsense']) {
      writeFileSync(serving.settings.localcacert, text)
      await expect(serving.server.reload()).rejects.toThrow('Failed to parse CA certificates as PEM')
      expect((await serving.call('GET', environments, { as: 'a.test' })).status).toBe(200)
    }
    rmSync(serving.settings.localcacert)
    await expect(serving.server.reload()).rejects.toThrow('The CA certificates are missing from')
    expect((await serving.call('GET', environments, { as: 'a.test' })).status).toBe(200)
    await serving.stop()
  })
})

it('plumb ca says what is wrong with a list, too', async () => {
  const server = await startServer({ repository: repository.bare })
  await server.stop()
  writeFileSync(join(server.confdir, 'ca', 'ca_crl.pem'), '')
  const { exitCode, stderr } = await plumb(['ca', 'list', '--all', ...server.places])
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('Failed to parse CRLs as PEM')])
})

describe('the setting enable-infra-crl', () => {
  const settings = { 'enable-infra-crl': 'true' }

  it.each(['infra_crl.pem', 'infra_inventory.txt'])('needs the file %s for a start', async (name) => {
    const folder = scratchFolder('infra')
    const server = await startServer({ repository: repository.bare, folder, settings })
    expect(await server.stop()).toBe(0)
    const file = join(server.confdir, 'ca', name)
    rmSync(file)
    const started = startServer({ repository: repository.bare, folder, settings })
    const message = String(
      await started.then(
        () => 'started',
        (error: unknown) => error,
      ),
    )
    expect(message).toContain('Cannot initialize CA with partial state; need all files or none.')
    expect(message).toContain('Missing:')
    expect(message.slice(message.indexOf('Missing:'))).toContain(file)
    expect(message).toContain('plumb ca enable --infracrl')
    const unused = await startServer({ repository: repository.bare, folder })
    expect(await unused.stop()).toBe(0)
  })
})
