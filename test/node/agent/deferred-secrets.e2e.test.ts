import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toCertificatePem } from '../../../src/ca/x509/certificate.ts'
import { toPrivateKeyPem } from '../../../src/ca/x509/keys.ts'
import { ec, newAuthority } from '../../ca/fixture.ts'
import { runHere } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const folder = scratchFolder('deferred-secrets')
const modules = ['../resources/beside-puppet/modules', 'modules']
  .map((path) => resolve(import.meta.dirname, path))
  .join(':')
const requests: string[] = []
let server: Server
let address: string

/** A secret store with the API of Vault. */
function answer(request: IncomingMessage, response: ServerResponse): void {
  const { method, url = '', headers } = request
  const client = (request.socket as TLSSocket).authorized
    ? (request.socket as TLSSocket).getPeerCertificate().subject.CN
    : 'nobody'
  requests.push(`${client} ${method} ${url}`)
  const secret = `hush-of-${url.split('/').at(-1)}`
  if (url === '/v1/html') response.end('<html>hush</html>')
  else if (url === '/v1/auth/cert/login' && client === 'localhost')
    response.end('{"auth":{"client_token":"hush-token"}}')
  else if (headers['x-vault-token'] !== 'hush-token') response.writeHead(403).end('{"errors":["permission denied"]}')
  else response.end(JSON.stringify({ data: { data: { password: secret } } }))
}

beforeAll(async () => {
  const { ca } = await newAuthority()
  const own = await ca.generate('localhost', { key: ec })
  const [key, certificate] = [toPrivateKeyPem(own.key), toCertificatePem(own.certificate)]
  const { pem } = await ca.certificates()
  for (const name of ['certs', 'private_keys']) mkdirSync(join(folder, 'ssl', name), { recursive: true })
  writeFileSync(join(folder, 'ssl/certs/ca.pem'), pem)
  writeFileSync(join(folder, 'ssl/certs/localhost.pem'), certificate)
  writeFileSync(join(folder, 'ssl/private_keys/localhost.pem'), key)
  server = createServer({ key, cert: certificate, ca: pem, requestCert: true, rejectUnauthorized: false }, answer)
  await new Promise<void>((done) => server.listen(0, done))
  address = `https://localhost:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

async function apply(manifest: string, ...words: string[]) {
  const places = ['--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var'), '--ssldir', join(folder, 'ssl')]
  const code = manifest.replaceAll('@', folder).replaceAll('ADDRESS', address)
  const own = ['--certname', 'localhost', '--modulepath', modules, '--detailed-exitcodes', ...words, '-e', code]
  return runHere(['apply', ...places, ...own])
}

describe('a secret store that the node reads', () => {
  it('is logged in to once, with the certificate of the node', async () => {
    const { status, err } = await apply(`
      file { '@/a': content => Deferred('deferrals::vaulted', ['secret/a', 'ADDRESS']) }
      file { '@/b': content => Deferred('deferrals::vaulted', ['secret/b', 'ADDRESS']) }`)
    expect(status, err).toBe(2)
    expect([readFileSync(join(folder, 'a'), 'utf8'), readFileSync(join(folder, 'b'), 'utf8')]).toEqual([
      'hush-of-a',
      'hush-of-b',
    ])
    expect(requests).toEqual([
      'localhost POST /v1/auth/cert/login',
      'localhost GET /v1/secret/a',
      'localhost GET /v1/secret/b',
    ])
  })

  it('leaves no secret in the output and in any file below vardir', async () => {
    const manifest = `
      file { '@/c': content => Deferred('sprintf', ['p=%s', Deferred('unwrap', [Deferred('deferrals::vaulted', ['secret/c', 'ADDRESS'])])]) }
      exec { 'd': command => Deferred('sprintf', ['/bin/false %s', Deferred('unwrap', [Deferred('deferrals::vaulted', ['secret/d', 'ADDRESS'])])]) }
      note { '@/e': text => Deferred('deferrals::vaulted', ['secret/e', 'ADDRESS']) }`
    const { status, out, err } = await apply(manifest, '--debug', '--trace', '--evaltrace', '--show_diff', '--graph')
    expect(status).toBe(6)
    expect(readFileSync(join(folder, 'c'), 'utf8')).toBe('p=hush-of-c')
    expect(`${out}${err}`).not.toContain('hush')
    const left = readdirSync(join(folder, 'var'), { recursive: true, withFileTypes: true }).filter((each) =>
      each.isFile(),
    )
    expect(left.length).toBeGreaterThan(3)
    for (const { parentPath, name } of left)
      expect(readFileSync(join(parentPath, name), 'latin1'), name).not.toContain('hush')
  })

  it('fails the resource alone if the store refuses, or sends something else', async () => {
    const { status, out, err } = await apply(
      `file { '@/f': content => Deferred('deferrals::vaulted', ['html', 'ADDRESS']) }
       file { '@/g': content => Deferred('deferrals::vaulted', ['x', 'https://localhost:1']) }
       file { '@/h': content => 'applied' }`,
    )
    expect(status).toBe(6)
    expect(readFileSync(join(folder, 'h'), 'utf8')).toBe('applied')
    expect(`${out}${err}`).toMatch(/File\[\S+\/f\]: Deferred function 'deferrals::vaulted' failed: /)
    expect(`${out}${err}`).toMatch(
      /Deferred function 'deferrals::vaulted' failed: Request to https:\/\/localhost:1\/v1\/auth\/cert\/login failed after [\d.]+ seconds: Failed to open TCP connection to localhost:1 \(Connection refused - /,
    )
  })
})
