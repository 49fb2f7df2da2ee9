import { fail } from '../../base/issue.ts'
import { authorityFrom, ensureAuthority } from '../../ca/from-settings.ts'
import { ensureHostCertificate } from '../../ca/host-files.ts'
import { troubles } from '../../ca/issues.ts'
import { caLayout } from '../../ca/layout.ts'
import { authorityExists, importAuthority } from '../../ca/setup.ts'
import { localSystem } from '../../machine/system/local-system.ts'
import type { Command, Invocation } from '../command/command.ts'
import { altNames, caName, own, settingsOf } from './asked.ts'
import { issues } from './issues.ts'

const setupOptions = [own, altNames, caName] as const

const importOptions = [
  { flags: '--private-key <path>', doc: 'PEM file with the private key of the CA.' },
  { flags: '--cert-bundle <path>', doc: 'PEM file with the certificates of the CA and its issuers, in any order.' },
  { flags: '--crl-chain <path>', doc: 'PEM file with a revocation list of each of these certificates.' },
  own,
  altNames,
] as const

/** `plumb ca setup` */
export const setup: Command = {
  name: 'setup',
  summary: 'Create a CA, and a certificate for this server.',
  description: `The settings key_type, keylength and named_curve determine the type of the key.

  plumb ca setup --key_type ec --named_curve prime256v1
  plumb ca setup --keylength 4096`,
  options: setupOptions,
  run: setUp,
}

/** `plumb ca import` */
export const importing: Command = {
  name: 'import',
  summary: 'Import an existing CA, and create a certificate for this server.',
  options: importOptions,
  run: takeOver,
}

async function setUp(invocation: Invocation<typeof setupOptions>): Promise<number> {
  const settings = settingsOf(invocation)
  if (await authorityExists(settings.cadir, localSystem))
    fail(troubles.CA_EXISTS, { file: caLayout(settings.cadir).certificate })
  await ensureAuthority(settings, localSystem)
  await ensureHostCertificate(settings, await authorityFrom(settings, localSystem), localSystem)
  invocation.io.out(`Generation succeeded. Find your files in ${settings.cadir}\n`)
  return 0
}

async function takeOver(invocation: Invocation<typeof importOptions>): Promise<number> {
  const settings = settingsOf(invocation)
  const read = async (flag: string, value: string | undefined) => {
    if (value === undefined) fail(issues.OPTION_MISSING, { flags: flag })
    return (await localSystem.files.readText(value)) ?? fail(issues.CA_FILE_UNREADABLE, { path: value })
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
  await ensureHostCertificate(settings, await authorityFrom(settings, localSystem), localSystem)
  invocation.io.out(`Import succeeded. Find your files in ${settings.cadir}\n`)
  return 0
}
