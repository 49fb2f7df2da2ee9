import { createPublicKey } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { parseCertificate, toCertificatePem } from '../../../src/ca/x509/certificate.ts'
import {
  buildCertificateRequest,
  hasProofOfPossession,
  parseCertificateRequest,
  toRequestPem,
} from '../../../src/ca/x509/certificate-request.ts'
import { verifyChain } from '../../../src/ca/x509/chain.ts'
import {
  decodeInteger,
  decodeOid,
  decodeText,
  decodeTime,
  encodeInteger,
  encodeOctetString,
  encodeOid,
  encodeSequence,
  encodeTime,
  encodeUtf8String,
  getDerChildren,
  parseDer,
  splitDer,
  toDerBytes,
} from '../../../src/ca/x509/der.ts'
import { formatDistinguishedName } from '../../../src/ca/x509/distinguished-name.ts'
import {
  buildSubjectAltName,
  buildTextExtension,
  getExtensionText,
  listSubjectAltNames,
} from '../../../src/ca/x509/extensions.ts'
import {
  computeKeyIdentifier,
  generatePrivateKey,
  parsePrivateKey,
  toPrivateKeyPem,
  toPublicKeyDer,
} from '../../../src/ca/x509/keys.ts'
import { getPuppetShortName, puppetOids } from '../../../src/ca/x509/oids.ts'
import { parsePemBlocks, toPem } from '../../../src/ca/x509/pem.ts'
import {
  buildRevocationList,
  keyCompromise,
  listRevocations,
  parseRevocationLists,
  parseRevocationListsAsync,
  toRevocationListPem,
} from '../../../src/ca/x509/revocation-list.ts'
import { createKeySigner, isSignedBy } from '../../../src/ca/x509/signature.ts'
import { fc } from '../../support/properties.ts'
import { end, kinds, newPair, type Pair, start } from './pair.ts'

describe('DER', () => {
  it('reads what it wrote', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 170n }), (n) => decodeInteger(parseDer(encodeInteger(n))) === n),
    )
    fc.assert(
      fc.property(
        fc.array(fc.nat(2 ** 32 - 1)),
        (arcs) => decodeOid(parseDer(encodeOid(['1.3', ...arcs].join('.')))) === ['1.3', ...arcs].join('.'),
      ),
    )
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1960-01-01'), max: new Date('2300-01-01'), noInvalidDate: true }),
        (date) => {
          const whole = new Date(Math.floor(date.getTime() / 1000) * 1000)
          return decodeTime(parseDer(encodeTime(whole))).getTime() === whole.getTime()
        },
      ),
    )
    fc.assert(
      fc.property(fc.string({ maxLength: 70_000 }), (text) => decodeText(parseDer(encodeUtf8String(text))) === text),
    )
  })

  it.each([
    ...['', '30', '3080', '308200', '3005020101', '020101ff', '1f8101', '30ff', '3085ffffffffff'],
    // BER: a length without end, lengths and numbers with needless zeros, a BMPString of half a character.
    ...['30800000', '30800201010000', '308103020101', '30060202000102', '02020001', '300b1e03004100020100020100'],
  ])('refuses %s', (hex) => {
    expect(() => parseDer(Buffer.from(hex, 'hex'))).toThrow('Malformed DER')
  })

  it('refuses what is nested without end', () => {
    let nested: Buffer = encodeInteger(0)
    for (let depth = 0; depth < 1000; depth++) nested = encodeSequence(nested)
    expect(() => parseDer(nested)).toThrow('Malformed DER')
  })

  it('gives the bytes of each part as they came', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 300 })), (contents) => {
        const parts = contents.map((content) => encodeOctetString(content))
        const whole = encodeSequence(...parts)
        expect(splitDer(whole)).toEqual(parts)
        expect(getDerChildren(parseDer(whole)).map(toDerBytes)).toEqual(parts)
      }),
    )
  })

  it.each(['', '1', '3.1', '1.40', '1.x', '1.3.4294967296'])("takes '%s' for no object identifier", (dotted) => {
    expect(() => encodeOid(dotted)).toThrow('Malformed DER')
  })

  it.each([
    ['does not end', '0603efbfbd'],
    ['does not end after others', '06032b0681'],
    ['begins with a zero that says nothing', '06042b800601'],
    ['begins with such a zero at once', '0603802b06'],
  ])('takes one of which a number %s for none', (_, hex) => {
    expect(() => decodeOid(parseDer(Buffer.from(hex, 'hex')))).toThrow('Malformed DER')
  })

  it('never crashes on noise, only refuses', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (noise) => {
        for (const label of ['CERTIFICATE', 'CERTIFICATE REQUEST', 'X509 CRL']) {
          const pem = toPem(label, noise)
          for (const parse of [parseCertificate, parseCertificateRequest, parseRevocationLists])
            expect(() => parse(pem)).toThrow(/Failed to parse|Could not read/)
        }
      }),
    )
  })
})

describe.each(kinds)('with keys of $type $curve', (kind) => {
  let pair: Pair
  beforeAll(async () => {
    pair = await newPair(kind)
  })

  it('reads certificates back', () => {
    const { caKey, host, key } = pair
    const read = parseCertificate(toCertificatePem(host))
    expect(read).toMatchObject({ serial: 0xabcdefn, notBefore: start, notAfter: end })
    expect(formatDistinguishedName(read.subject)).toBe('CN=a.test')
    expect(listSubjectAltNames(read.extensions)).toEqual(['DNS:a.test', 'DNS:b.test', 'IP:10.0.0.1', 'IP:fe80::1'])
    const role = read.extensions.find(({ oid: id }) => getPuppetShortName(id) === 'pp_role')
    expect(getExtensionText(role!)).toBe('wéb')
    expect(isSignedBy(read, createPublicKey(caKey as never))).toBe(true)
    expect(isSignedBy(read, createPublicKey(key as never))).toBe(false)
  })

  it('makes requests, and reads them', () => {
    const { key } = pair
    const pem = buildCertificateRequest(
      {
        commonName: 'a.test',
        extensions: [buildSubjectAltName(['DNS:b.test']), buildTextExtension(puppetOids.get('pp_uuid')!, 'u-1')],
        attributes: [['1.2.840.113549.1.9.7', encodeUtf8String('s3cret')]],
      },
      key,
    )
    const request = parseCertificateRequest(pem)
    expect(request.commonName).toBe('a.test')
    expect(request.attributes).toEqual([['1.2.840.113549.1.9.7', 's3cret']])
    expect(hasProofOfPossession(request)).toBe(true)
  })

  it('knows a request whose key was exchanged', async () => {
    const { key } = pair
    const { der, ...rest } = parseCertificateRequest(buildCertificateRequest({ commonName: 'a.test' }, key))
    const spki = toPublicKeyDer(key)
    const other = toPublicKeyDer(await generatePrivateKey(kind))
    const forged = Buffer.from(der)
    other.copy(forged, der.indexOf(spki))
    expect(hasProofOfPossession(parseCertificateRequest(toRequestPem({ ...rest, der: forged })))).toBe(false)
  })

  it('writes keys as Puppet does, and reads every way', () => {
    const { key } = pair
    const pem = toPrivateKeyPem(key)
    expect(pem).toMatch(kind.type === 'rsa' ? /^-----BEGIN RSA PRIVATE KEY/ : /^-----BEGIN EC PRIVATE KEY/)
    const secret = toPrivateKeyPem(key, 'pass')
    expect(parsePrivateKey(secret, 'pass').equals(parsePrivateKey(pem))).toBe(true)
    expect(() => parsePrivateKey(secret, 'wrong')).toThrow('Could not read the private key')
    expect(() => parsePrivateKey(secret)).toThrow('Could not read the private key')
  })

  it('revokes', async () => {
    const { ca, host, listWith } = pair
    const list = await listWith([3n, host.serial])
    const again = parseRevocationLists(toRevocationListPem(list))[0]!
    expect(listRevocations(again)).toEqual([
      { serial: 3n, date: start, reason: keyCompromise },
      { serial: host.serial, date: start, reason: keyCompromise },
    ])
    const trust = { authorities: [ca], lists: [list], revocation: 'chain' } as const
    expect(() => verifyChain(host, trust, new Date('2026-06-01'))).toThrow("Certificate 'CN=a.test' is revoked")
  })

  it.each([
    ['2026-06-01', {}, undefined],
    ['2025-06-01', {}, "The certificate 'CN=Puppet CA: ca.test' is not yet valid, verify time is synchronized"],
    ['2060-06-01', {}, "The certificate 'CN=Puppet CA: ca.test' has expired, verify time is synchronized"],
    ['2026-06-01', { authorities: [] }, "The issuer 'CN=Puppet CA: ca.test' of certificate 'CN=a.test' is missing"],
    ['2026-06-01', { lists: [] }, "The CRL issued by 'CN=Puppet CA: ca.test' is missing"],
    ['2026-06-01', { lists: [], revocation: false }, undefined],
  ] as const)('verifies the chain at %s with %j: %s', async (date, change, message) => {
    const { ca, host, listWith } = pair
    const trust = { authorities: [ca], lists: [await listWith([])], revocation: 'chain' as const, ...change }
    const verify = () => verifyChain(host, trust, new Date(date))
    if (message === undefined) expect(verify()).toHaveLength(2)
    else expect(verify).toThrow(message)
  })

  it('counts lists up, and keeps what was revoked', async () => {
    const { ca, caKey, listWith } = pair
    const issuer = { name: ca.subject, signer: createKeySigner(caKey), keyIdentifier: computeKeyIdentifier(ca.spki) }
    const first = await listWith([1n])
    const added = [{ serial: 2n, date: start, reason: undefined }]
    const second = await buildRevocationList(issuer, { previous: first, added, thisUpdate: start, nextUpdate: end })
    expect([first.number, second.number]).toEqual([0n, 1n])
    expect(listRevocations(second).map(({ serial, reason }) => [serial, reason])).toEqual([
      [1n, keyCompromise],
      [2n, undefined],
    ])
  })

  it('handles a list of fifty thousand in a moment', async () => {
    const { ca, listWith } = pair
    const serials = Array.from({ length: 50_000 }, (_, index) => BigInt(index + 1))
    const pem = toRevocationListPem(await listWith(serials))
    const before = process.cpuUsage()
    const [list] = parseRevocationLists(pem)
    expect(list!.revoked.size).toBe(50_000)
    expect(process.cpuUsage(before).user / 1e6).toBeLessThan(10)
    expect(isSignedBy(list!, ca.publicKey)).toBe(true)
  })

  it('reads a long list beside other work, to the same end', async () => {
    const { listWith } = pair
    const pem = toRevocationListPem(await listWith(Array.from({ length: 50_000 }, (_, index) => BigInt(index + 1))))
    let turns = 0
    const counting = setInterval(() => turns++, 0)
    const [list] = await parseRevocationListsAsync(pem)
    clearInterval(counting)
    const [same] = parseRevocationLists(pem)
    expect([...list!.revoked].join()).toBe([...same!.revoked].join())
    expect([list!.number, list!.entries.equals(same!.entries)]).toEqual([same!.number, true])
    expect(turns).toBeGreaterThan(3)
  })
})

describe('a PEM text', () => {
  /** The pattern that the scan has the meaning of; short texts only. */
  const pattern = /-----BEGIN ([A-Z0-9 ]+)-----\s+([A-Za-z0-9+/=\s]*?)-----END \1-----/g
  const parts = [
    '-----BEGIN ',
    'A',
    '-----',
    '\n',
    '-----END A-----',
    '-----END ',
    'AB+/=',
    'x_',
    ' ',
    '-',
    '-----BEGIN A-----\n',
  ]

  it('is read as the pattern would', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 14 }), (words) => {
        const text = words.join('')
        const expected = [...text.matchAll(pattern)].map(([, label, body]) => ({
          label,
          der: Buffer.from(body!, 'base64'),
        }))
        expect(parsePemBlocks(text)).toEqual(expected)
      }),
      { numRuns: 2000 },
    )
  })

  it.each([
    '-----BEGIN ',
    '-----BEGIN A-----\n',
    '-----BEGIN A-----\nAAAA\n-----END B-----\n',
    `-----BEGIN A-----${' '.repeat(1000)}`,
    '-',
    ' ',
    `-----BEGIN ${'A'.repeat(1000)}`,
  ])('of megabytes of %j takes a moment', (part) => {
    const before = process.cpuUsage()
    expect(parsePemBlocks(part.repeat((4 * 1024 * 1024) / part.length))).toEqual([])
    expect(process.cpuUsage(before).user / 1e6).toBeLessThan(2)
  })

  it('has a bound of blocks', () => {
    const block = toPem('A', Buffer.from('x'))
    expect(parsePemBlocks(block.repeat(1000))).toHaveLength(1000)
    expect(() => parsePemBlocks(block.repeat(1001))).toThrow('The text contains more than 1000 PEM blocks')
  })
})

it('ignores what stands between blocks', () => {
  const pem = `Certificate:\n  Data\n${toPem('A', Buffer.from('x'))}junk\r\n${toPem('B', Buffer.alloc(200)).replaceAll('\n', '\r\n')}`
  expect(parsePemBlocks(pem).map(({ label, der }) => [label, der.length])).toEqual([
    ['A', 1],
    ['B', 200],
  ])
})
