import { throwIssue } from '../../base/issue.ts'
import { formatQuantity } from '../../base/text/quantity.ts'
import { type AuthorityPlace, type CopyResult, copyAuthority } from '../../ca/authority-copy.ts'
import { ensureAuthority, getKeyAccess, openStoredAuthority } from '../../ca/authority-settings.ts'
import { ensureHostCertificate } from '../../ca/host-files.ts'
import { authorityFaults } from '../../ca/issues.ts'
import { importAuthority } from '../../ca/setup.ts'
import type { AuthorityStorage } from '../../ca/storage/authority-storage.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { localSystem } from '../../machine/system/local-system.ts'
import { openConfiguredStorage } from '../../store/authority/configured-authority.ts'
import type { CliCommand, CommandInvocation } from '../command/command.ts'
import { altNamesOption, caNameOption, loadCaSettings, ownCertnameOption } from './ca-options.ts'
import { caIssues } from './issues.ts'

const setupOptions = [
  ownCertnameOption,
  altNamesOption,
  caNameOption,
  { flags: '--public-key <path>', doc: 'PEM file with the public key of the external signer in ca_signer.' },
] as const

const importOptions = [
  { flags: '--private-key <path>', doc: 'PEM file with the private key of the CA.' },
  { flags: '--cert-bundle <path>', doc: 'PEM file with the certificates of the CA and its issuers, in any order.' },
  { flags: '--crl-chain <path>', doc: 'PEM file with a revocation list for each certificate in --cert-bundle.' },
  { flags: '--from-cadir', doc: 'Copy the CA in cadir to the database in ca_store.' },
  ownCertnameOption,
  altNamesOption,
] as const

/** The command `plumb ca setup`. */
export const setup: CliCommand = {
  name: 'setup',
  summary: 'Create a CA, and a certificate for this server.',
  description: `The settings key_type, keylength and named_curve determine the type of the key.

  plumb ca setup --key_type ec --named_curve prime256v1
  plumb ca setup --keylength 4096`,
  options: setupOptions,
  run: setUpCa,
}

/** The command `plumb ca import`. */
export const importCommand: CliCommand = {
  name: 'import',
  summary: 'Import an existing CA, and create a certificate for this server.',
  description: `With --from-cadir, copies the key, inventory, certificates and requests of the CA in cadir to the database in ca_store.
Stop the server first.

  plumb ca import --private-key key.pem --cert-bundle bundle.pem --crl-chain lists.pem
  plumb ca import --from-cadir`,
  options: importOptions,
  run: importCa,
}

/** The command `plumb ca export`. */
export const exportCommand: CliCommand = {
  name: 'export',
  summary: 'Copy the CA in the database of ca_store to cadir.',
  description: `Use this command to return to a CA in files; cadir must not contain a CA. Stop all servers first.

  plumb ca export`,
  run: exportCa,
}

async function setUpCa(invocation: CommandInvocation<typeof setupOptions>): Promise<number> {
  const settings = loadCaSettings(invocation)
  const { publicKey } = invocation.options
  const storage = await openConfiguredStorage(settings, localSystem)
  if (await storage.exists())
    throwIssue(authorityFaults.CA_EXISTS, {
      file: settings.ca_store === 'cadir' ? storage.certificates.place : storage.place,
    })
  await ensureAuthority(settings, storage, localSystem, publicKey === undefined ? undefined : await readPem(publicKey))
  await ensureHostCertificate(settings, await openStoredAuthority(settings, storage, localSystem), localSystem)
  invocation.io.out(`Generation succeeded. ${describePlace(settings, storage)}\n`)
  return 0
}

async function importCa(invocation: CommandInvocation<typeof importOptions>): Promise<number> {
  const settings = loadCaSettings(invocation)
  const { privateKey, certBundle, crlChain, fromCadir } = invocation.options
  if (fromCadir) return copyFromCadir(settings, invocation)
  const read = (flag: string, value: string | undefined) =>
    value === undefined ? throwIssue(caIssues.OPTION_MISSING, { flags: flag }) : readPem(value)
  const storage = await openConfiguredStorage(settings, localSystem)
  const access = getKeyAccess(settings, localSystem)
  await importAuthority({
    storage,
    access,
    privateKey: access.command.length > 0 ? undefined : await read('--private-key', privateKey),
    certificates: await read('--cert-bundle', certBundle),
    revocationLists: await read('--crl-chain', crlChain),
    leastKeyBits: settings.minimum_keylength,
    system: localSystem,
  })
  await ensureHostCertificate(settings, await openStoredAuthority(settings, storage, localSystem), localSystem)
  invocation.io.out(`Import succeeded. ${describePlace(settings, storage)}\n`)
  return 0
}

async function copyFromCadir(settings: Settings, { io }: Pick<CommandInvocation, 'io'>): Promise<number> {
  const [database, folder] = await openBothStorages(settings)
  io.out(`${formatCopy(await copyAuthority(folder, database), database.storage.place)}\n`)
  io.out(`Do not use ${settings.cadir} any more. Remove the key in it when the servers run with ca_store.\n`)
  return 0
}

async function exportCa({ io, settings: given }: CommandInvocation): Promise<number> {
  const settings = loadCaSettings({ settings: given, args: [], options: {} })
  const [database, folder] = await openBothStorages(settings)
  io.out(`${formatCopy(await copyAuthority(database, folder), settings.cadir)}\n`)
  io.out('Set ca_store to cadir on this server, and remove ca_store from all others before they start.\n')
  return 0
}

/** Opens the CA in the database and the CA in cadir. Throws CA_STORE_UNSET. */
async function openBothStorages(
  settings: Settings,
): Promise<readonly [database: AuthorityPlace, folder: AuthorityPlace]> {
  if (settings.ca_store === 'cadir') throwIssue(caIssues.CA_STORE_UNSET, {})
  const toPlace = async (change: Partial<Settings>): Promise<AuthorityPlace> => {
    const changed = { ...settings, ...change }
    return {
      storage: await openConfiguredStorage(changed, localSystem),
      access: getKeyAccess(changed, localSystem),
    }
  }
  return [await toPlace({}), await toPlace({ ca_store: 'cadir' })]
}

function formatCopy({ certificates, requests }: CopyResult, place: string): string {
  return `Copied the CA to ${place}: ${formatQuantity(certificates, 'certificate')}, ${formatQuantity(requests, 'request')}`
}

async function readPem(path: string): Promise<string> {
  return (await localSystem.files.readText(path)) ?? throwIssue(caIssues.CA_FILE_UNREADABLE, { path })
}

function describePlace({ ca_store: store }: Settings, { place }: AuthorityStorage): string {
  return store === 'cadir' ? `Find your files in ${place}` : `The CA is in ${place}`
}
