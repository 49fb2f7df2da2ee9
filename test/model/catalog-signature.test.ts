import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Certificate, parseCertificates } from '../../src/ca/x509/certificate.ts'
import { buildCertificateRequest } from '../../src/ca/x509/certificate-request.ts'
import type { ChainTrust } from '../../src/ca/x509/chain.ts'
import { createStatementWriter, type StatementSigner } from '../../src/ca/x509/json-web-signature.ts'
import { generatePrivateKey } from '../../src/ca/x509/keys.ts'
import { catalogSigning } from '../../src/ca/x509/oids.ts'
import { parseRevocationLists } from '../../src/ca/x509/revocation-list.ts'
import {
  computeCatalogDigest,
  createCatalogSigner,
  type SignedCatalog,
  verifyCatalog,
} from '../../src/model/catalog-signature.ts'
import { ec, type Fixture, newAuthority, requestFor } from '../ca/fixture.ts'

const body = JSON.stringify({ name: 'a.test', environment: 'production', code_id: 'c1', resources: [{ title: 'é' }] })
const about = {
  digest: computeCatalogDigest(body),
  node: 'a.test',
  environment: 'production',
  codeId: 'c1',
  time: new Date().toISOString(),
  transaction: 'f0f0',
}

let authority: Fixture
let trust: ChainTrust
let signer: StatementSigner & { readonly certificate: Certificate }
let node: typeof signer
beforeAll(async () => {
  authority = await newAuthority()
  signer = await authority.ca.generateSigner('server.test')
  node = await authority.ca.generate('a.test', { key: ec })
  trust = await trustIn(authority)
})

async function trustIn({ ca }: Fixture): Promise<ChainTrust> {
  return {
    authorities: parseCertificates((await ca.certificates()).pem),
    lists: parseRevocationLists((await ca.revocationLists()).pem),
    revocation: 'chain',
  }
}

function signed(change: Partial<typeof about> = {}, by: StatementSigner = signer, text = body): SignedCatalog {
  return { wire: JSON.parse(text), text, signature: createCatalogSigner(by)({ ...about, ...change }) }
}

const now = new Date()
const day = 86_400_000

describe('a signed catalog', () => {
  it('proves node, environment, code_id, time and digest, and who has signed', () => {
    const { signer: by, ...proven } = verifyCatalog(signed(), { trust, now, node: 'a.test', transaction: 'f0f0' })
    expect(proven).toEqual(about)
    expect(by.serial).toBe(signer.certificate.serial)
  })

  it('is a compact JSON Web Signature that other programs read', () => {
    const [header = '', payload = ''] = signed().signature!.split('.')
    const json = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
    expect(json(header)).toEqual({
      alg: 'ES256',
      typ: 'plumb-catalog+jws',
      x5c: [signer.certificate.der.toString('base64')],
    })
    expect(json(payload)).toMatchObject({ digest: about.digest, node: 'a.test', code_id: 'c1' })
  })

  it.each<[string, Partial<typeof about>, object, string]>([
    ['another node', { node: 'b.test' }, { node: 'a.test' }, "its node is 'b.test', not 'a.test'"],
    ['another node, unasked', { node: 'b.test' }, {}, "its node is 'b.test', not 'a.test'"],
    ['another environment', { environment: 'test' }, {}, "its environment is 'test', not 'production'"],
    ['another commit', { codeId: 'c2' }, {}, "its code_id is 'c2', not 'c1'"],
    ['another request', { transaction: 'e1e1' }, { transaction: 'f0f0' }, "its request is 'e1e1', not 'f0f0'"],
    ['no request', { transaction: undefined }, { transaction: 'f0f0' }, "its request is '', not 'f0f0'"],
    [
      'other bytes',
      { digest: computeCatalogDigest('{}') },
      {},
      'The catalog for a.test was changed after it was signed',
    ],
  ])('is refused with the signature of %s', (_, change, asked, words) => {
    expect(() => verifyCatalog(signed(change as never), { trust, now, ...asked })).toThrow(words)
  })

  it('is refused when a byte of it is another, and when white space is', () => {
    for (const text of [body.replace('é', 'e'), `${body} `, body.replace(',', ', ')])
      expect(() => verifyCatalog({ ...signed(), text, wire: JSON.parse(text) }, { trust, now })).toThrow(
        'was changed after it was signed',
      )
  })

  it('is refused without a signature', () => {
    const unsigned = { ...signed(), signature: undefined }
    expect(() => verifyCatalog(unsigned, { trust, now })).toThrow('The catalog for a.test is not signed')
  })
})

describe('a signer', () => {
  it('is no node, though its certificate is of the same authority', () => {
    expect(() => verifyCatalog(signed({}, node), { trust, now })).toThrow(
      "by 'a.test', whose certificate is not valid for signing",
    )
  })

  it('is nobody who asked for it in a request: no request has an extended key usage', async () => {
    const lax = await authority.reopen({ allowAuthorizationExtensions: true, autosign: async () => true })
    const oid = catalogSigning
    const key = await generatePrivateKey(ec)
    const extensions = [{ oid, critical: false, value: Buffer.from('0c0474727565', 'hex') }]
    await lax.submit('c.test', buildCertificateRequest({ commonName: 'c.test', extensions }, key))
    const [certificate] = parseCertificates((await lax.certificate('c.test'))!)
    expect(certificate!.extensions.some((each) => each.oid === oid)).toBe(true)
    const asked = signed({}, { key, certificate: certificate! })
    expect(() => verifyCatalog(asked, { trust, now })).toThrow(
      "by 'c.test', whose certificate is not valid for signing",
    )
    const sly = await requestFor('d.test', {
      extensions: [{ oid: '2.5.29.37', critical: true, value: Buffer.from('3000', 'hex') }],
    })
    await expect(lax.submit('d.test', sly)).rejects.toThrow('Found extensions that are not permitted: 2.5.29.37')
  })

  it('is of the authority that is trusted', async () => {
    const other = await (await newAuthority()).ca.generateSigner('server.test')
    expect(() => verifyCatalog(signed({}, other), { trust, now })).toThrow(
      "by '_catalogs.server.test', which is not trusted",
    )
  })

  it('is refused once it is revoked, whenever it has signed', async () => {
    const mine = await newAuthority()
    const bad = await mine.ca.generateSigner('server.test')
    const before = await trustIn(mine)
    expect(verifyCatalog(signed({}, bad), { trust: before, now }).node).toBe('a.test')
    await mine.ca.revoke('_catalogs.server.test')
    expect(() => verifyCatalog(signed({}, bad), { trust: before, now })).not.toThrow()
    const after = await trustIn(mine)
    expect(() => verifyCatalog(signed({}, bad), { trust: after, now })).toThrow('is revoked')
  })

  it('has to be in force when it signs: what is kept stays good after its end, what is new does not', () => {
    const later = new Date(now.getTime() + 400 * day)
    expect(verifyCatalog(signed(), { trust, now: later }).node).toBe('a.test')
    expect(() => verifyCatalog(signed(), { trust, now: later, transaction: 'f0f0' })).toThrow('has expired')
    const late = signed({ time: later.toISOString() })
    expect(() => verifyCatalog(late, { trust, now: later })).toThrow('has expired')
  })

  it('has one kind of statement for catalogs', () => {
    const signature = createStatementWriter('other+jws', signer)(JSON.stringify(about))
    expect(() => verifyCatalog({ ...signed(), signature }, { trust, now })).toThrow('its type is not plumb-catalog+jws')
  })
})

/** The signature with one of its three parts made anew. */
function with_(part: 0 | 1 | 2, text: string): string {
  const parts = signed().signature!.split('.')
  parts[part] = text
  return parts.join('.')
}

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const header = (change: object) =>
  encoded({ ...JSON.parse(Buffer.from(signed().signature!.split('.')[0]!, 'base64url').toString()), ...change })

describe('a signature that is none', () => {
  it.each<[string, () => string, string]>([
    ['is empty', () => '', 'it does not have three parts'],
    ['has two parts', () => 'a.b', 'it does not have three parts'],
    ['has four', () => `${signed().signature}.a`, 'it does not have three parts'],
    ['has no algorithm', () => with_(0, header({ alg: 'none' })), 'the algorithm is not ES256'],
    ['has a secret for a key', () => with_(0, header({ alg: 'HS256' })), 'the algorithm is not ES256'],
    ['has critical headers', () => with_(0, header({ crit: ['x'] })), 'its header'],
    ['names a key elsewhere', () => with_(0, header({ jku: 'https://evil.test' })), 'its header'],
    ['has a chain', () => with_(0, header({ x5c: ['AA==', 'AA=='] })), 'its header'],
    ['has no certificate', () => with_(0, header({ x5c: ['AA=='] })), 'Failed to parse certificate'],
    [
      'is of another text',
      () => with_(1, encoded({ ...about, node: 'b.test' })),
      'was not made with the key of the certificate',
    ],
    ['is of nothing', () => with_(2, 'AAAA'), 'was not made with the key of the certificate'],
    ['is padded', () => `${signed().signature}=`, 'it is not encoded in base64url'],
    [
      'has a second encoding',
      () => with_(1, `${signed().signature!.split('.')[1]!}\n`),
      'it is not encoded in base64url',
    ],
    ['is without end', () => 'a'.repeat(100_000), 'it is longer than 8192 characters'],
  ])('%s', (_, signature, words) => {
    expect(() => verifyCatalog({ ...signed(), signature: signature() }, { trust, now })).toThrow(words)
  })

  it('is by a key of another kind', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const rsa = await authority.ca.generate('rsa.test', {
      key: createPrivateKey(privateKey.export({ type: 'pkcs1', format: 'pem' })),
    })
    const signature = with_(0, header({ x5c: [rsa.certificate.der.toString('base64')] }))
    expect(() => verifyCatalog({ ...signed(), signature }, { trust, now })).toThrow('the key is not on the curve P-256')
  })
})
