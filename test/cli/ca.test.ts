import { generateKeyPairSync } from 'node:crypto'
import { readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildCertificate, parseCertificate, toCertificatePem } from '../../src/ca/x509/certificate.ts'
import { createDistinguishedName } from '../../src/ca/x509/distinguished-name.ts'
import { buildBasicConstraints, buildSubjectAltName, buildTextExtension } from '../../src/ca/x509/extensions.ts'
import { toPrivateKeyPem } from '../../src/ca/x509/keys.ts'
import { puppetOids } from '../../src/ca/x509/oids.ts'
import { listEntrySerials, parseRevocationLists } from '../../src/ca/x509/revocation-list.ts'
import { createKeySigner } from '../../src/ca/x509/signature.ts'
import { runCommandLine } from '../../src/cli/program.ts'
import { loadSettings } from '../../src/machine/settings/settings.ts'
import { localSystem } from '../../src/machine/system/local-system.ts'
import { openConfiguredAuthority } from '../../src/store/authority/configured-authority.ts'
import { requestFor } from '../ca/fixture.ts'
import { expiryOf } from '../support/eventually.js'
import { scratchFolder } from '../support/scratch-folder.ts'

const confdir = scratchFolder('ca-cli')
const places = { confdir, vardir: join(confdir, 'var'), key_type: 'ec', autosign: 'false' }

async function plumbCa(...words: readonly string[]) {
  const said = { out: '', err: '' }
  const io = {
    stdin: Readable.from([]),
    out(text: string) {
      said.out += text
    },
    err(text: string) {
      said.err += text
    },
    color: false,
  }
  const settings = Object.entries(places).map(([name, value]) => `--${name}=${value}`)
  return { status: await runCommandLine(['ca', ...settings, ...words], io), ...said }
}

async function submit(...names: readonly string[]) {
  const ca = await openConfiguredAuthority(loadSettings({ given: places }), localSystem)
  for (const name of names) await ca.submit(name, await requestFor(name))
}

beforeAll(async () => {
  const { out, status } = await plumbCa('setup', '--certname', 'ca.test', '--subject-alt-names', 'code.test')
  expect([status, out]).toEqual([0, `Generation succeeded. Find your files in ${confdir}/ca\n`])
})

describe('plumb ca', () => {
  it('does not set up twice', async () => {
    const { status, err } = await plumbCa('setup')
    expect(status).toBe(1)
    expect(err).toContain(`Error: Found existing file at '${confdir}/ca/ca_crt.pem'`)
  })

  it('lists, signs, revokes, renews and cleans', async () => {
    expect((await plumbCa('list')).out).toBe('No certificates to list\n')
    await submit('a.test', 'long-name.test', 'c.test')
    expect((await plumbCa('list')).out).toMatch(
      /^Requested Certificates:\n {4}a\.test {15}\(SHA256\) {2}([0-9A-F]{2}:){31}[0-9A-F]{2}\n {4}c\.test/,
    )
    expect(await plumbCa('sign', '--certname', 'a.test,none')).toEqual({
      status: 1,
      out: 'Successfully signed certificate request for a.test\n',
      err: 'Error: Could not find certificate request for none\n',
    })
    expect(await plumbCa('sign', '--all', '--ttl', '10d')).toEqual({
      status: 0,
      out: 'Successfully signed certificate request for c.test\nSuccessfully signed certificate request for long-name.test\n',
      err: '',
    })
    const { notAfter } = parseCertificate(readFileSync(join(confdir, 'ca/signed/c.test.pem'), 'utf8'))
    expect(Math.round((notAfter.getTime() - Date.now()) / 86_400_000)).toBe(10)
    expect(await plumbCa('revoke', '--certname', 'a.test')).toMatchObject({
      status: 0,
      out: 'Certificate for a.test has been revoked\n',
    })
    expect((await plumbCa('renew', '--certname', 'c.test')).out).toBe('Renewed certificate for c.test: serial 6\n')
    expect((await plumbCa('renew', '--certname', 'a.test')).status).toBe(1)
    expect(await plumbCa('clean', '--certname', 'a.test,none')).toEqual({
      status: 1,
      out: 'Certificate for a.test has been revoked\nCleaned files related to a.test\n',
      err: 'Error: Could not find files to clean for none\n',
    })
    const { out, status } = await plumbCa('list', '--all', '--format', 'json')
    const listed = JSON.parse(out)
    const names = (state: string) => listed[state].map(({ name }: { name: string }) => name)
    expect([status, names('requested'), names('signed'), names('revoked'), Object.keys(listed)]).toEqual([
      0,
      [],
      ['c.test', 'ca.test', 'long-name.test'],
      [],
      ['requested', 'signed', 'revoked'],
    ])
    expect(await plumbCa('list', '--certname', 'ca.test,none')).toMatchObject({
      status: 1,
      out: expect.stringMatching(
        /alt names: \["DNS:ca\.test", "DNS:code\.test"\]\tauthorization extensions: \[pp_cli_auth: true\]\nMissing Certificates:\n {4}none\n$/,
      ),
    })
  })

  it('generates, and replaces nothing', async () => {
    const { out } = await plumbCa('generate', '--certname', 'g.test', '--subject-alt-names', 'h.test,IP:10.0.0.1')
    expect(out.split('\n')).toHaveLength(4)
    expect((await plumbCa('generate', '--certname', 'g.test')).err).toContain(
      'Please delete these files if you really want to generate a new cert for g.test.',
    )
    expect((await plumbCa('generate', '--certname', '../x')).err).toContain("Certname '../x' is invalid")
  })

  it('takes names as they stand, too, as hands have it', async () => {
    await submit('n1.test', 'n2.test', 'n3.test')
    expect(await plumbCa('sign', 'n1.test', 'n2.test,n3.test', '--certname', 'n1.test')).toEqual({
      status: 0,
      out: ['n1', 'n2', 'n3'].map((name) => `Successfully signed certificate request for ${name}.test\n`).join(''),
      err: '',
    })
    expect((await plumbCa('list', 'n1.test')).out).toMatch(/^Signed Certificates:\n {4}n1\.test/)
    expect((await plumbCa('renew', 'n1.test')).out).toContain('Renewed certificate for n1.test')
    expect((await plumbCa('revoke', 'n1.test')).out).toBe('Certificate for n1.test has been revoked\n')
    expect((await plumbCa('clean', 'n1.test', 'n2.test')).out).toBe(
      ['n1', 'n2']
        .map((n) => `Certificate for ${n}.test has been revoked\nCleaned files related to ${n}.test\n`)
        .join(''),
    )
    expect((await plumbCa('generate', 'n4.test')).out).toContain('Successfully saved certificate for n4.test')
    expect((await plumbCa('sign')).err).toContain("'plumb ca sign NAME...' or --certname NAME")
  })

  it.each([
    [['sign', 'w.test', '--all'], 1, 'Error: Certnames cannot be given with --all'],
    [['clean', 'w.test', '--requested'], 1, 'Certnames cannot be given with --requested'],
    [['sign'], 1, 'Error: Must specify which certificates to sign'],
    [['sign', '--all', '--ttl', 'soon'], 1, "Error: Invalid ttl 'soon'"],
    [['import'], 1, 'Error: Missing option: --private-key'],
    [['delete'], 1, 'Error: Must pass one of the valid flags to determine which certs to delete'],
    [['delete', '--all', '--expired'], 1, 'Error: The --all flag must not be used with --expired, --revoked, or'],
    [['prune', '--remove-entries'], 1, 'Error: --remove-entries option require --serial or --certname values'],
    [['prune', '--remove-entries', '--serial', '0xzz'], 1, "Error: Invalid serial '0xzz'"],
    [['list', '--expiring', 'soon'], 1, "Error: Invalid number of days 'soon'"],
    [['list', '--all', 'x.test'], 1, 'Certnames cannot be given with --all'],
    [['enable', '--infracrl'], 1, 'Error: Existing file at '],
    [['nothing'], 1, "'ca' has no 'nothing' action."],
  ])('%j: %i', async (words, status, message) => {
    await submit(`w${status}-${words.length}.test`).catch(() => {})
    const answer = await plumbCa(...words)
    expect(answer.status).toBe(status)
    expect(answer.err).toContain(message)
  })
})

describe('certificates and revocations that are not needed any more', () => {
  it('are deleted from disk, and may be revoked later', async () => {
    const path = (name: string) => join(confdir, `ca/signed/${name}.pem`)
    for (const name of ['d1.test', 'd2.test', 'd3.test']) await plumbCa('generate', name)
    await plumbCa('generate', 'd4.test', '--ttl', '1s')
    await plumbCa('revoke', 'd2.test')
    await expiryOf(parseCertificate(readFileSync(path('d4.test'), 'utf8')))
    expect((await plumbCa('list', '--expiring', '0')).out).toMatch(
      /^Signed Certificates:\n {4}d4\.test.*\tnot after: 20\d\d-.*UTC\t.*\n$/,
    )
    expect(await plumbCa('delete', '--expired', '--revoked')).toEqual({
      status: 0,
      out:
        ['d2.test', 'd4.test'].map((name) => `Deleting certificate at ${path(name)}\n`).join('') +
        '2 certificates deleted.\n',
      err: '',
    })
    expect(await plumbCa('delete', '--certname', 'd1.test,none')).toEqual({
      status: 24,
      out: `Deleting certificate at ${path('d1.test')}\n1 certificate deleted.\n`,
      err: `Error: Could not find certificate file at ${path('none')}\n`,
    })
    expect((await plumbCa('revoke', 'd1.test')).out).toBe('Certificate for d1.test has been revoked\n')
    expect((await plumbCa('list', 'd3.test')).out).toContain('Signed Certificates:\n    d3.test')
  })

  it('are pruned from the list', async () => {
    const numbers = async () => {
      const [list] = parseRevocationLists(readFileSync(join(confdir, 'ca/ca_crl.pem'), 'utf8'))
      return { number: Number(list!.number), count: listEntrySerials(list!).length, revoked: list!.revoked }
    }
    const before = await numbers()
    const total = `Total number of certificates found in Puppet's CRL is: ${before.count}.\n`
    expect(await plumbCa('prune')).toMatchObject({
      status: 0,
      out: `${total}No duplicate revocations found in the CRL.\n`,
    })
    expect((await numbers()).number).toBe(before.number)
    await plumbCa('generate', 'p1.test', '--ttl', '1s')
    await plumbCa('generate', 'p2.test')
    await plumbCa('revoke', 'p1.test,p2.test')
    await expiryOf(parseCertificate(readFileSync(join(confdir, 'ca/signed/p1.test.pem'), 'utf8')))
    expect((await plumbCa('prune', '--remove-expired')).out).toContain("Removed 1 certs from Puppet's CRL.\n")
    expect((await plumbCa('prune', '--remove-entries', '--certname', 'p2.test')).out).toContain(
      "Removed 1 certs from Puppet's CRL.\n",
    )
    expect((await plumbCa('list', 'p2.test')).out).toContain('Signed Certificates:\n    p2.test')
    const after = await numbers()
    expect([after.count, after.revoked]).toEqual([before.count, before.revoked])
    const [serial] = before.revoked
    expect((await plumbCa('prune', '--remove-entries', '--serial', `0x00${serial},FFFFFF`)).out).toContain(
      'Removed 1 certs',
    )
    expect((await numbers()).revoked.has(serial!)).toBe(false)
  })

  it('and a folder is moved, with a link in its place', async () => {
    const folder = scratchFolder('migrate')
    await plumbCa('setup', '--confdir', folder, '--cadir', join(folder, 'ssl/ca'), '--certname', 'm.test')
    const migrate = (...more: readonly string[]) =>
      plumbCa('migrate', '--confdir', folder, '--cadir', join(folder, 'ssl/ca'), ...more)
    const to = join(folder, 'puppetserver/ca')
    expect(await migrate()).toEqual({
      status: 0,
      out: `CA dir successfully migrated to ${to}. Symlink placed at ${folder}/ssl/ca\nfor backwards compatibility. The puppetserver can be safely restarted now.\n`,
      err: '',
    })
    expect(readlinkSync(join(folder, 'ssl/ca'))).toBe(to)
    expect((await migrate()).err).toContain(`Error: Existing file at '${to}'`)
    expect((await migrate('--to', join(folder, 'elsewhere'))).err).toContain('No CA dir found at')
    const list = await plumbCa('list', 'm.test', '--confdir', folder, '--cadir', join(folder, 'ssl/ca'))
    expect(list.out).toContain('Signed Certificates:\n    m.test')
  })
})

describe('what a requester wrote', () => {
  // A request of an older version, or put there by hand: what comes over the wire is refused before.
  const place = join(confdir, 'ca/requests/evil.test.pem')
  const row = '\n    good.test     (SHA256)  00:11\x1b[1A\x1b[2K'

  it('forges no row of the list', async () => {
    const role = buildTextExtension(puppetOids.get('pp_cli_auth')!, `true${row}`)
    const escaped = (value: string) => value.replaceAll('\n', '\\x0a').replaceAll('\x1b', '\\x1b')
    writeFileSync(place, await requestFor('evil.test', { extensions: [role, buildSubjectAltName(['evil.test'])] }))
    const { out } = await plumbCa('list', '--certname', 'evil.test')
    expect(out.split('\n')).toHaveLength(3)
    expect(out).toContain(`authorization extensions: [pp_cli_auth: true${escaped(row)}]`)
    expect(out).not.toContain('\x1b')
  })

  it('is signed only with the fingerprint that was listed', async () => {
    const listed = /[0-9A-F]{2}(:[0-9A-F]{2}){31}/
    await submit('seen.test')
    const [fingerprint = ''] = listed.exec((await plumbCa('list', '--certname', 'seen.test')).out) ?? []
    rmSync(join(confdir, 'ca/requests/seen.test.pem'))
    await submit('seen.test')
    expect(await plumbCa('sign', '--certname', 'seen.test', '--fingerprint', fingerprint)).toMatchObject({
      status: 1,
      err: expect.stringContaining('The certificate request of seen.test has changed since it was listed'),
    })
    const [now = ''] = listed.exec((await plumbCa('list', '--certname', 'seen.test')).out) ?? []
    const digits = now.replaceAll(':', '').toLowerCase()
    expect((await plumbCa('sign', '--certname', 'seen.test', '--fingerprint', digits)).status).toBe(0)
    expect((await plumbCa('sign', '--all', '--fingerprint', 'x')).err).toContain("Error: Invalid fingerprint 'x'")
  })

  it('and is broken is listed, told when all are signed, and cleaned', async () => {
    writeFileSync(place, 'garbage')
    await submit('whole.test')
    const { out, status } = await plumbCa('list')
    expect([status, out]).toEqual([0, expect.stringMatching(/Broken Certificates:\n {4}evil\.test +Could not read/)])
    expect(JSON.parse((await plumbCa('list', '--format', 'json')).out).broken).toHaveLength(1)
    const signed = await plumbCa('sign', '--all')
    expect(signed.status).toBe(1)
    expect(signed.out).toContain('Successfully signed certificate request for whole.test\n')
    expect(signed.err).toMatch(/^Error: The certificate request of evil\.test is damaged: .*\n {2}Run 'plumb ca clean/)
    expect((await plumbCa('clean', '--certname', 'evil.test')).status).toBe(24)
    await submit('junk-1.test', 'junk-2.test')
    expect(await plumbCa('clean', '--requested')).toMatchObject({
      status: 0,
      out: expect.stringMatching(/related to junk-1\.test\n.*related to junk-2\.test\n/),
    })
    expect((await plumbCa('list')).out).toBe('No certificates to list\n')
    expect(await plumbCa('sign', '--all')).toEqual({
      status: 24,
      out: '',
      err: 'Error: No waiting certificate requests to sign\n',
    })
  })
})

describe('a key too short', () => {
  it.each([
    ['setup', ['--confdir', scratchFolder('weak')]],
    ['generate', ['--certname', 'weak.test']],
  ])('is none for %s', async (word, more) => {
    const { status, err } = await plumbCa(word, ...more, '--key_type', 'rsa', '--keylength', '1024')
    expect([status, err]).toEqual([1, expect.stringContaining('is 1024 bits; it must be at least 2048 bits')])
  })

  it('is none to take over', async () => {
    const folder = scratchFolder('takeover')
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 1024 })
    const validity = { notBefore: new Date('2026-01-01'), notAfter: new Date('2126-01-01') }
    const spki = publicKey.export({ type: 'spki', format: 'der' })
    const name = createDistinguishedName('old')
    const content = {
      serial: 1n,
      issuer: name,
      subject: name,
      ...validity,
      spki,
      extensions: [buildBasicConstraints(true)],
    }
    writeFileSync(key, toPrivateKeyPem(privateKey))
    writeFileSync(cert, toCertificatePem(await buildCertificate(content, createKeySigner(privateKey))))
    const list = join(confdir, 'ca/ca_crl.pem')
    const parts = ['--private-key', key, '--cert-bundle', cert, '--crl-chain', list, '--confdir', join(folder, 'etc')]
    const { status, err } = await plumbCa('import', ...parts)
    expect([status, err]).toEqual([1, expect.stringContaining('is 1024 bits; it must be at least 2048 bits')])
  })
})
