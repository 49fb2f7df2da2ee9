import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { controlRepository } from '../../support/control-repository.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { type Serving, serve } from '../serving.ts'
import { plugInFolder } from './ruby-plug-ins/owner.ts'

const page = readFileSync(resolve(import.meta.dirname, '../../../docs/plug-ins.md'), 'utf8')
const [, example = ''] = /^`indirections\/ocsp\.js`:\n\n```js\n([\s\S]*?)^```$/m.exec(page) ?? []
const [, rule = ''] = /^```\n(\{ name: "ocsp".*)\n```$/m.exec(page) ?? []
const folder = scratchFolder('ocsp')
const at = (name: string) => join(folder, name)
const openssl = (...words: readonly string[]) =>
  execFileSync('openssl', words, { encoding: 'utf8', stdio: 'pipe', cwd: folder })

let serving: Serving
beforeAll(async () => {
  const repository = controlRepository({ 'manifests/site.pp': '' })
  const confdir = scratchFolder('etc')
  writeFileSync(at('auth.conf'), `authorization: { version: 1, rules: [\n${rule}\n] }\n`)
  serving = await serve({
    ...{ code_repo: repository.bare, confdir, auth_conf: at('auth.conf') },
    server_plugins: plugInFolder({ 'indirections/ocsp.js': example }),
  })
  const { cadir } = serving.settings
  writeFileSync(at('ca.pem'), readFileSync(join(cadir, 'ca_crt.pem')))
  for (const name of ['good.test', 'revoked.test'])
    writeFileSync(at(`${name}.pem`), (await serving.credentials(name)).cert)
  await serving.revoke('revoked.test')
  writeFileSync(at('use'), 'extendedKeyUsage = OCSPSigning\n')
  const names = ['-subj', '/CN=ocsp.test', '-keyout', 'signer.key', '-out', 'signer.csr']
  openssl('req', '-new', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', ...names)
  const authority = ['-CA', 'ca.pem', '-CAkey', join(cadir, 'ca_key.pem'), '-set_serial', '0x7000']
  openssl('x509', '-req', '-in', 'signer.csr', ...authority, '-extfile', 'use', '-days', '2', '-out', 'signer.crt')
  const pair = ['signer.key', 'signer.crt'].map((name) => readFileSync(at(name), 'utf8'))
  writeFileSync(join(confdir, 'ocsp.pem'), pair.join(''), { mode: 0o600 })
})
afterAll(async () => {
  await serving?.stop()
})

const type = { 'content-type': 'application/ocsp-request' }
const place = '/puppet/v3/ocsp/ca?environment=production'

async function judged(...words: readonly string[]): Promise<string> {
  openssl('ocsp', '-no_nonce', '-issuer', 'ca.pem', ...words, '-reqout', 'request.der')
  const answer = await serving.call('POST', place, { headers: type, body: readFileSync(at('request.der')) })
  expect([answer.status, answer.headers['content-type'], answer.status === 200 ? '' : answer.text]).toEqual([
    ...[200, 'application/ocsp-response', ''],
  ])
  writeFileSync(at('response.der'), answer.bytes)
  const read = ['-no_nonce', '-respin', 'response.der']
  return execFileSync(
    'sh',
    ['-c', 'exec openssl ocsp "$@" 2>&1', 'sh', '-issuer', 'ca.pem', '-CAfile', 'ca.pem', ...words, ...read],
    {
      ...{ encoding: 'utf8', cwd: folder },
    },
  )
}

describe('the responder for OCSP of the page', () => {
  it.each([
    ['good.test', ['-cert', 'good.test.pem'], 'good.test.pem: good'],
    ['revoked.test', ['-cert', 'revoked.test.pem'], 'revoked.test.pem: revoked'],
    ['a serial that was never given', ['-serial', '0x7777'], '0x7777: unknown'],
  ])('answers openssl about %s', async (_, words, wanted) => {
    const said = await judged(...words)
    expect(said).toContain('Response verify OK')
    expect(said).toContain(wanted)
  })

  it('answers nobody who asks otherwise, and answers still', async () => {
    const ask = async (method: string, path: string, body?: string) =>
      (await serving.call(method, path, { headers: type, ...(body !== undefined && { body }) })).status
    expect(await ask('GET', place)).toBe(403)
    expect(await ask('POST', place.replace('/ca?', '/other?'), 'x')).toBe(403)
    expect(await ask('POST', place, 'x'.repeat(2 ** 20 + 1))).toBe(413)
    const internalError = Buffer.from([0x30, 3, 0x0a, 1, 2])
    const post = (body: string) => serving.call('POST', place, { headers: type, body })
    for (const body of ['no request', '-----BEGIN', '\0'.repeat(2 ** 20)]) {
      const { status, bytes } = await post(body)
      expect([status, bytes.equals(internalError)]).toEqual([200, true])
    }
    const many = await Promise.all(Array.from({ length: 20 }, () => post('no request')))
    expect(many.every(({ status }) => status === 200)).toBe(true)
    expect(await judged('-cert', 'good.test.pem')).toContain('good.test.pem: good')
  })
})
