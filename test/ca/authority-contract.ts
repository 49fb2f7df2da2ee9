import { describe, expect, it } from 'vitest'
import type { CertificateAuthority } from '../../src/ca/certificate-authority.ts'
import type { AuthorityOptions } from '../../src/ca/local-authority.ts'
import { parseCertificate } from '../../src/ca/x509/certificate.ts'
import { buildSubjectAltName, buildTextExtension, listSubjectAltNames } from '../../src/ca/x509/extensions.ts'
import { puppetOids } from '../../src/ca/x509/oids.ts'
import { localSystem } from '../../src/machine/system/local-system.ts'
import { ec, type Fixture, inventoryOf, requestFor } from './fixture.ts'
import { openssl } from './x509/openssl.ts'

const signAll = async () => true
const day = 86_400

/** The behavior of an authority in any storage. */
export function testAuthority(newAuthority: (change?: Partial<AuthorityOptions>) => Promise<Fixture>): void {
  describe('signing', () => {
    it.each([
      ['b.test', 'a.test', {}, 'Instance name "a.test" does not match requested key "b.test"'],
      ['A.test', 'A.test', {}, 'Certificate names must be lower case.'],
      ['*.test', '*.test', {}, 'Subject contains a wildcard, which is not allowed: *.test'],
      ['ca', 'ca', {}, "The certname 'ca' is reserved for the certificate authority"],
      ['../a', '../a', {}, 'Subject hostname format is invalid'],
      ['..', '..', {}, 'Subject hostname format is invalid'],
      ['a b', 'a b', {}, 'Subject hostname format is invalid'],
      ['a\0', 'a\0', {}, 'Subject hostname format is invalid'],
    ])('takes no request for %s from %s, and writes nothing', async (name, subject, content, message) => {
      const { storage, ca } = await newAuthority({ autosign: signAll })
      await expect(ca.submit(name, await requestFor(subject, content))).rejects.toThrow(message)
      expect(await storage.requests.names()).toEqual([])
      expect(await storage.nextSerial()).toBe(2n)
    })

    it.each([
      [
        [buildSubjectAltName(['a.test', 'b.test'])],
        "CSR 'a.test' contains extra subject alternative names (DNS:b.test), which are disallowed. To allow subject alternative names, set allow-subject-alt-names to true in your ca.conf file. Then restart the puppetserver and try signing this certificate again.",
      ],
      [
        [buildTextExtension(puppetOids.get('pp_cli_auth')!, 'true')],
        "CSR 'a.test' contains an authorization extension, which is disallowed.",
      ],
      [
        [{ oid: '2.5.29.19', critical: true, value: Buffer.from('30030101ff', 'hex') }],
        'Found extensions that are not permitted: 2.5.29.19',
      ],
    ])('refuses extensions %#, and keeps the request', async (extensions, message) => {
      const { ca } = await newAuthority({ autosign: signAll })
      const pem = await requestFor('a.test', { extensions })
      await expect(ca.submit('a.test', pem)).rejects.toThrow(message)
      expect(await ca.certificate('a.test')).toBeUndefined()
      await expect(ca.submit('a.test', pem)).rejects.toThrow(
        'a.test already has a requested certificate; ignoring certificate request',
      )
    })

    it('allows what it is told to allow', async () => {
      const { ca } = await newAuthority({
        autosign: signAll,
        allowSubjectAltNames: true,
        allowAuthorizationExtensions: true,
      })
      const extensions = [
        buildSubjectAltName(['b.test', 'IP:10.1.2.3']),
        buildTextExtension(puppetOids.get('pp_cli_auth')!, 'true'),
      ]
      await ca.submit('a.test', await requestFor('a.test', { extensions }))
      expect(await ca.status('a.test')).toMatchObject({
        state: 'signed',
        dns_alt_names: ['DNS:a.test', 'DNS:b.test'],
        subject_alt_names: ['DNS:a.test', 'DNS:b.test', 'IP:10.1.2.3'],
        authorization_extensions: { pp_cli_auth: 'true' },
      })
      await expect(
        ca.submit('c.test', await requestFor('c.test', { extensions: [buildSubjectAltName(['*.test'])] })),
      ).rejects.toThrow('contains a wildcard')
    })

    it('refuses a request that its key did not sign', async () => {
      const { ca } = await newAuthority({ autosign: signAll })
      const pem = await requestFor('a.test')
      const der = Buffer.from(pem.replace(/-----.*-----|\n/g, ''), 'base64')
      der[der.length - 1]! ^= 1
      const broken = `-----BEGIN CERTIFICATE REQUEST-----\n${der.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`
      await expect(ca.submit('a.test', broken)).rejects.toThrow(
        'CSR contains a public key that does not correspond to the signing key',
      )
    })

    it('names the state of what is there', async () => {
      const { ca, reopen } = await newAuthority()
      const pem = await requestFor('a.test')
      const refused = (state: string) => `a.test already has a ${state} certificate; ignoring certificate request`
      await ca.submit('a.test', pem)
      await expect(ca.submit('a.test', pem)).rejects.toThrow(refused('requested'))
      await ca.sign('a.test')
      await expect(ca.submit('a.test', pem)).rejects.toThrow(refused('signed'))
      await ca.revoke('a.test')
      await expect(ca.submit('a.test', pem)).rejects.toThrow(refused('revoked'))
      const lenient = await reopen({ allowDuplicates: true, autosign: signAll })
      await lenient.submit('a.test', pem)
      expect(await lenient.status('a.test')).toMatchObject({ state: 'signed', serial_number: 3 })
    })

    it('gives each certificate a serial of its own, forty at once', async () => {
      const { storage, ca, reopen } = await newAuthority()
      const other = await reopen({})
      const names = Array.from({ length: 40 }, (_, index) => `n${index}.test`)
      for (const name of names) await ca.submit(name, await requestFor(name))
      const signed = await Promise.all(names.map((name, index) => (index % 2 ? ca : other).sign(name)))
      expect(new Set(signed.map(({ serial }) => serial)).size).toBe(names.length)
      const inventory = await inventoryOf(storage)
      expect(inventory.map(({ serial }) => serial).sort()).toEqual(signed.map(({ serial }) => serial).sort())
    })
  })

  describe('revoking', () => {
    it('is known to openssl, and counts lists up', async () => {
      const { ca } = await newAuthority({ autosign: signAll })
      for (const name of ['a.test', 'b.test']) await ca.submit(name, await requestFor(name))
      await ca.revoke('a.test')
      const crl = (await ca.revocationLists()).pem
      const pem = (await ca.certificates()).pem
      const verify = (leaf: string) =>
        openssl('verify', '-crl_check', '-CAfile', { pem }, '-CRLfile', { pem: crl }, { pem: leaf })
      expect(verify((await ca.certificate('b.test'))!)).toContain('OK')
      const revoked = (await ca.certificate('a.test'))!
      expect(() => verify(revoked)).toThrow('certificate revoked')
      expect(openssl('crl', '-noout', '-text', '-in', { pem: crl })).toMatch(
        /CRL Number: \n\s+1\n[\s\S]*Serial Number: 02[\s\S]*Key Compromise/,
      )
      expect(await ca.isRevoked(parseCertificate(revoked).serial)).toBe(true)
      await ca.revoke('a.test')
      expect((await ca.revocationLists()).pem).toBe(crl)
      await expect(ca.revoke('none.test')).rejects.toThrow(
        'Cannot revoke certificate for host none.test without a signed certificate',
      )
    })

    it('cleans: revoked, and gone', async () => {
      const { storage, ca } = await newAuthority({ autosign: signAll })
      await ca.submit('a.test', await requestFor('a.test'))
      const { serial } = parseCertificate((await ca.certificate('a.test'))!)
      expect(await ca.clean(['a.test', 'none'])).toEqual(['none'])
      expect(await ca.isRevoked(serial)).toBe(true)
      expect((await storage.signed.findPresent(['a.test'])).size).toBe(0)
      await ca.submit('a.test', await requestFor('a.test'))
      expect((await ca.status('a.test'))?.state).toBe('signed')
    })

    const dayMs = 86_400_000
    const listEnd = async (ca: CertificateAuthority) =>
      Date.parse(Object.values((await ca.expirations()).lists)[0]!.replace('UTC', 'Z'))

    it.each([
      [30, 14, false],
      [30, 16, true],
      [30, 400, true],
      // A clock that was put right: its list would be of the future.
      [30, -3, true],
      [10, 4, false],
      [10, 6, true],
    ])('issues a list of %d days anew after %d days: %s', async (life, days, isNew) => {
      const begun = Math.floor(Date.now() / 1000) * 1000
      let now = begun
      const { ca } = await newAuthority({ system: { ...localSystem, now: () => now }, listLifeMs: life * dayMs })
      // The one that setup made is of 30 days.
      expect(await ca.refreshRevocationList()).toBe(life !== 30)
      now += days * dayMs
      expect(await ca.refreshRevocationList()).toBe(isNew)
      expect(await listEnd(ca)).toBe((isNew ? now : begun) + life * dayMs)
      expect(await ca.refreshRevocationList()).toBe(false)
    })
  })

  it('renews with the same key and extensions, but not for strangers', async () => {
    const { ca } = await newAuthority({ autosign: signAll, allowSubjectAltNames: true })
    const extensions = [buildSubjectAltName(['b.test']), buildTextExtension(puppetOids.get('pp_role')!, 'web')]
    await ca.submit('a.test', await requestFor('a.test', { extensions }))
    const old = parseCertificate((await ca.certificate('a.test'))!)
    const renewed = await ca.renew(old)
    expect(renewed.spki.equals(old.spki)).toBe(true)
    expect(listSubjectAltNames(renewed.extensions)).toEqual(['DNS:a.test', 'DNS:b.test'])
    expect(renewed.extensions.length).toBe(old.extensions.length)
    const { ca: other } = await newAuthority()
    await expect(other.renew(old)).rejects.toThrow('Certificate present, but does not match signature')
    await ca.revoke('a.test')
    await expect(ca.renew(old, { evenExpired: true })).rejects.toThrow('Certificate for a.test is revoked')
  })

  it('renews one that has expired for its operator, and for nobody else', async () => {
    const { ca, reopen } = await newAuthority()
    const { certificate } = await ca.generate('a.test', { key: ec, ttl: 86_400 })
    const later = await reopen({ system: { ...localSystem, now: () => Date.now() + 2 * 86_400_000 } })
    await expect(later.renew(certificate)).rejects.toThrow('Certificate present, but does not match signature')
    const { notAfter } = await later.renew(certificate, { ttl: 86_400, evenExpired: true })
    expect(Math.round((notAfter.getTime() - Date.now()) / 86_400_000)).toBe(3)
  })

  it('gives a host that wants to renew a short life, when it may', async () => {
    const { ca } = await newAuthority({ autosign: signAll, allowAutoRenewal: true })
    const attributes = [[puppetOids.get('pp_auth_auto_renew')!, Buffer.from('0c0474727565', 'hex')]] as const
    await ca.submit('a.test', await requestFor('a.test', { attributes }))
    const { notAfter } = parseCertificate((await ca.certificate('a.test'))!)
    expect(Math.round((notAfter.getTime() - Date.now()) / 86_400_000)).toBe(90)
  })

  describe('listing', () => {
    it('has requests, certificates and revocations, sorted by name', async () => {
      const { ca, reopen } = await newAuthority()
      for (const name of ['b.test', 'a-1.test', 'a.test', 'c.test']) await ca.submit(name, await requestFor(name))
      for (const name of ['a.test', 'b.test']) await ca.sign(name)
      await ca.revoke('b.test')
      for (const each of [ca, await reopen({})]) {
        expect((await each.statuses()).map(({ name, state }) => [name, state])).toEqual([
          ['a-1.test', 'requested'],
          ['a.test', 'signed'],
          ['b.test', 'revoked'],
          ['c.test', 'requested'],
        ])
        expect((await each.statuses('signed')).map(({ name }) => name)).toEqual(['a.test'])
        expect((await each.waiting()).map(({ name }) => name)).toEqual(['a-1.test', 'c.test'])
        expect((await each.waiting())[0]?.fingerprint).toBe((await each.status('a-1.test'))?.fingerprint)
      }
      expect(await ca.status('none.test')).toBeUndefined()
      expect(await ca.status("'; drop table ca_requests")).toBeUndefined()
    })

    it('knows which serials were issued and revoked', async () => {
      const { ca } = await newAuthority()
      const { certificate } = await ca.generate('a.test', { key: ec })
      const serials = [certificate.serial, certificate.serial + 1n]
      expect(await Promise.all(serials.map((serial) => ca.isIssued(serial)))).toEqual([true, false])
      expect(await ca.revocation(certificate.serial)).toBeUndefined()
      await ca.revoke('a.test')
      expect(await ca.revocation(certificate.serial)).toMatchObject({ serial: certificate.serial, reason: 1 })
      expect(await ca.pruneRevocationList({ names: ['a.test'] })).toEqual({ total: 1, duplicates: 0, entries: 1 })
      expect(await ca.isRevoked(certificate.serial)).toBe(false)
    })

    it('prunes what expired according to the inventory', async () => {
      const { ca, reopen } = await newAuthority()
      await ca.generate('short.test', { key: ec, ttl: 60 })
      await ca.generate('long.test', { key: ec, ttl: 3 * day })
      for (const name of ['short.test', 'long.test']) await ca.revoke(name)
      const later = await reopen({ system: { ...localSystem, now: () => Date.now() + day * 1000 } })
      expect(await later.pruneRevocationList({ expired: true })).toEqual({ total: 2, duplicates: 0, entries: 1 })
    })
  })

  describe('after a crash', () => {
    it('decides on what autosign had not answered, and on nothing that waits for a person', async () => {
      const { ca, storage, reopen } = await newAuthority()
      await ca.submit('person.test', await requestFor('person.test'))
      const pem = await requestFor('a.test')
      await storage.change(({ requests }) => requests.write('a.test', pem))
      const again = await reopen({ autosign: signAll })
      await again.resume((message) => expect.fail(message))
      expect((await again.statuses('signed')).map(({ name }) => name)).toEqual(['a.test'])
      expect((await again.statuses('requested')).map(({ name }) => name)).toEqual(['person.test'])
    })

    it('has nothing of a change that failed in between, or a serial less', async () => {
      const { ca, storage } = await newAuthority()
      const work = storage.change(async (records) => {
        await records.allocateSerial()
        throw new Error('killed')
      })
      await expect(work).rejects.toThrow('killed')
      const { certificate } = await ca.generate('a.test', { key: ec })
      expect([2n, 3n]).toContain(certificate.serial)
      expect(await inventoryOf(storage)).toHaveLength(1)
    })
  })
}
