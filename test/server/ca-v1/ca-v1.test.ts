import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterEach, describe, expect, it } from 'vitest'
import type { AuthorityOptions } from '../../../src/ca/local-authority.ts'
import { parseCertificate, toCertificatePem } from '../../../src/ca/x509/certificate.ts'
import { buildSubjectAltName } from '../../../src/ca/x509/extensions.ts'
import { createCaV1Plugin } from '../../../src/server/ca-v1/index.ts'
import { newAuthority, requestFor } from '../../ca/fixture.ts'
import { openServer } from '../open-server.ts'
import { terminiOf } from './termini-of.ts'

const servers: FastifyInstance[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

/** A server that lets everyone in. */
async function start(change: Partial<AuthorityOptions> = {}, clientPem?: () => string | undefined) {
  const { ca, cadir } = await newAuthority(change)
  const server = openServer()
  servers.push(server)
  await server.register(
    createCaV1Plugin({
      ca,
      termini: terminiOf(ca),
      clientCertificate: () => {
        const pem = clientPem?.()
        return pem === undefined ? undefined : parseCertificate(pem).der
      },
    }),
  )
  const ask = async (
    method: 'GET' | 'PUT' | 'POST' | 'DELETE',
    path: string,
    body?: string | object,
    type?: string,
  ) => {
    const payload = typeof body === 'object' ? JSON.stringify(body) : body
    const content = type ?? (typeof body === 'object' ? 'application/json' : 'text/plain')
    const headers = body === undefined ? {} : { 'content-type': content }
    const answer = await server.inject({ method, url: `/puppet-ca/v1/${path}`, payload, headers })
    return {
      status: answer.statusCode,
      body: answer.body,
      type: answer.headers['content-type'],
      headers: answer.headers,
    }
  }
  return { ca, cadir, ask, server }
}

describe('certificates and requests', () => {
  it('take a request, sign it, and give the certificate out', async () => {
    const { ask } = await start()
    const pem = await requestFor('a.test')
    expect(await ask('PUT', 'certificate_request/a.test', pem)).toMatchObject({ status: 200, body: '' })
    expect(await ask('GET', 'certificate_request/a.test')).toMatchObject({ status: 200, body: pem })
    expect(await ask('GET', 'certificate/a.test')).toMatchObject({
      status: 404,
      body: 'Could not find certificate a.test',
      type: expect.stringContaining('text/plain'),
    })
    expect((await ask('PUT', 'certificate_status/a.test', { desired_state: 'signed' })).status).toBe(204)
    const { status, body } = await ask('GET', 'certificate/a.test')
    expect([status, parseCertificate(body).serial]).toEqual([200, 2n])
    expect((await ask('GET', 'certificate_request/a.test')).body).toBe('Could not find certificate_request a.test')
  })

  it.each(['certificate/ca', 'certificate_revocation_list/ca'])('%s is not sent twice', async (path) => {
    const { ask, server } = await start()
    const { status, headers } = await ask('GET', path)
    expect(status).toBe(200)
    const since = { 'if-modified-since': String(headers['last-modified']) }
    const again = await server.inject({ url: `/puppet-ca/v1/${path}`, headers: since })
    expect([again.statusCode, again.body]).toEqual([304, ''])
    const before = { 'if-modified-since': 'Thu, 01 Jan 2015 00:00:00 GMT' }
    expect((await server.inject({ url: `/puppet-ca/v1/${path}`, headers: before })).statusCode).toBe(200)
  })

  it.each([
    ['b.test', 'a.test', 'Instance name "a.test" does not match requested key "b.test"'],
    ['A.test', 'A.test', 'Certificate names must be lower case.'],
    ['..%2f..%2fx', '../../x', 'Subject hostname format is invalid', 'Invalid relative path (.. or .) in: '],
    ['%00', '\0', 'Subject hostname format is invalid', 'Invalid path'],
    ['a%2Fb', 'a/b', 'Subject hostname format is invalid'],
    ['x'.repeat(300), 'x'.repeat(300), 'Subject hostname format is invalid'],
  ])('refuse a request for %s and write nothing', async (path, subject, message, before = message) => {
    const { ask, ca, cadir } = await start({ autosign: async () => true })
    const pem = await requestFor(subject)
    const body = expect.stringContaining(before)
    expect(await ask('PUT', `certificate_request/${path}`, pem)).toMatchObject({ status: 400, body })
    // What no path brings is refused by the authority itself, too.
    if (before !== message) await expect(ca.submit(subject, pem)).rejects.toThrow(message)
    expect([...(await readdir(join(cadir, 'requests'))), ...(await readdir(join(cadir, 'signed')))]).toEqual([])
  })

  it.each([
    ['garbage', 'text/plain', 400],
    ['', 'text/plain', 400],
    ['-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----\n', 'text/plain', 400],
    ['{}', 'application/json', 415],
    ['x'.repeat(1024 * 1024), 'text/plain', 413],
  ])('refuse a bad body %#', async (body, type, status) => {
    const { ask, cadir } = await start({ autosign: async () => true })
    expect((await ask('PUT', 'certificate_request/a.test', body, type)).status).toBe(status)
    expect(await readdir(join(cadir, 'requests'))).toEqual([])
    expect(await readFile(join(cadir, 'serial'), 'utf8')).toBe('0002')
  })

  it('refuse twice the same, and names that may read a file', async () => {
    const { ask, ca } = await start()
    const pem = await requestFor('a.test')
    await ask('PUT', 'certificate_request/a.test', pem)
    expect(await ask('PUT', 'certificate_request/a.test', pem)).toMatchObject({
      status: 400,
      body: 'a.test already has a requested certificate; ignoring certificate request',
    })
    for (const name of ['..%2fca_key', '%2e%2e%2fca_key', 'a.test%00'])
      expect((await ask('GET', `certificate/${name}`)).status).toBe(400)
    for (const name of ['../ca_key', '..', 'a.test\0']) expect(await ca.certificate(name)).toBeUndefined()
    expect((await ask('DELETE', 'certificate_request/a.test')).status).toBe(204)
    expect((await ask('DELETE', 'certificate_request/a.test')).status).toBe(404)
  })
})

describe('certificate_status', () => {
  it.each([
    ['none', { desired_state: 'signed' }, 404, 'Invalid certificate subject.'],
    [
      'signed',
      { desired_state: 'signed' },
      409,
      'Cannot sign certificate for host signed without a certificate request',
    ],
    [
      'asked',
      { desired_state: 'revoked' },
      409,
      'Cannot revoke certificate for host asked without a signed certificate',
    ],
    [
      'asked',
      { desired_state: 'zz' },
      400,
      "State zz invalid; Must specify desired state of 'signed' or 'revoked' for host asked.",
    ],
    ['asked', {}, 400, 'Missing required parameter "desired_state"'],
    ['asked', '{', 400, 'Request body is not JSON.'],
    ['asked', '', 400, 'Empty request body.'],
    [
      'asked',
      { desired_state: 'signed', cert_ttl: 'x' },
      400,
      'cert_ttl specified for host asked must be an integer, not "x"',
    ],
    ['asked', { desired_state: 'signed', cert_ttl: 60 }, 204, ''],
    ['signed', { desired_state: 'revoked' }, 204, ''],
    ['more', { desired_state: 'signed' }, 409, "CSR 'more' contains extra subject alternative names (DNS:alt)"],
  ])('of %s to %j: %i %s', async (name, body, status, message) => {
    const { ask, ca } = await start()
    await ca.submit('signed', await requestFor('signed'))
    await ca.sign('signed')
    await ca.submit('asked', await requestFor('asked'))
    await ca.submit('more', await requestFor('more', { extensions: [buildSubjectAltName(['alt'])] }))
    const answer = await ask('PUT', `certificate_status/${name}`, body, 'application/json')
    expect(answer.status).toBe(status)
    expect(answer.body).toContain(message)
  })

  it('is listed by state', async () => {
    const { ask, ca } = await start()
    for (const name of ['a', 'b', 'c']) await ca.submit(name, await requestFor(name))
    await ca.sign('b')
    await ca.sign('c')
    await ca.revoke('c')
    const names = async (query: string) =>
      JSON.parse((await ask('GET', `certificate_statuses/any${query}`)).body).map((each: { name: string }) => each.name)
    expect(await names('')).toEqual(['a', 'b', 'c'])
    expect(await names('?state=requested')).toEqual(['a'])
    expect(await names('?state=signed')).toEqual(['b'])
    expect(await names('?state=revoked')).toEqual(['c'])
    expect(await names('?state=zz')).toEqual(['a', 'b', 'c'])
    const { body, type } = await ask('GET', 'certificate_status/b')
    expect(type).toContain('application/json')
    expect(JSON.parse(body)).toMatchObject({
      name: 'b',
      state: 'signed',
      dns_alt_names: ['DNS:b'],
      subject_alt_names: ['DNS:b'],
      authorization_extensions: {},
      fingerprint: expect.stringMatching(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/),
      serial_number: 2,
      not_after: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dUTC$/),
    })
    expect(await ask('GET', 'certificate_status/zz')).toMatchObject({ status: 404, body: 'Resource not found.' })
    expect((await ask('DELETE', 'certificate_status/b')).status).toBe(204)
    expect(await ask('DELETE', 'certificate_status/b')).toMatchObject({ status: 404, body: 'Resource not found.' })
  })
})

describe('many at once', () => {
  it('signs them', async () => {
    const { ask, ca } = await start()
    for (const name of ['a', 'b']) await ca.submit(name, await requestFor(name))
    await ca.submit('x', await requestFor('x', { extensions: [buildSubjectAltName(['alt'])] }))
    expect(JSON.parse((await ask('POST', 'sign', { certnames: ['a', 'none'] })).body)).toEqual({
      signed: ['a'],
      'no-csr': ['none'],
      'signing-errors': [],
    })
    expect(JSON.parse((await ask('POST', 'sign/all', '{}', 'application/json')).body)).toEqual({
      signed: ['b'],
      'no-csr': [],
      'signing-errors': ['x'],
    })
    expect((await ask('POST', 'sign', { names: [] })).status).toBe(422)
  })

  it('cleans them', async () => {
    const { ask, ca } = await start()
    await ca.submit('a', await requestFor('a'))
    await ca.sign('a')
    const clean = (body: string | object) => ask('PUT', 'clean', body, 'application/json')
    expect(await clean({ certnames: ['a'] })).toMatchObject({ status: 200, body: 'Successfully cleaned all certs.' })
    expect(await clean({ certnames: ['none'] })).toMatchObject({
      status: 200,
      body: 'The following certs do not exist and cannot be revoked: ["none"]',
    })
    expect(await clean('x')).toMatchObject({ status: 400, body: 'Request body is not JSON.' })
    expect(await clean({})).toMatchObject({
      status: 400,
      body: "Missing required key: 'certnames'. Please supply the list of certs you want to clean.",
    })
  })
})

it('renews when it may, for whom it knows', async () => {
  let pem: string | undefined
  const { ask, ca } = await start({ allowAutoRenewal: true, autosign: async () => true }, () => pem)
  expect(await ask('POST', 'certificate_renewal', '')).toMatchObject({
    status: 400,
    body: 'No valid certificate found in renewal request',
  })
  await ca.submit('a', await requestFor('a'))
  pem = (await ca.certificate('a'))!
  const renewed = await ask('POST', 'certificate_renewal', '')
  expect(renewed.status).toBe(200)
  expect(parseCertificate(renewed.body).spki.equals(parseCertificate(pem).spki)).toBe(true)
  pem = toCertificatePem(parseCertificate((await (await newAuthority()).ca.certificates()).pem))
  expect(await ask('POST', 'certificate_renewal', '')).toMatchObject({
    status: 403,
    body: 'Certificate present, but does not match signature',
  })
  const { ask: askOther } = await start()
  expect(await askOther('POST', 'certificate_renewal', '')).toMatchObject({ status: 404, body: 'Not Found' })
})

it('takes no revocation list that nobody above it signed, and tells when all ends', async () => {
  const { ask, ca } = await start()
  const own = (await ca.revocationLists()).pem
  for (const body of ['x', own])
    expect(await ask('PUT', 'certificate_revocation_list', body)).toMatchObject({
      status: 400,
      body: 'No valid CRLs submitted.',
    })
  expect(JSON.parse((await ask('GET', 'expirations')).body)).toEqual({
    'ca-certs': { 'Puppet CA: ca.test': expect.stringMatching(/UTC$/) },
    crls: { 'Puppet CA: ca.test': expect.stringMatching(/UTC$/) },
  })
})
