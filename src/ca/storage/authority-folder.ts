import { throwIssue } from '../../base/issue.ts'
import { splitIntoSlices } from '../../base/slices.ts'
import { mapConcurrently } from '../../base/threads/concurrent-map.ts'
import { FileLock } from '../../machine/system/file-lock.ts'
import { getFileVersion, type System } from '../../machine/system/system.ts'
import { removeTemporaryFiles } from '../../machine/system/temporary-files.ts'
import { type CaLayout, getCaLayout } from '../file-layout.ts'
import {
  allocateSerial,
  appendToInventory,
  findInventoryEntries,
  formatSerial,
  parseInventoryAsync,
  parseInventoryTime,
  readSerial,
} from '../inventory.ts'
import { authorityFaults } from '../issues.ts'
import { ensureFolder, listNamesWithRecords, openRecords, type Records } from '../pem-folder.ts'
import type {
  AuthorityRecords,
  AuthorityStorage,
  InfraRecords,
  Inventory,
  NamedText,
  NewAuthority,
  SignedCertificates,
  StoredDocument,
} from './authority-storage.ts'
import { CertificateIndex } from './certificate-index.ts'
import { FolderRequests } from './folder-requests.ts'
import { IssuedSerials } from './issued-serials.ts'

/** Number of records, or inventory entries, in one slice. */
const slice = 500
/** Files read concurrently. The number is low, since each file needs a descriptor. */
const readsAtOnce = 64

type World = Pick<System, 'files' | 'now'>

/**
 * Opens the CA in a folder, whose files have the names and formats of Puppet Server. With `isKeyless`, a command signs
 * with a key that is not in the folder.
 */
export function openAuthorityFolder(
  cadir: string,
  { files, now }: World,
  { isKeyless = false }: { readonly isKeyless?: boolean } = {},
): AuthorityStorage {
  const layout = getCaLayout(cadir)
  const lock = new FileLock(layout.lock)
  const openDocument = (path: string, mode?: number) => openFile(path, { files }, mode)
  const records: AuthorityRecords = {
    certificates: openDocument(layout.certificate),
    privateKey: openDocument(layout.key, 0o600),
    revocationLists: openDocument(layout.revocationList),
    infra: openInfraRecords(layout, { files }),
    signed: openSignedCertificates(layout, { files }),
    requests: new FolderRequests(openRecords(files, layout.requests)),
    inventory: openInventory(layout, { files }),
    nextSerial: () => readSerial(files, layout.serial),
    allocateSerial: () => allocateSerial(files, layout.serial),
  }
  return {
    ...records,
    place: cadir,
    change: (work) => lock.run(() => work(records)),
    exists: async () =>
      (await files.stat(layout.certificate)) !== undefined &&
      (isKeyless || (await files.stat(layout.key)) !== undefined),
    async create(authority, fill) {
      await checkNoExistingFiles(layout, { files })
      await ensureFolders(cadir, { files })
      await writeFiles(layout, authority, { files })
      await fill?.(records)
      // The certificate is written last, so that a CA that has a certificate is complete.
      await records.certificates.write(authority.certificates)
    },
    async tidy() {
      for (const folder of [layout.directory, layout.signed, layout.requests])
        await removeTemporaryFiles(folder, files, now())
    },
    close: async () => {},
  }
}

/** Creates the missing folders of a CA. */
export async function ensureFolders(cadir: string, { files }: Pick<System, 'files'>): Promise<void> {
  const { directory, signed, requests } = getCaLayout(cadir)
  for (const folder of [directory, signed, requests]) await ensureFolder(folder, files)
}

async function checkNoExistingFiles(layout: CaLayout, { files }: Pick<System, 'files'>): Promise<void> {
  const { certificate, key, revocationList, inventory, serial } = layout
  for (const file of [certificate, key, revocationList, inventory, serial])
    if (await files.stat(file)) throwIssue(authorityFaults.CA_EXISTS, { file })
}

async function writeFiles(
  layout: CaLayout,
  { privateKey, publicKey, revocationLists, serial }: NewAuthority,
  { files }: Pick<System, 'files'>,
): Promise<void> {
  if (privateKey !== undefined) await files.write(layout.key, privateKey, 0o600)
  await files.write(layout.publicKey, publicKey, 0o644)
  await files.write(layout.revocationList, revocationLists, 0o644)
  await files.write(layout.infraRevocationList, revocationLists, 0o644)
  await files.write(layout.infraInventory, '', 0o644)
  await files.write(layout.infraSerials, '', 0o644)
  await files.write(layout.inventory, '', 0o644)
  await files.write(layout.serial, formatSerial(serial), 0o644)
}

function openFile(path: string, { files }: Pick<System, 'files'>, mode = 0o644): StoredDocument {
  return {
    place: path,
    async version() {
      const stat = await files.stat(path)
      return stat && getFileVersion(stat)
    },
    async read() {
      const stat = await files.stat(path)
      const pem = await files.readText(path)
      return stat && pem !== undefined
        ? { pem, modified: new Date(stat.modified), version: getFileVersion(stat) }
        : undefined
    },
    write: (pem) => files.write(path, pem, mode),
  }
}

function openInfraRecords(layout: CaLayout, { files }: Pick<System, 'files'>): InfraRecords {
  return {
    lists: openFile(layout.infraRevocationList, { files }),
    namesPlace: layout.infraInventory,
    async names() {
      const text = await files.readText(layout.infraInventory)
      const names = text?.split('\n').map((line) => line.trim())
      return names && new Set(names.filter((name) => name !== ''))
    },
  }
}

function openSignedCertificates(layout: CaLayout, { files }: Pick<System, 'files'>): SignedCertificates {
  const records = openRecords(files, layout.signed)
  const index = new CertificateIndex(files, records, layout)
  return {
    read: (name) => records.read(name),
    write: (name, pem) => records.write(name, pem),
    remove: (name) => records.remove(name),
    findPresent: (names) => listNamesWithRecords(records, names),
    status: (name) => index.find(name),
    slices: () => index.slices(),
    texts: () => readTexts(records),
    lookThrough: () => index.refresh(true),
  }
}

async function* readTexts(records: Records): AsyncGenerator<readonly NamedText[]> {
  for (const names of splitIntoSlices(await records.names(), slice)) {
    const pems = await mapConcurrently(names, readsAtOnce, (name) => records.read(name))
    yield names.flatMap((name, at) => (pems[at] === undefined ? [] : [{ name, pem: pems[at] }]))
  }
}

function openInventory({ inventory }: CaLayout, { files }: Pick<System, 'files'>): Inventory {
  const issued = new IssuedSerials(files, inventory)
  const read = async () => (await files.readText(inventory)) ?? ''
  return {
    append: (entries) => appendToInventory(inventory, entries),
    has: (serial) => issued.has(serial),
    async listSerials(names) {
      const subjects = new Set(names.map((name) => `/CN=${name}`))
      return (await findInventoryEntries(await read(), subjects)).map(({ serial }) => serial)
    },
    async listExpired(now) {
      const entries = await parseInventoryAsync(await read())
      return entries.filter(({ notAfter }) => parseInventoryTime(notAfter) < now).map(({ serial }) => serial)
    },
    async *entries() {
      yield* splitIntoSlices(await parseInventoryAsync(await read()), slice)
    },
  }
}
