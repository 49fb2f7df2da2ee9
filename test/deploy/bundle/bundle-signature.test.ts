import { beforeAll, describe, expect, it } from 'vitest'
import { parseCertificates } from '../../../src/ca/x509/certificate.ts'
import type { ChainTrust } from '../../../src/ca/x509/chain.ts'
import { createStatementWriter, type StatementSigner } from '../../../src/ca/x509/json-web-signature.ts'
import { parseRevocationLists } from '../../../src/ca/x509/revocation-list.ts'
import { signBundleManifest, verifyBundleSignature } from '../../../src/deploy/bundle/bundle-signature.ts'
import { computeCatalogDigest, createCatalogSigner } from '../../../src/model/catalog-signature.ts'
import { ec, type Fixture, newAuthority } from '../../ca/fixture.ts'

const manifest = '{"format":"plumb-bundle"}\n'
const now = new Date()

let authority: Fixture
let trust: ChainTrust
let signer: StatementSigner
beforeAll(async () => {
  authority = await newAuthority()
  signer = await authority.ca.generateSigner('server.test')
  trust = await trustIn(authority)
})

async function trustIn({ ca }: Fixture): Promise<ChainTrust> {
  return {
    authorities: parseCertificates((await ca.certificates()).pem),
    lists: parseRevocationLists((await ca.revocationLists()).pem),
    revocation: 'chain',
  }
}

describe('the signature of a bundle', () => {
  it('names its signer and its time', () => {
    const signature = signBundleManifest(manifest, signer, now)
    expect(verifyBundleSignature(manifest, signature, { trust, now })).toEqual({
      signer: '_catalogs.server.test',
      time: now.toISOString(),
    })
  })

  it('belongs to one manifest', () => {
    const signature = signBundleManifest(manifest, signer, now)
    expect(() => verifyBundleSignature(`${manifest} `, signature, { trust, now })).toThrow(
      'its manifest does not match the signature',
    )
  })

  it.each<[string, () => Promise<string> | string, string]>([
    ['is missing', () => '', 'The bundle is not signed'],
    ['is no signature', () => 'a.b.c', 'its signature cannot be read'],
    [
      'is from another CA',
      async () => signBundleManifest(manifest, await (await newAuthority()).ca.generateSigner('server.test'), now),
      "The bundle was signed by '_catalogs.server.test', which is not trusted",
    ],
    [
      'is from a node',
      async () => signBundleManifest(manifest, await authority.ca.generate('a.test', { key: ec }), now),
      'whose certificate is not valid for signing catalogs',
    ],
    [
      'is from the future',
      () => signBundleManifest(manifest, signer, new Date(now.getTime() + 99 * 365 * 86_400_000)),
      'which is not trusted',
    ],
    [
      'is of the day after tomorrow',
      () => signBundleManifest(manifest, signer, new Date(now.getTime() + 48 * 3_600_000)),
      'but the clock of this host shows',
    ],
    [
      'is one of a catalog',
      () =>
        createCatalogSigner(signer)({
          ...{ digest: computeCatalogDigest(manifest), node: 'a.test', environment: 'production' },
          ...{ codeId: undefined, time: now.toISOString(), transaction: undefined },
        }),
      'its type is not plumb-bundle+jws',
    ],
    [
      'has no time',
      () => createStatementWriter('plumb-bundle+jws', signer)(`{"digest":"${computeCatalogDigest(manifest)}"}`),
      'time must be a string',
    ],
  ])('is rejected if it %s', async (_, sign, why) => {
    const signature = await sign()
    expect(() => verifyBundleSignature(manifest, signature, { trust, now })).toThrow(why)
  })

  it('is accepted if the clock of this host is some hours slow', () => {
    const time = new Date(now.getTime() + 12 * 3_600_000)
    const signature = signBundleManifest(manifest, signer, time)
    expect(verifyBundleSignature(manifest, signature, { trust, now }).time).toBe(time.toISOString())
  })

  it('is rejected after its signer was revoked', async () => {
    const other = await newAuthority()
    const revoked = await other.ca.generateSigner('old.test')
    const signature = signBundleManifest(manifest, revoked, now)
    await other.ca.revoke('_catalogs.old.test')
    const after = { trust: await trustIn(other), now }
    expect(() => verifyBundleSignature(manifest, signature, after)).toThrow('is revoked')
  })
})
