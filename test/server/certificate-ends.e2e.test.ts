import { readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { computeCertificateFigures, listCertificateAlerts } from '../../src/ca/certificate-alerts.ts'
import { toListIssuer } from '../../src/ca/certificate-profile.ts'
import { parseCertificate } from '../../src/ca/x509/certificate.ts'
import { createDistinguishedName } from '../../src/ca/x509/distinguished-name.ts'
import { buildRevocationList } from '../../src/ca/x509/revocation-list.ts'
import { createKeySigner } from '../../src/ca/x509/signature.ts'
import { ec, newAuthority } from '../ca/fixture.ts'
import { type ControlRepository, controlRepository } from '../support/control-repository.ts'
import { expiryOf } from '../support/eventually.js'
import { plumb, type RunningServer, startServer } from '../support/plumb.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { serve } from './serving.ts'
import { authorityIn, forged } from './tls-client.ts'

let repository: ControlRepository
beforeAll(() => {
  repository = controlRepository({ 'manifests/site.pp': '' })
})
afterEach(() => void vi.useRealTimers())

const dayMs = 86_400_000

/** What anybody is told. */
function alertsOf({ port }: RunningServer): Promise<readonly { severity: string; message: string }[]> {
  return new Promise((done, failed) => {
    const path = '/status/v1/services/server'
    const asking = request({ host: 'localhost', port, path, rejectUnauthorized: false }, async (answer) => {
      let text = ''
      for await (const chunk of answer) text += chunk
      done(JSON.parse(text).active_alerts)
    })
    asking.on('error', failed).end()
  })
}

describe('a server whose certificates have expired', () => {
  it('says so when it starts, in its log and in its status, until they are renewed', async () => {
    const folder = scratchFolder('ends')
    const start = () => startServer({ repository: repository.bare, folder })
    const first = await start()
    expect(await alertsOf(first)).toEqual([])
    expect(first.output()).not.toContain('Warning: ')
    await first.stop()
    const ca = (...words: readonly string[]) => plumb(['ca', ...words, ...first.places])
    await ca('renew', '--ca', '--certname', 'localhost', '--ttl', '1s')
    await expiryOf(parseCertificate(readFileSync(join(first.confdir, 'ca/ca_crt.pem'), 'utf8')))
    const second = await start()
    // Its own certificate it has renewed.
    await expect.poll(second.output).toContain('"msg":"Renewed the certificate of this server; it is valid until ')
    const whose = "the CA 'CN=Puppet CA: localhost' expired on "
    await expect.poll(second.output).toMatch(new RegExp(`^Warning: The certificate of ${whose}`, 'm'))
    await expect
      .poll(second.output)
      .toMatch(new RegExp(`"level":50,.*"msg":"The certificate of ${whose}.*\\(hint: .*'plumb ca renew`))
    expect(await alertsOf(second)).toEqual([
      { severity: 'error', message: expect.stringContaining('The certificate of the CA') },
    ])
    const renewed = await ca('renew', '--ca', '--certname', 'localhost')
    expect([renewed.exitCode, renewed.stdout]).toEqual([
      0,
      expect.stringMatching(
        /^Renewed the certificate of the CA .*\n.*SIGHUP.*\nRenewed certificate for localhost: serial 6\n/,
      ),
    ])
    second.process.kill('SIGHUP')
    await expect.poll(() => alertsOf(second)).toEqual([])
    await second.stop()
  })
})

it('says it every day', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const serving = await serve({ code_repo: repository.bare })
  const { hostcert, hostprivkey, cadir } = serving.settings
  const soon = await forged(authorityIn(cadir), {
    name: createDistinguishedName('localhost'),
    from: new Date(Date.now() - 360 * dayMs),
    to: new Date(Date.now() + 10.5 * dayMs),
  })
  writeFileSync(hostprivkey, soon.key)
  writeFileSync(hostcert, soon.cert)
  await serving.server.reload()
  const said = () =>
    serving.log.filter((line) => line.includes("of this server, 'CN=localhost', expires in 10 days, on "))
  expect(said()).toHaveLength(0)
  vi.advanceTimersByTime(dayMs)
  expect(said()).toHaveLength(1)
  vi.advanceTimersByTime(dayMs)
  expect(said()).toHaveLength(2)
  await serving.stop()
})

describe('what is said of a certificate', async () => {
  const { ca, cadir } = await newAuthority()
  const authority = authorityIn(cadir)
  const own = (await ca.generate('code.test', { key: ec })).certificate
  const { notBefore, notAfter } = authority.certificate
  const at = (date: Date, days: number) => new Date(date.getTime() + days * dayMs)
  const now = new Date()
  const ending = async (days: number) =>
    parseCertificate(
      (await forged(authority, { name: createDistinguishedName('code.test'), from: at(now, -1000), to: at(now, days) }))
        .cert,
    )

  it.each([
    [61, undefined],
    [59.5, "The certificate of this server, 'CN=code.test', expires in 59 days, on "],
    [0.5, "The certificate of this server, 'CN=code.test', expires in 0 days, on "],
    [-0.5, "The certificate of this server, 'CN=code.test', expired on "],
  ])('of a server, %d days before its end', async (days, message) => {
    const said = listCertificateAlerts(
      { own: await ending(days), authorities: [authority.certificate], signsHere: false },
      now,
    )
    expect(said.map((each) => each.message)).toEqual(message === undefined ? [] : [expect.stringContaining(message)])
    for (const { hint } of said) expect(hint).toContain("'plumb ca renew --certname code.test' on the CA and ")
  })

  it.each([
    ['61 days before its end', at(notAfter, -61), []],
    ['59 days before its end', at(notAfter, -59), ['expires in 59 days, on ']],
    ['after it', at(notAfter, 1), ['expired on ', 'expired on ']],
    ['before it begins', at(notBefore, -1), ['is not valid before ', 'is not valid before ']],
  ])('of an authority, %s', (_, date, messages) => {
    const said = listCertificateAlerts({ own, authorities: [authority.certificate], signsHere: true }, date)
    expect(said.slice(0, messages.length).map(({ message }) => message)).toEqual(
      messages.map((each) => expect.stringContaining(each)),
    )
  })

  it.each([
    ['of 30 days, at its half', 30, 15, []],
    [
      'of 30 days, in its last quarter',
      30,
      7,
      ["The revocation list of 'CN=Puppet CA: ca.test' expires in 7 days, on "],
    ],
    ['of a year', 365, 59, ["The revocation list of 'CN=Puppet CA: ca.test' expires in 59 days, on "]],
    ['that ended', 30, -1, ["The revocation list of 'CN=Puppet CA: ca.test' expired on "]],
  ])('of a revocation list %s', async (_, life, left, messages) => {
    const { certificate, key } = authority
    const list = await buildRevocationList(toListIssuer({ certificate, signer: createKeySigner(key) }), {
      ...{ thisUpdate: at(now, left - life), nextUpdate: at(now, left + 0.1) },
    })
    const said = listCertificateAlerts({ own, authorities: [certificate], lists: [list], signsHere: true }, now)
    expect(said.map(({ message }) => message)).toEqual(messages.map((each) => expect.stringContaining(each)))
    const figures = computeCertificateFigures({ own, authorities: [certificate], lists: [list], signsHere: true }, now)
    expect(figures.certificates.map(({ kind, name }) => [kind, name])).toEqual([
      ['authority', 'Puppet CA: ca.test'],
      ['server', 'code.test'],
      ['revocation-list', 'Puppet CA: ca.test'],
    ])
    expect(Math.round(figures.certificates[2]!['seconds-left'] / 8640)).toBe(left * 10 + 1)
  })

  it.each([
    ['one', 1, "The certificate of a node expires soon; the certificate of 'n.test' in 4 days, on "],
    ['many', 12, "The certificates of 12 nodes expire soon; the certificate of 'n.test' in 4 days, on "],
  ])('of %s of the nodes', (_, count, message) => {
    const nodes = { count, first: { name: 'n.test', notAfter: at(now, 4.5) } }
    const said = listCertificateAlerts({ own, authorities: [authority.certificate], nodes, signsHere: true }, now)
    expect(said).toEqual([expect.objectContaining({ severity: 'warning', message: expect.stringContaining(message) })])
  })
})
