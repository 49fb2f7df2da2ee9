import { chmod, chown, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createAutosignPolicy, isInAutosignList } from '../../src/ca/autosign.ts'
import { ensureHostCertificate } from '../../src/ca/host-files.ts'
import { importAuthority, setUpAuthority } from '../../src/ca/setup.ts'
import { ensureFolders } from '../../src/ca/storage/authority-folder.ts'
import { buildCertificateRequest } from '../../src/ca/x509/certificate-request.ts'
import { buildTextExtension } from '../../src/ca/x509/extensions.ts'
import { generatePrivateKey } from '../../src/ca/x509/keys.ts'
import { puppetOids } from '../../src/ca/x509/oids.ts'
import { loadSettings } from '../../src/machine/settings/settings.ts'
import { localSystem } from '../../src/machine/system/local-system.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { testAuthority } from './authority-contract.ts'
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

describe('an authority in a folder', () => testAuthority(newAuthority))
