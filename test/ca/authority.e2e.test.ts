import { chmod, chown, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createAutosignPolicy, isInAutosignList } from '../../src/ca/autosign.ts'
import type { CertificateAuthority } from '../../src/ca/certificate-authority.ts'
import { ensureHostCertificate } from '../../src/ca/host-files.ts'
import { parseInventory } from '../../src/ca/inventory.ts'
import { importAuthority, setUpAuthority } from '../../src/ca/setup.ts'
import { ensureFolders } from '../../src/ca/storage/authority-folder.ts'
import { parseCertificate } from '../../src/ca/x509/certificate.ts'
import { buildCertificateRequest } from '../../src/ca/x509/certificate-request.ts'
import { buildSubjectAltName, buildTextExtension, listSubjectAltNames } from '../../src/ca/x509/extensions.ts'
import { generatePrivateKey } from '../../src/ca/x509/keys.ts'
import { puppetOids } from '../../src/ca/x509/oids.ts'
import { loadSettings } from '../../src/machine/settings/settings.ts'
import { localSystem } from '../../src/machine/system/local-system.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { ec, folder, newAuthority, requestFor } from './fixture.ts'
import { openssl } from './x509/openssl.ts'

const signAll = async () => true

describe('a new authority', () => {
  it('has the files of Puppet Server, its key for its owner alone', async () => {
    const { cadir, ca } = await newAuthority()
    const names = await readdir(cadir)
    expect(names.sort()).toEqual(
      ['ca_crl.pem', 'ca_crt.pem', 'ca_key.pem', 'ca_pub.pem', 'infra_crl.pem', 'infra_inventory.txt', 'infra_serials']
        .concat(['inventory.txt', 'requests', 'serial', 'signed'])
        .sort(),
    )
    expect((await stat(join(cadir, 'ca_key.pem'))).mode & 0o777).toBe(0o600)
    const { pem } = await ca.certificates()
    expect(openssl('x509', '-noout', '-text', '-in', { pem })).toMatch(
      /Issuer: CN = Puppet CA: ca\.test[\s\S]*CA:TRUE[\s\S]*Certificate Sign, CRL Sign/,
    )
    expect(openssl('verify', '-x509_strict', '-CAfile', { pem }, { pem })).toContain('OK')
  })

  it('never replaces another', async () => {
    const { cadir } = await newAuthority()
    const again = setUpAuthority({ ...folder(cadir), name: 'x', key: ec, ttl: 1, system: localSystem })
    await expect(again).rejects.toThrow(`Found existing file at '${cadir}/ca_crt.pem'`)
  })

  it('takes over one that was made elsewhere', async () => {
    const { cadir, ca } = await newAuthority()
    const at = join(scratchFolder('import'), 'ca')
    const parts = {
      ...folder(at),
      privateKey: await readFile(join(cadir, 'ca_key.pem'), 'utf8'),
      certificates: (await ca.certificates()).pem,
      revocationLists: (await ca.revocationLists()).pem,
      system: localSystem,
    }
    const { ca: other } = await newAuthority()
    const strange = { ...parts, certificates: (await other.certificates()).pem }
    await expect(importAuthority(strange)).rejects.toThrow("The CA's private key does not match its certificate")
    await importAuthority(parts)
    expect(await readFile(join(at, 'ca_crt.pem'), 'utf8')).toBe(parts.certificates)
  })
})

describe.each(['requests', 'signed'])('an authority without %s/, as other programs leave one', (name) => {
  it('takes requests, signs, lists and cleans', async () => {
    const { cadir, ca } = await newAuthority({ autosign: signAll })
    await chmod(cadir, 0o750)
    if (process.getuid?.() === 0) await chown(cadir, 12, 34)
    await rm(join(cadir, name), { recursive: true })
    expect(await ca.statuses()).toEqual([])
    expect(await ca.waiting()).toEqual([])
    await ca.submit('a.test', await requestFor('a.test'))
    expect((await ca.statuses()).map((each) => [each.name, each.state])).toEqual([['a.test', 'signed']])
    const [folder, around] = [await stat(join(cadir, name)), await stat(cadir)]
    expect([folder.mode & 0o777, folder.uid, folder.gid]).toEqual([0o750, around.uid, around.gid])
    await rm(join(cadir, name), { recursive: true })
    expect(await ca.clean(['b.test'])).toEqual(['b.test'])
    await ensureFolders(cadir, localSystem)
    expect((await readdir(cadir)).filter((each) => ['requests', 'signed'].includes(each))).toHaveLength(2)
  })
})

describe('signing', () => {
  it("follows Puppet's profile", async () => {
    const { cadir, ca, reopen } = await newAuthority()
    const extensions = [
      buildTextExtension(puppetOids.get('pp_role')!, 'web'),
      buildTextExtension('1.3.6.1.4.1.34380.1.2.7', 'own'),
    ]
    await ca.submit('a.test', await requestFor('a.test', { extensions }))
    expect((await ca.status('a.test'))?.state).toBe('requested')
    await ca.sign('a.test')
    const pem = (await ca.certificate('a.test'))!
    const text = openssl('x509', '-noout', '-text', '-in', { pem })
    for (const part of [
      /Serial Number: 2 /,
      /X509v3 Extended Key Usage: critical\n\s+TLS Web Server Authentication, TLS Web Client Authentication/,
      /X509v3 Key Usage: critical\n\s+Digital Signature, Key Encipherment\n/,
      /X509v3 Basic Constraints: critical\n\s+CA:FALSE/,
      /X509v3 Subject Alternative Name: \n\s+DNS:a\.test\n/,
      /Netscape Comment: \n\s+Puppet Server Internal Certificate/,
      /X509v3 Subject Key Identifier/,
      /DirName:\/CN=Puppet CA: ca\.test\n\s+serial:01/,
      /1\.3\.6\.1\.4\.1\.34380\.1\.1\.13: \n\s+\.\.web/,
      /1\.3\.6\.1\.4\.1\.34380\.1\.2\.7: \n\s+\.\.own/,
    ])
      expect(text).toMatch(part)
    expect(await readFile(join(cadir, 'inventory.txt'), 'utf8')).toMatch(
      /^0x0002 \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dUTC \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dUTC \/CN=a\.test\n$/,
    )
    expect(await readFile(join(cadir, 'serial'), 'utf8')).toBe('0003')
    expect(await ca.request('a.test')).toBeUndefined()
    const again = await reopen({})
    expect((await again.status('a.test'))?.serial_number).toBe(2)
  })

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
    const { cadir, ca } = await newAuthority({ autosign: signAll })
    await expect(ca.submit(name, await requestFor(subject, content))).rejects.toThrow(message)
    expect(await readdir(join(cadir, 'requests'))).toEqual([])
    expect(await readFile(join(cadir, 'serial'), 'utf8')).toBe('0002')
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
    const { cadir, ca, reopen } = await newAuthority()
    const other = await reopen({})
    const names = Array.from({ length: 40 }, (_, index) => `n${index}.test`)
    for (const name of names) await ca.submit(name, await requestFor(name))
    const signed = await Promise.all(names.map((name, index) => (index % 2 ? ca : other).sign(name)))
    expect(new Set(signed.map(({ serial }) => serial)).size).toBe(names.length)
    const inventory = parseInventory(await readFile(join(cadir, 'inventory.txt'), 'utf8'))
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
    const { cadir, ca } = await newAuthority({ autosign: signAll })
    await ca.submit('a.test', await requestFor('a.test'))
    const { serial } = parseCertificate((await ca.certificate('a.test'))!)
    expect(await ca.clean(['a.test', 'none'])).toEqual(['none'])
    expect(await ca.isRevoked(serial)).toBe(true)
    expect(await readdir(join(cadir, 'signed'))).toEqual([])
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

describe('autosign', () => {
  it.each([
    ['a.test', '*.test', true],
    ['a.b.test', '*.test', true],
    ['test', '*.test', false],
    ['xtest', '*.test', false],
    ['a.test', 'a.test # the first', true],
    ['a.test', '# a.test', false],
    ['a.test', 'a.*', false],
    ['a.test', 'b.test\n\nA.TEST\n', true],
    ['any', '*', true],
    ['a.test', '', false],
  ])('%s by %j: %s', (name, text, matches) => {
    expect(isInAutosignList(name, text)).toBe(matches)
  })

  it('asks a program, which reads the request', async () => {
    const program = join(scratchFolder('autosign'), 'policy')
    await writeFile(program, '#!/bin/sh\necho "for $1"\nopenssl req -noout -verify 2>/dev/null && [ "$1" = a.test ]\n')
    const said: string[] = []
    const autosign = createAutosignPolicy(program, localSystem, (message) => said.push(message))
    const pem = await requestFor('a.test')
    expect(await autosign('a.test', pem)).toBe(false)
    await chmod(program, 0o755)
    expect([await autosign('a.test', pem), await autosign('b.test', pem)]).toEqual([true, false])
    expect(said[0]).toBe(`Output of autosign command '${program}': for a.test`)
    expect(await createAutosignPolicy('true', localSystem)('x', '')).toBe(true)
    expect(await createAutosignPolicy('false', localSystem)('x', '')).toBe(false)
    expect(await createAutosignPolicy('/nowhere/autosign.conf', localSystem)('x', '')).toBe(false)
  })
})

it('gives its own host a certificate once, and finishes what was cut off', async () => {
  const { ca, cadir } = await newAuthority()
  const given = { confdir: join(cadir, '..'), certname: 'ca.test', key_type: 'ec' }
  const settings = loadSettings({ given })
  expect(await ensureHostCertificate(settings, ca, localSystem)).toBe(true)
  expect(await ensureHostCertificate(settings, ca, localSystem)).toBe(false)
  const pem = await readFile(settings.hostcert, 'utf8')
  expect(await ca.status('ca.test')).toMatchObject({
    dns_alt_names: ['DNS:ca.test', 'DNS:puppet', 'DNS:puppet.test'],
    authorization_extensions: { pp_cli_auth: 'true' },
  })
  expect((await stat(settings.hostprivkey)).mode & 0o777).toBe(0o600)
  await localSystem.files.remove(settings.hostcert)
  expect(await ensureHostCertificate(settings, ca, localSystem)).toBe(true)
  expect(await readFile(settings.hostcert, 'utf8')).toBe(pem)
})

it('signs for RSA hosts', async () => {
  const { ca } = await newAuthority({ autosign: signAll })
  await ca.submit(
    'r.test',
    buildCertificateRequest({ commonName: 'r.test' }, await generatePrivateKey({ type: 'rsa', bits: 2048 })),
  )
  const pem = (await ca.certificate('r.test'))!
  expect(openssl('verify', '-CAfile', { pem: (await ca.certificates()).pem }, { pem })).toContain('OK')
})
