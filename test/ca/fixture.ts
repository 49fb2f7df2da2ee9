import { join } from 'node:path'
import type { CertificateAuthority } from '../../src/ca/certificate-authority.ts'
import type { InventoryEntry } from '../../src/ca/inventory.ts'
import { plainKeyAccess } from '../../src/ca/issuer.ts'
import { type AuthorityOptions, openAuthority } from '../../src/ca/local-authority.ts'
import { setUpAuthority } from '../../src/ca/setup.ts'
import { openAuthorityFolder } from '../../src/ca/storage/authority-folder.ts'
import type { AuthorityStorage } from '../../src/ca/storage/authority-storage.ts'
import { buildCertificateRequest, type RequestContent } from '../../src/ca/x509/certificate-request.ts'
import { generatePrivateKey } from '../../src/ca/x509/keys.ts'
import { localSystem } from '../../src/machine/system/local-system.ts'
import type { System } from '../../src/machine/system/system.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

/** Quick to make; RSA is tried where it matters. */
export const ec = { type: 'ec', curve: 'prime256v1' } as const

export interface Fixture {
  readonly ca: CertificateAuthority
  readonly storage: AuthorityStorage
  /** The same authority under another policy. */
  reopen(change: Partial<AuthorityOptions>): Promise<CertificateAuthority>
}

/** An authority in a folder. */
export interface FolderFixture extends Fixture {
  readonly cadir: string
}

const day = 86_400

/** How the authority of a suite signs: only when told to. */
export const usualOptions: Omit<AuthorityOptions, 'storage' | 'key'> = {
  ttl: 5 * 365 * day,
  autosign: async () => false,
  allowDuplicates: false,
  allowSubjectAltNames: false,
  allowAuthorizationExtensions: false,
  allowAutoRenewal: false,
  autoRenewalTtl: 90 * day,
  system: localSystem,
}

/** An authority's folder, for setup and import; its key is not encrypted. */
export function folder(cadir: string, system: Partial<System> = {}) {
  const storage = openAuthorityFolder(cadir, { ...localSystem, ...system })
  return { storage, access: plainKeyAccess(localSystem) }
}

/** The authority in a folder, that signs only when told to. */
export function openFixture(cadir: string, change: Partial<AuthorityOptions> = {}): Promise<CertificateAuthority> {
  return openAuthority({
    ...folder(cadir, change.system),
    key: plainKeyAccess(localSystem),
    ...usualOptions,
    ...change,
  })
}

/** A new authority in a folder of its own, by the same clock as what follows, that signs only when told to. */
export async function newAuthority(change: Partial<AuthorityOptions> = {}): Promise<FolderFixture> {
  const cadir = join(scratchFolder('ca'), 'ca')
  const { system = localSystem } = change
  await setUpAuthority({ ...folder(cadir), name: 'Puppet CA: ca.test', key: ec, ttl: 5 * 365 * day, system })
  const reopen = (next: Partial<AuthorityOptions>) => openFixture(cadir, { ...change, ...next })
  return { cadir, ca: await reopen({}), storage: folder(cadir).storage, reopen }
}

/** PEM of a request, signed by a new key. */
export async function requestFor(commonName: string, content: Partial<RequestContent> = {}): Promise<string> {
  return buildCertificateRequest({ commonName, ...content }, await generatePrivateKey(ec))
}

/** The inventory of an authority. */
export async function inventoryOf({ inventory }: Pick<AuthorityStorage, 'inventory'>): Promise<InventoryEntry[]> {
  const found: InventoryEntry[] = []
  for await (const entries of inventory.entries()) found.push(...entries)
  return found
}
