import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parseCertificate } from '../../../src/ca/x509/certificate.ts'
import { getFileStatSync, localFiles } from '../../../src/machine/system/files.ts'
import { Trust } from '../../../src/server/auth/certificate-trust.ts'
import { newAuthority, requestFor } from '../../ca/fixture.ts'

it('trusts nobody while the lists cannot be read, tells so once, and knows who is revoked', async () => {
  const { ca, cadir } = await newAuthority()
  for (const name of ['a.test', 'b.test']) await ca.submit(name, await requestFor(name))
  const [a, b] = [await ca.sign('a.test'), await ca.sign('b.test')]
  const list = join(cadir, 'ca_crl.pem')
  const troubles: string[] = []
  const trust = new Trust(list, { readText: localFiles.readText, stat: getFileStatSync }, (message) =>
    troubles.push(message),
  )
  await trust.open((await ca.certificates()).pem)
  expect(await trust.verdictOn(a)).toBe('trusted')
  await ca.revoke('b.test')
  expect(await trust.verdictOn(b)).toEqual({ refused: expect.any(String), unchecked: false, revoked: true })
  const other = parseCertificate((await (await newAuthority()).ca.certificates()).pem)
  expect(await trust.verdictOn(other)).toMatchObject({ unchecked: false, revoked: false })
  const good = readFileSync(list)
  for (let round = 1; round <= 2; round++) {
    rmSync(list)
    for (let asked = 0; asked < 2; asked++)
      expect(await trust.verdictOn(b)).toEqual({
        refused: `the certificate cannot be verified: The CRL is missing from '${list}'`,
        unchecked: true,
        revoked: false,
      })
    expect(troubles).toHaveLength(round)
    writeFileSync(list, good)
    expect(await trust.verdictOn(a)).toBe('trusted')
  }
})
