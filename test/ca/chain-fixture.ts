import type { KeyObject } from 'node:crypto'
import { join } from 'node:path'
import type { CertificateAuthority } from '../../src/ca/certificate-authority.ts'
import { createAuthorityCertificate, type Issuer, toListIssuer } from '../../src/ca/certificate-profile.ts'
import type { AuthorityOptions } from '../../src/ca/local-authority.ts'
import { createEmptyRevocationList } from '../../src/ca/revocation-document.ts'
import { importAuthority } from '../../src/ca/setup.ts'
import { buildCertificate, toCertificatePem } from '../../src/ca/x509/certificate.ts'
import { generatePrivateKey, toPrivateKeyPem } from '../../src/ca/x509/keys.ts'
import { buildRevocationList, type RevocationList, toRevocationListPem } from '../../src/ca/x509/revocation-list.ts'
import { createKeySigner } from '../../src/ca/x509/signature.ts'
import { localSystem } from '../../src/machine/system/local-system.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { ec, folder, openFixture } from './fixture.ts'

/** An authority of ours below others. */
export interface AuthorityChain {
  readonly ca: CertificateAuthority
  /** Has the authority above revoke the one at this level, and gives ours the new list; the root is level 0. */
  revokeAuthority(level: number): Promise<void>
}

const year = 365 * 86_400

/** A root, authorities below it, and ours as the last of them. */
export async function newAuthorityChain(
  levels: number,
  change: Partial<AuthorityOptions> = {},
): Promise<AuthorityChain> {
  const now = new Date()
  const chain: KeyedIssuer[] = []
  for (let level = 0; level < levels; level++) chain.push(await authorityBelow(chain.at(-1), level, now))
  const lists: RevocationList[] = await Promise.all(
    chain.map((issuer) => createEmptyRevocationList(toListIssuer(issuer), now)),
  )
  const own = chain.at(-1)!
  const cadir = join(scratchFolder('chain'), 'ca')
  await importAuthority({
    ...folder(cadir),
    privateKey: toPrivateKeyPem(own.key),
    certificates: chain.map(({ certificate }) => toCertificatePem(certificate)).join(''),
    revocationLists: lists.map(toRevocationListPem).join(''),
    system: localSystem,
  })
  const ca = await openFixture(cadir, change)
  return {
    ca,
    async revokeAuthority(level) {
      const issuer = chain[level - 1]!
      lists[level - 1] = await buildRevocationList(toListIssuer(issuer), {
        previous: lists[level - 1]!,
        added: [{ serial: chain[level]!.certificate.serial, date: now, reason: undefined }],
        thisUpdate: new Date(now.getTime() - 1000),
        nextUpdate: new Date(now.getTime() + year * 1000),
      })
      await ca.updateRevocationLists(toRevocationListPem(lists[level - 1]!))
    },
  }
}

interface KeyedIssuer extends Issuer {
  readonly key: KeyObject
}

async function authorityBelow(above: Issuer | undefined, level: number, now: Date): Promise<KeyedIssuer> {
  const key = await generatePrivateKey(ec)
  const signer = createKeySigner(key)
  const root = await createAuthorityCertificate(`Authority ${level}`, signer, 5 * year, now)
  if (!above) return { certificate: root, key, signer }
  const extensions = root.extensions.filter(({ oid }) => oid !== '2.5.29.35')
  const content = { ...root, serial: BigInt(level + 4), issuer: above.certificate.subject, extensions }
  return { certificate: await buildCertificate(content, above.signer), key, signer }
}
