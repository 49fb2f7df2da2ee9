import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { countExpiringNodes } from '../../src/ca/expiring-certificates.ts'
import { ensureHostCertificate, renewHostCertificate } from '../../src/ca/host-files.ts'
import { parseCertificate, toCertificatePem } from '../../src/ca/x509/certificate.ts'
import { parseRevocationLists } from '../../src/ca/x509/revocation-list.ts'
import { loadSettings } from '../../src/machine/settings/settings.ts'
import { localSystem } from '../../src/machine/system/local-system.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { ec, newAuthority } from './fixture.ts'
import { openssl } from './x509/openssl.ts'

const dayMs = 86_400_000

/**
 * A year, day by day, in which the server looks after its certificates, nodes renew theirs in their last month, and some are
 * revoked: on each day openssl verifies what is to be good, at that day's time, with the list of that day.
 */
it('lives through a year: lists and certificates are renewed, and nothing ever ends', async () => {
  let now = Date.now()
  const system = { ...localSystem, now: () => now }
  const { ca, cadir } = await newAuthority({ system, ttl: 90 * 86_400, allowAutoRenewal: true })
  const folder = scratchFolder('year')
  const given = { confdir: folder, certname: 'server.test', key_type: 'ec', ca_ttl: '90d' }
  const settings = loadSettings({ given, runMode: 'server', env: {} })
  await ensureHostCertificate(settings, ca, system)
  const life = 90 * 86_400
  const nodes = new Map<string, string>()
  for (const name of ['a.test', 'b.test', 'revoked.test'])
    nodes.set(name, toCertificatePem((await ca.generate(name, { key: ec, ttl: life })).certificate))
  const revoked = parseCertificate(nodes.get('revoked.test')!)
  await ca.revoke('revoked.test')
  const seen = { lists: new Set<string>(), own: new Set<string>(), node: new Set<string>() }
  const verify = (pem: string, list: string) =>
    openssl(
      ...['verify', '-attime', String(Math.floor(now / 1000)), '-crl_check'],
      ...['-CAfile', join(cadir, 'ca_crt.pem'), '-CRLfile', { pem: list }, { pem }],
    )
  const begun = now
  for (let day = 0; day <= 365; day++, now = begun + day * dayMs) {
    await ca.refreshRevocationList()
    await renewHostCertificate({ ...settings, ca_ttl: life }, ca, system)
    for (const [name, pem] of nodes) {
      const old = parseCertificate(pem)
      if (name === 'revoked.test' || old.notAfter.getTime() - now > 30 * dayMs) continue
      nodes.set(name, toCertificatePem(await ca.renew(old)))
    }
    const list = (await ca.revocationLists()).pem
    const own = readFileSync(settings.hostcert, 'utf8')
    seen.lists.add(createHash('sha256').update(list).digest('hex'))
    seen.own.add(own)
    seen.node.add(nodes.get('a.test')!)
    if (day % 5 !== 0) continue
    for (const pem of [own, nodes.get('a.test')!, nodes.get('b.test')!]) expect(verify(pem, list)).toContain('OK')
    expect((await countExpiringNodes(ca.statusSlices('signed'), new Date(now), 'server.test')).count).toBe(0)
    expect(() => verify(toCertificatePem(revoked), list)).toThrow(/certificate (revoked|has expired)/)
  }
  // A list at each half of its 30 days; certificates of 90 days in their last 30, the server's two days before a warning.
  expect([seen.lists.size, seen.own.size, seen.node.size]).toEqual([25, 6, 7])
  const [last] = parseRevocationLists((await ca.revocationLists()).pem)
  expect(last!.revoked).toContain(revoked.serial.toString(16))
  await expect(ca.renew(revoked)).rejects.toThrow('Certificate for revoked.test is revoked')
  // A clock that goes back: what is issued is good then, too, and no serial is given twice.
  const { serial } = parseCertificate(nodes.get('a.test')!)
  now = begun - 30 * dayMs
  expect(await ca.refreshRevocationList()).toBe(true)
  const back = (await ca.generate('back.test', { key: ec })).certificate
  expect(back.serial > serial).toBe(true)
  const [put] = parseRevocationLists((await ca.revocationLists()).pem)
  expect(put!.thisUpdate.getTime()).toBeLessThan(now)
  expect(put!.number! > last!.number!).toBe(true)
})
