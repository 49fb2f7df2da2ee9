import { join } from 'node:path'
import { caLayout } from '../../../ca/layout.ts'
import type { Settings } from '../../../machine/settings/settings.ts'
import type { Files } from '../../../machine/system/system.ts'
import { defineFaults, type Finding } from '../finding.ts'
import { type Check, rolesOf } from '../installation.ts'

const faults = defineFaults('file-modes', {
  KEY_MODE: {
    severity: 'error',
    what: (a: { file: string; mode: string }) =>
      `Others may read or change the private key ${a.file}: its mode is ${a.mode}`,
    why: 'Who has the key is this host, or the authority, to everybody.',
    fix: (a) => `chmod 600 ${a.file}; if others could log in here, get a new key, too.`,
  },
  SECRET_MODE: {
    severity: 'warning',
    what: (a: { file: string; mode: string; secret: string }) =>
      `Everybody here may read ${a.file}, mode ${a.mode}, with ${a.secret}`,
    why: 'Whoever may log in has that password.',
    fix: (a) => `chmod o-rwx ${a.file}`,
  },
})

/** Bits of a mode that let others than owner and group in; keys of Puppet Server are 0640 to its group. */
const others = 0o007
/** A group may read a key, as Puppet Server has it, and not change it. */
const groupChanges = 0o020
const othersRead = 0o004

/** Modes of private keys and of files with secrets. */
export const fileModes: Check = {
  name: 'file-modes',
  doc: 'who may read private keys and passwords',
  async run(installation) {
    const { files } = installation.system
    const findings: Finding[] = []
    const keys = new Set(rolesOf(installation).map(({ hostprivkey }) => hostprivkey))
    if (installation.server) for (const file of await keysOfServer(installation.server, files)) keys.add(file)
    for (const file of keys) {
      const mode = await modeOf(file, files)
      if (mode !== undefined && (mode & (others | groupChanges)) !== 0)
        findings.push(faults.KEY_MODE({ file, mode: octal(mode) }))
    }
    for (const [file, secret] of new Map(rolesOf(installation).flatMap(secretsOf))) {
      const mode = await modeOf(file, files)
      if (mode !== undefined && (mode & othersRead) !== 0)
        findings.push(faults.SECRET_MODE({ file, mode: octal(mode), secret }))
    }
    return findings
  },
}

async function keysOfServer(settings: Settings, files: Files): Promise<readonly string[]> {
  const eyaml = await Promise.all(
    settings.eyaml_keydirs.map(async (folder) =>
      ((await files.list(folder)) ?? [])
        .filter((name) => name.includes('private') && name.endsWith('.pem'))
        .map((name) => join(folder, name)),
    ),
  )
  return [caLayout(settings.cadir).key, settings.catalog_signer, settings.token_file, ...eyaml.flat()]
}

/** Files in which passwords stand, with the words for them. */
function secretsOf({ config, store, http_proxy_password, reporturl }: Settings): [string, string][] {
  const secrets: [string, string][] = []
  if (/:\/\/[^/@:]*:[^/@]+@/.test(store)) secrets.push([config, 'the password of the store'])
  if (!['', 'none'].includes(http_proxy_password)) secrets.push([config, 'http_proxy_password'])
  if (/:\/\/[^/@:]*:[^/@]+@/.test(reporturl)) secrets.push([config, 'the password of reporturl'])
  return secrets
}

async function modeOf(file: string, files: Files): Promise<number | undefined> {
  const stat = await files.stat(file)
  return stat?.kind === 'file' ? stat.mode & 0o7777 : undefined
}

const octal = (mode: number): string => mode.toString(8).padStart(4, '0')
