import { throwIssue } from '../base/issue.ts'
import type { InventoryEntry } from './inventory.ts'
import { formatStoredKey, type KeyAccess, readStoredKey } from './issuer.ts'
import { authorityFaults } from './issues.ts'
import { checkCommand } from './setup.ts'
import type { AuthorityRecords, AuthorityStorage, Document, StoredDocument } from './storage/authority-storage.ts'
import { type Certificate, parseCertificates } from './x509/certificate.ts'
import { isSameKeyPair, toPublicKeyPem } from './x509/keys.ts'

/** A storage, and the access to the key of the CA in it. */
export interface AuthorityPlace {
  readonly storage: AuthorityStorage
  readonly access: KeyAccess
}

/** Numbers of copied records. */
export interface CopyResult {
  readonly certificates: number
  readonly requests: number
}

/**
 * Copies a CA with its key, inventory, certificates and requests to another storage. The original does not change, and
 * must not be used afterwards: both would issue the same serials. Throws CA_EXISTS, CA_MISSING, CA_KEY_MISMATCH.
 */
export function copyAuthority(from: AuthorityPlace, to: AuthorityPlace): Promise<CopyResult> {
  return from.storage.change(async (source) => {
    const certificates = await requireDocument(source.certificates)
    const own = parseCertificates(certificates.pem)[0]!
    const result = { certificates: 0, requests: 0 }
    await to.storage.create(
      {
        certificates: certificates.pem,
        publicKey: toPublicKeyPem(own.publicKey),
        privateKey: await convertKey(own, source, from.access, to.access),
        revocationLists: (await requireDocument(source.revocationLists)).pem,
        serial: await source.nextSerial(),
      },
      async (target) => {
        await copyInventory(source, target)
        result.certificates = await copyCertificates(source, target)
        result.requests = await copyRequests(source, target)
      },
    )
    return result
  })
}

/** Returns the private key in the form of the target; `undefined` if a command signs there. */
async function convertKey(
  certificate: Certificate,
  source: AuthorityRecords,
  from: KeyAccess,
  to: KeyAccess,
): Promise<string | undefined> {
  if (to.command.length > 0) {
    await checkCommand(certificate, to)
    return undefined
  }
  const key = await readStoredKey(source, from)
  if (!isSameKeyPair(certificate.publicKey, key)) throwIssue(authorityFaults.CA_KEY_MISMATCH, {})
  return formatStoredKey(key, to)
}

/** Copies the inventory. An inventory of Puppet Server that was repaired manually may contain a serial twice. */
async function copyInventory(source: AuthorityRecords, target: AuthorityRecords): Promise<void> {
  const seen = new Set<bigint>()
  const isNew = ({ serial }: InventoryEntry) => !seen.has(serial) && seen.add(serial) !== undefined
  for await (const entries of source.inventory.entries()) await target.inventory.append(entries.filter(isNew))
}

async function copyCertificates(source: AuthorityRecords, target: AuthorityRecords): Promise<number> {
  let count = 0
  for await (const texts of source.signed.texts())
    for (const { name, pem } of texts) {
      await target.signed.write(name, pem)
      count++
    }
  return count
}

async function copyRequests(source: AuthorityRecords, target: AuthorityRecords): Promise<number> {
  const names = await source.requests.names()
  for (const name of names) {
    await target.requests.write(name, (await source.requests.read(name)) ?? '')
    if (!(await source.requests.isUndecided(name))) await target.requests.settle(name)
  }
  return names.length
}

async function requireDocument(stored: StoredDocument): Promise<Document> {
  return (await stored.read()) ?? throwIssue(authorityFaults.CA_MISSING, { file: stored.place })
}
