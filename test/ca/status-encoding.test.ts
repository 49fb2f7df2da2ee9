import { describe, expect, it } from 'vitest'
import { type CertificateStatus, createBrokenStatus } from '../../src/ca/certificate-status.ts'
import { packStatus, unpackStatus } from '../../src/ca/storage/status-encoding.ts'

const digest = (bytes: number) => Array.from({ length: bytes }, (_, at) => (at * 37).toString(16).slice(-2)).join(':')
const colons = (bytes: number) =>
  digest(bytes)
    .replace(/\b\w\b/g, '0$&')
    .toUpperCase()
const signed: CertificateStatus = {
  name: 'a.test',
  state: 'signed',
  dns_alt_names: ['DNS:a.test'],
  subject_alt_names: ['DNS:a.test'],
  authorization_extensions: {},
  fingerprint: colons(32),
  fingerprints: { SHA1: colons(20), SHA256: colons(32), SHA512: colons(64), default: colons(32) },
  serial_number: 7,
  not_before: '2026-11-20T10:56:11UTC',
  not_after: '2031-11-20T10:56:11UTC',
}

describe('a packed status is the status again', () => {
  it.each<[string, Partial<CertificateStatus>, names: unknown]>([
    ['of its own name alone', {}, 0],
    ['of no other name', { dns_alt_names: [], subject_alt_names: [] }, []],
    ['of another name', { dns_alt_names: ['DNS:b'], subject_alt_names: ['DNS:b'] }, ['DNS:b']],
    ['of an address, too', { subject_alt_names: ['DNS:a.test', 'IP:10.0.0.1'] }, ['DNS:a.test', 'IP:10.0.0.1']],
    ['of extensions', { authorization_extensions: { pp_cli_auth: 'true' } }, 0],
    ['of the largest number', { serial_number: Number.MAX_SAFE_INTEGER }, 0],
    ['of more digits than a number has', { serial_number: String(2n ** 53n) }, 0],
  ])('%s', (_, change, names) => {
    const status = { ...signed, ...change }
    const line = packStatus(status)
    expect(JSON.parse(line)[7]).toEqual(names)
    expect(unpackStatus(line)).toEqual(status)
  })

  it('of a damaged file', () => {
    const broken = createBrokenStatus('a.test', 'asn1 encoding routines')
    expect(packStatus(broken)).toBe('["a.test","asn1 encoding routines"]')
    expect(unpackStatus(packStatus(broken))).toEqual(broken)
  })

  const fields = JSON.parse(packStatus(signed)) as unknown[]
  it.each([
    ['{', '{}', 'null', '[]', '[1]', '["a.test"]', '["a.test",1]'],
    ...fields.map((_, at) => [JSON.stringify(fields.with(at, at === 7 ? 'x' : 5))]),
    [JSON.stringify(fields.with(1, '7f')), JSON.stringify(fields.slice(0, -1))],
  ])('and nothing else: %j', (...lines) => {
    expect(lines.map(unpackStatus)).toEqual(lines.map(() => undefined))
  })
})
