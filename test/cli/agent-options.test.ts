import { createHash, X509Certificate } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { toCertificatePem } from '../../src/ca/x509/certificate.ts'
import { buildCertificateRequest } from '../../src/ca/x509/certificate-request.ts'
import { generatePrivateKey } from '../../src/ca/x509/keys.ts'
import { ec, newAuthority } from '../ca/fixture.ts'
import { plumbHere as plumb } from '../support/run-here.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const confdir = scratchFolder('options')
const places = ['--confdir', confdir, '--vardir', scratchFolder('options')]
const agent = (...words: string[]) => plumb(['agent', ...places, '--certname', 'a.test', ...words])

function keep(path: string, pem: string): void {
  mkdirSync(dirname(join(confdir, path)), { recursive: true })
  writeFileSync(join(confdir, path), pem)
}

describe('plumb agent --fingerprint', () => {
  const own = 'ssl/certs/a.test.pem'
  beforeAll(async () => {
    const { ca } = await newAuthority()
    keep(own, toCertificatePem((await ca.generate('a.test', { key: ec })).certificate))
    keep(
      'ssl/certificate_requests/a.test.pem',
      buildCertificateRequest({ commonName: 'a.test' }, await generatePrivateKey(ec)),
    )
  })

  it.each(['sha512', 'SHA1', 'MD5'])('prints that of the certificate: %s', async (name) => {
    const { raw } = new X509Certificate(readFileSync(join(confdir, own)))
    const hex = createHash(name.toLowerCase()).update(raw).digest('hex').toUpperCase()
    const { exitCode, stdout } = await agent('--fingerprint', '--digest', name)
    expect([exitCode, stdout]).toEqual([0, `(${name.toUpperCase()}) ${hex.replace(/..(?=.)/g, '$&:')}`])
  })

  it('prints that of the request where there is no certificate, and says when there is neither', async () => {
    rmSync(join(confdir, own))
    expect((await agent('--fingerprint')).stdout).toMatch(/^\(SHA256\) ([0-9A-F]{2}:){31}[0-9A-F]{2}$/)
    rmSync(join(confdir, 'ssl/certificate_requests/a.test.pem'))
    const { exitCode, stderr } = await agent('--fingerprint')
    expect(exitCode).toBe(1)
    expect(stderr).toContain('neither the certificate, nor the certificate request have been issued')
  })

  it('refuses a digest that there is not', async () => {
    const { exitCode, stderr } = await agent('--fingerprint', '--digest', 'md2')
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('Unsupported digest md2')])
  })
})

describe('plumb agent', () => {
  it('prints settings', async () => {
    expect((await agent('--configprint', 'certname')).stdout).toBe('a.test')
    expect((await agent('-w', '5', '--configprint', 'waitforcert,onetime', '-o')).stdout).toBe(
      'onetime = true\nwaitforcert = 5',
    )
    expect((await agent('-f', 'b.test', '--configprint', 'certname')).stdout).toBe('b.test')
    const { stdout } = await agent('--genconfig')
    expect(stdout).toMatch(/^\[agent\]\n/)
    expect(stdout).toContain("    # The default value is '30m'.\n    # runinterval = 1800\n")
  })

  it('prints its version', async () => {
    const { stdout } = await plumb(['--version'])
    expect((await plumb(['agent', '--version'])).stdout).toBe(stdout)
    expect((await plumb(['agent', '-V'])).stdout).toBe(stdout)
  })

  it.each([
    '--sourceaddress 127.0.0.1',
    '--job-id 7',
    '--masterport 8140',
    '--trace',
    '--no-write_catalog_summary',
    '--evaltrace',
    '--summarize',
    '--serverport 8140',
    '--waitforcert 1',
    '-w 1',
    '--write_catalog_summary',
    '--noop',
    '-D',
  ])('takes %s', async (words) => {
    const { exitCode, stdout } = await agent(...words.split(' '), '--configprint', 'certname')
    expect([exitCode, stdout]).toEqual([0, 'a.test'])
  })
})
