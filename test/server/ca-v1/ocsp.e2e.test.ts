import { execFileSync } from 'node:child_process'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseCertificate, toCertificatePem } from '../../../src/ca/x509/certificate.ts'
import { localSystem } from '../../../src/machine/system/local-system.ts'
import { openConfiguredAuthority } from '../../../src/store/authority/configured-authority.ts'
import { type ControlRepository, controlRepository } from '../../support/control-repository.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { type Serving, serve } from '../serving.ts'

let repository: ControlRepository
let serving: Serving
const folder = scratchFolder('ocsp')
const at = (name: string) => join(folder, name)
const openssl = (...words: readonly string[]) => {
  try {
    return execFileSync('openssl', words, { encoding: 'utf8', stdio: 'pipe', cwd: folder })
  } catch (error) {
    return `failed: ${(error as { stdout: string }).stdout}${(error as { stderr: string }).stderr}`
  }
}
const type = { 'content-type': 'application/ocsp-request' }

beforeAll(async () => {
  repository = controlRepository({ 'manifests/site.pp': '' })
  serving = await serve({ code_repo: repository.bare, ocsp: 'true' })
  writeFileSync(at('ca.pem'), readFileSync(join(serving.settings.cadir, 'ca_crt.pem')))
  for (const name of ['good.test', 'revoked.test', 'later.test'])
    writeFileSync(at(`${name}.pem`), (await serving.credentials(name)).cert)
  await serving.revoke('revoked.test')
})
afterAll(async () => {
  await serving?.stop()
})

/** The request of openssl, as it is sent. */
function question(...words: readonly string[]): Buffer {
  openssl('ocsp', '-issuer', 'ca.pem', ...words, '-reqout', 'request.der')
  return readFileSync(at('request.der'))
}

/** The answer to a request, as openssl understands and verifies it. */
async function judged(body: Buffer, ...words: readonly string[]): Promise<string> {
  const { status, headers, bytes } = await serving.call('POST', '/ocsp', { headers: type, body })
  expect([status, headers['content-type']]).toEqual([200, 'application/ocsp-response'])
  writeFileSync(at('response.der'), bytes)
  return `${openssl('ocsp', '-issuer', 'ca.pem', '-CAfile', 'ca.pem', '-no_nonce', ...words, '-respin', 'response.der')}${openssl('ocsp', '-respin', 'response.der', '-CAfile', 'ca.pem', '-resp_text')}`
}

describe('a question about a certificate, asked by openssl', () => {
  it.each([
    ['good.test', ['-cert', 'good.test.pem'], 'good.test.pem: good'],
    ['revoked.test', ['-cert', 'revoked.test.pem'], 'revoked.test.pem: revoked'],
    ['a serial that was never given', ['-serial', '0x7777'], '0x7777: unknown'],
    ['another digest', ['-sha256', '-cert', 'good.test.pem'], 'good.test.pem: good'],
  ])('about %s is answered and verified', async (_, words, wanted) => {
    for (const nonce of ['-nonce', '-no_nonce']) {
      const said = await judged(question(nonce, ...words), ...words)
      expect(said).toContain(wanted)
      expect(said).not.toContain('failed')
      expect(said.includes('OCSP Nonce')).toBe(nonce === '-nonce')
      // The nonce of the request, with the header of its OCTET STRING.
      const asked = /OCSP Nonce: \n\s*(\w+)/.exec(openssl('ocsp', '-reqin', 'request.der', '-req_text'))?.[1]
      expect(/OCSP Nonce: \n\s*(\w+)/.exec(said)?.[1]).toBe(asked)
      if (wanted.endsWith('revoked')) expect(said).toContain('Reason: keyCompromise')
    }
  })

  it('about several is answered at once', async () => {
    const words = ['-cert', 'good.test.pem', '-cert', 'revoked.test.pem']
    const said = await judged(question(...words), ...words)
    expect(said).toMatch(/good\.test\.pem: good[\s\S]*revoked\.test\.pem: revoked/)
  })

  it('is asked over HTTPS and by GET, and a kept answer holds until the certificate is revoked', async () => {
    const body = question('-no_nonce', '-cert', 'later.test.pem')
    const path = `/ocsp/${encodeURIComponent(body.toString('base64'))}`
    const ask = async () => (await serving.call('GET', path)).bytes
    const first = await ask()
    expect((await ask()).equals(first)).toBe(true)
    expect((await serving.call('GET', path)).headers['cache-control']).toMatch(/^max-age=1800, /)
    const withNonce = async () =>
      (await serving.call('POST', '/ocsp', { headers: type, body: question('-nonce', '-cert', 'later.test.pem') }))
        .headers['cache-control']
    expect(await withNonce()).toBe('no-store')
    await serving.revoke('later.test')
    const after = await ask()
    writeFileSync(at('response.der'), after)
    expect(
      openssl(
        'ocsp',
        '-issuer',
        'ca.pem',
        '-CAfile',
        'ca.pem',
        '-no_nonce',
        '-cert',
        'later.test.pem',
        '-respin',
        'response.der',
      ),
    ).toContain('later.test.pem: revoked')
  })

  it('is signed by a key for that use alone, which no node can get', async () => {
    const file = serving.settings.ocsp_signer
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const text = readFileSync(file, 'utf8')
    writeFileSync(at('signer.pem'), toCertificatePem(parseCertificate(text)))
    const shown = openssl('x509', '-in', 'signer.pem', '-noout', '-text')
    for (const part of ['OCSP Signing', 'OCSP No Check', '_ocsp.localhost', 'Digital Signature'])
      expect(shown).toContain(part)
    const authority = await openConfiguredAuthority(serving.settings, localSystem)
    expect(await authority.status('_ocsp.localhost')).toBeUndefined()
    await expect(authority.renew(parseCertificate(text))).rejects.toThrow('does not match signature')
    await expect(authority.generate('_ocsp.x', { key: { type: 'ec', curve: 'prime256v1' } })).rejects.toThrow(
      'is reserved for the certificate authority',
    )
  })

  it('of another authority is answered with unknown', async () => {
    openssl(
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-subj',
      '/CN=Other',
      '-keyout',
      'other.key',
      '-out',
      'other.pem',
    )
    openssl('ocsp', '-no_nonce', '-issuer', 'other.pem', '-serial', '2', '-reqout', 'request.der')
    const { bytes } = await serving.call('POST', '/ocsp', { headers: type, body: readFileSync(at('request.der')) })
    writeFileSync(at('response.der'), bytes)
    expect(openssl('ocsp', '-respin', 'response.der', '-CAfile', 'ca.pem', '-resp_text')).toContain(
      'Cert Status: unknown',
    )
  })
})

describe('what is no question', () => {
  const malformed = Buffer.from('30030a0101', 'hex')
  it.each([
    ['nothing', () => Buffer.alloc(0)],
    ['garbage', () => Buffer.from('garbage')],
    ['cut short', () => question('-cert', 'good.test.pem').subarray(0, -3)],
    ['no certificate', () => Buffer.from('30043002 3000'.replace(' ', ''), 'hex')],
    ['deep nesting', () => Buffer.from('3080'.repeat(800), 'hex')],
    [
      'too many certificates',
      () => question(...Array.from({ length: 20 }, (_, index) => ['-serial', String(index + 1)]).flat()),
    ],
  ])('%s is malformedRequest', async (_, body) => {
    const { status, bytes } = await serving.call('POST', '/ocsp', { headers: type, body: body() })
    expect([status, bytes.toString('hex')]).toEqual([200, malformed.toString('hex')])
  })

  it('by size, by type, and by a path that is no base64 is refused', async () => {
    const call = async (...given: Parameters<Serving['call']>) => (await serving.call(...given)).status
    expect(await call('POST', '/ocsp', { headers: type, body: Buffer.alloc(5000) })).toBe(413)
    expect(await call('POST', '/ocsp', { headers: { 'content-type': 'text/plain' }, body: 'x' })).toBe(415)
    expect(await call('GET', `/ocsp/${'A'.repeat(5000)}`)).toBe(413)
    expect((await serving.call('GET', '/ocsp/!!!!')).bytes.equals(malformed)).toBe(true)
    expect(await call('PUT', '/ocsp', { headers: type, body: 'x' })).toBe(403)
  })
})

it('is off unless it is asked for', async () => {
  const plain = await serve({ code_repo: repository.bare })
  expect((await plain.call('POST', '/ocsp', { headers: type, body: question('-cert', 'good.test.pem') })).status).toBe(
    404,
  )
  await plain.stop()
})
