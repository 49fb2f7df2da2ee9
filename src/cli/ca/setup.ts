import { throwIssue } from '../../base/issue.ts'
import { ensureAuthority, openConfiguredAuthority } from '../../ca/authority-settings.ts'
import { getCaLayout } from '../../ca/file-layout.ts'
import { ensureHostCertificate } from '../../ca/host-files.ts'
import { authorityFaults } from '../../ca/issues.ts'
import { hasAuthority, importAuthority } from '../../ca/setup.ts'
import { localSystem } from '../../machine/system/local-system.ts'
import type { CliCommand, CommandInvocation } from '../command/command.ts'
import { altNamesOption, caNameOption, loadCaSettings, ownCertnameOption } from './ca-options.ts'
import { caIssues } from './issues.ts'

const setupOptions = [ownCertnameOption, altNamesOption, caNameOption] as const

const importOptions = [
  { flags: '--private-key <path>', doc: 'PEM file with the private key of the CA.' },
  { flags: '--cert-bundle <path>', doc: 'PEM file with the certificates of the CA and its issuers, in any order.' },
  { flags: '--crl-chain <path>', doc: 'PEM file with a revocation list for each certificate in --cert-bundle.' },
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
  options: importOptions,
  run: importCa,
}

async function setUpCa(invocation: CommandInvocation<typeof setupOptions>): Promise<number> {
  const settings = loadCaSettings(invocation)
  if (await hasAuthority(settings.cadir, localSystem))
    throwIssue(authorityFaults.CA_EXISTS, { file: getCaLayout(settings.cadir).certificate })
  await ensureAuthority(settings, localSystem)
  await ensureHostCertificate(settings, await openConfiguredAuthority(settings, localSystem), localSystem)
  invocation.io.out(`Generation succeeded. Find your files in ${settings.cadir}\n`)
  return 0
}

async function importCa(invocation: CommandInvocation<typeof importOptions>): Promise<number> {
  const settings = loadCaSettings(invocation)
  const read = async (flag: string, value: string | undefined) => {
    if (value === undefined) throwIssue(caIssues.OPTION_MISSING, { flags: flag })
    return (await localSystem.files.readText(value)) ?? throwIssue(caIssues.CA_FILE_UNREADABLE, { path: value })
  }
  const { privateKey, certBundle, crlChain } = invocation.options
  await importAuthority({
    cadir: settings.cadir,
    privateKey: await read('--private-key', privateKey),
    certificates: await read('--cert-bundle', certBundle),
    revocationLists: await read('--crl-chain', crlChain),
    leastKeyBits: settings.minimum_keylength,
    system: localSystem,
  })
  await ensureHostCertificate(settings, await openConfiguredAuthority(settings, localSystem), localSystem)
  invocation.io.out(`Import succeeded. Find your files in ${settings.cadir}\n`)
  return 0
}
