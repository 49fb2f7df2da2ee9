import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ensureCatalogSigner, isCatalogSigner, writeSigner } from '../../src/ca/catalog-signer.ts'
import { toPrivateKeyPem } from '../../src/ca/x509/keys.ts'
import { localFiles } from '../../src/machine/system/files.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { ec, newAuthority, requestFor } from './fixture.ts'

const dayMs = 86_400_000

async function fixture() {
  const authority = await newAuthority()
  const settings = {
    certname: 'server.test',
    catalog_signer: join(scratchFolder('signer'), 'ssl', 'catalog_signer.pem'),
  }
  let now = Date.now()
  const ensure = (ca: typeof authority.ca | undefined = authority.ca) =>
    ensureCatalogSigner(settings, ca, { files: localFiles, now: () => now })
  return { ...authority, file: settings.catalog_signer, ensure, pass: (days: number) => (now += days * dayMs) }
}

it('is made once, for its owner alone, for catalogs alone', async () => {
  const { ensure, file, ca } = await fixture()
  const first = await ensure()
  expect(first).toMatchObject({ isNew: true })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(isCatalogSigner(first!.certificate)).toBe(true)
  const again = await ensure()
  expect(again).toMatchObject({ isNew: false })
  expect(again!.certificate.serial).toBe(first!.certificate.serial)
  // Tools that clean up after nodes go by this list.
  expect(await ca.statuses()).toEqual([])
})

it('is made anew before its end, with another key, and the old one is not revoked', async () => {
  const { ensure, pass, ca } = await fixture()
  const first = await ensure()
  pass(300)
  expect((await ensure())!.isNew).toBe(false)
  pass(6)
  const second = await ensure()
  expect(second!.isNew).toBe(true)
  expect(second!.certificate.spki.equals(first!.certificate.spki)).toBe(false)
  expect(await ca.isRevoked(first!.certificate.serial)).toBe(false)
})

it('is made anew when it was revoked, or is of an authority that is no more, or its file is damaged', async () => {
  const { ensure, ca, file } = await fixture()
  await ensure()
  await ca.revoke('_catalogs.server.test')
  expect((await ensure())!.isNew).toBe(true)
  expect((await ensure((await newAuthority()).ca))!.isNew).toBe(true)
  expect((await ensure())!.isNew).toBe(true)
  writeFileSync(file, readFileSync(file, 'utf8').slice(0, 200))
  expect((await ensure())!.isNew).toBe(true)
  expect((await ensure())!.isNew).toBe(false)
})

it('is what an administrator put there where the authority is elsewhere, and nothing else', async () => {
  const { ensure, ca, file } = await fixture()
  const elsewhere = () =>
    ensureCatalogSigner({ certname: 'b.test', catalog_signer: file }, undefined, { files: localFiles, now: Date.now })
  expect(await elsewhere()).toBeUndefined()
  await writeSigner(await ca.generateSigner('b.test'), file, { files: localFiles })
  expect((await elsewhere())!.isNew).toBe(false)
  await writeSigner(await ca.generate('node.test', { key: ec }), file, { files: localFiles })
  await expect(elsewhere()).rejects.toThrow('the certificate is not a catalog signing certificate')
  const { certificate } = await ca.generateSigner('b.test')
  await writeSigner({ key: (await ca.generateSigner('c.test')).key, certificate }, file, { files: localFiles })
  await expect(elsewhere()).rejects.toThrow('the key does not match the certificate')
  writeFileSync(file, toPrivateKeyPem((await ensure())!.key))
  await expect(elsewhere()).rejects.toThrow('contains no key for signing catalogs')
})

it('is not renewed as a node is', async () => {
  const { ca } = await fixture()
  const { certificate } = await ca.generateSigner('server.test')
  await expect(ca.renew(certificate)).rejects.toThrow('Certificate present, but does not match signature')
})

it('is of no server whose name is none, and no host gets its name', async () => {
  const { ca } = await fixture()
  await expect(ca.generateSigner('../x')).rejects.toThrow('Subject hostname format is invalid')
  await ca.generateSigner('server.test')
  const name = '_catalogs.server.test'
  await expect(ca.generate(name, { key: ec })).rejects.toThrow('is reserved for the certificate authority')
  await expect(ca.submit(name, await requestFor(name))).rejects.toThrow('is reserved for the certificate authority')
})
