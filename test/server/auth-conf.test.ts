import { beforeAll, describe, expect, it } from 'vitest'
import { parseCertificate } from '../../src/ca/x509/certificate.ts'
import { buildSubjectAltName } from '../../src/ca/x509/extensions.ts'
import { parseAuthConf } from '../../src/server/auth/auth-conf.ts'
import { authorize } from '../../src/server/auth/authorize.ts'
import { readCertificateName } from '../../src/server/auth/certificate-name.ts'
import { getCertificateClaims } from '../../src/server/auth/client-certificate.ts'
import { type Client, createUnauthenticatedClient } from '../../src/server/http/client.ts'
import { getQueryString, parseRequestPath } from '../../src/server/http/request-path.ts'
import { cases, clients, confOf, rejected, rejectedHere } from './auth-cases.ts'
import { certificatesOf } from './auth-certificates.ts'

const known = new Map<string, Client>()
beforeAll(async () => {
  for (const [word, pem] of await certificatesOf(clients)) known.set(word, clientOf(pem))
})

function clientOf(pem: string): Client {
  const certificate = parseCertificate(pem)
  const { certname, refused } = readCertificateName(certificate)
  if (certname === undefined) return createUnauthenticatedClient('127.0.0.1', refused)
  return { ...createUnauthenticatedClient('127.0.0.1'), certname, ...getCertificateClaims(certificate, new Map()) }
}

const parse = (text: string) => parseAuthConf({ file: 'auth.conf', text })

describe('auth.conf means what it means in Puppet Server', () => {
  it.each(cases.map((each) => [`${each.deny ?? each.allow} at ${each.at}`, each] as const))('%s', (_, each) => {
    const { rules } = parse(confOf(each))
    for (const [word, verdict] of Object.entries(each.verdicts)) {
      const question = {
        path: parseRequestPath(each.at),
        query: getQueryString(each.at),
        method: 'get',
        client: known.get(word)!,
      }
      expect([word, authorize(rules, question).allowed]).toEqual([word, verdict === 'allowed'])
    }
  })

  it.each([...rejected, ...rejectedHere])('rejects %s', (text, reason) => {
    expect(() => parse(text)).toThrow(reason)
  })

  it('denies a path that ends in a line terminator, in front of which `$` of Java matches', () => {
    const { rules } = parse(confOf({ regex: '^/x$', deny: '"b.test"', at: '', verdicts: {} }))
    const ask = (path: string) => authorize(rules, { path, query: '', method: 'get', client: known.get('a')! }).allowed
    expect(['/x', '/x\n', '/x\r', '/x\u0085', '/x\u2028'].map(ask)).toEqual([true, false, false, false, false])
  })

  it('takes time that grows with the path alone', () => {
    const { rules } = parse(confOf({ regex: '^(/?a+)+(.*a){20}x$', deny: '"*"', at: '', verdicts: {} }))
    const path = `/${'a'.repeat(4000)}!`
    const before = process.cpuUsage()
    expect(authorize(rules, { path, query: '', method: 'get', client: known.get('a')! }).allowed).toBe(true)
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(5000)
  })

  it('names nobody by a certificate whose DNS names are not printable', async () => {
    const odd = buildSubjectAltName(['DNS:a.test'])
    const value = Buffer.from(odd.value)
    value[value.length - 1] = 0x0a
    const [[, pem]] = (await certificatesOf({ odd: ['o.test', { ...odd, value }] })) as [[string, string]]
    expect(clientOf(pem)).toMatchObject({
      certname: undefined,
      refused: expect.stringContaining('not printable ASCII'),
    })
  })
})
