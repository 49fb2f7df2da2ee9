import { join } from 'node:path'
import { getCaLayout } from '../../../ca/file-layout.ts'
import type { Settings } from '../../../machine/settings/settings.ts'
import type { Files } from '../../../machine/system/system.ts'
import { isWindows } from '../../../machine/windows/machine-path.ts'
import { type DoctorFinding, defineFaults } from '../finding.ts'
import { type Check, listRoleSettings } from '../installation.ts'

const faults = defineFaults('file-modes', {
  KEY_MODE: {
    severity: 'error',
    what: (a: { file: string; mode: string }) =>
      `Other users can read or change the private key ${a.file} (mode ${a.mode})`,
    why: 'Anyone with the key can impersonate this host, or the CA.',
    fix: (a) => `Run 'chmod 600 ${a.file}'. If other users can log in here, also replace the key.`,
  },
  SECRET_MODE: {
    severity: 'warning',
    what: (a: { file: string; mode: string; secret: string }) =>
      `All users of this machine can read ${a.secret} in ${a.file} (mode ${a.mode})`,
    why: 'Anyone who can log in can use the password.',
    fix: (a) => `Run 'chmod o-rwx ${a.file}'.`,
  },
})

/** Permissions of users other than owner and group. Keys of Puppet Server have mode 0640. */
const others = 0o007
/** Write permission of the group. Reading is allowed, as for Puppet Server. */
const groupChanges = 0o020
const othersRead = 0o004

/** Checks the modes of private keys and of files with passwords. */
export const fileModesCheck: Check = {
  name: 'file-modes',
  doc: 'permissions of private keys and passwords',
  async run(installation) {
    // Windows has access lists in place of modes: see the check `windows`.
    if (isWindows) return []
    const { files } = installation.system
    const findings: DoctorFinding[] = []
    const keys = new Set(listRoleSettings(installation).map(({ hostprivkey }) => hostprivkey))
    if (installation.server) for (const file of await listServerKeys(installation.server, files)) keys.add(file)
    for (const file of keys) {
      const mode = await readMode(file, files)
      if (mode !== undefined && (mode & (others | groupChanges)) !== 0)
        findings.push(faults.KEY_MODE({ file, mode: formatOctal(mode) }))
    }
    for (const [file, secret] of new Map(listRoleSettings(installation).flatMap(listSecretFiles))) {
      const mode = await readMode(file, files)
      if (mode !== undefined && (mode & othersRead) !== 0)
        findings.push(faults.SECRET_MODE({ file, mode: formatOctal(mode), secret }))
    }
    return findings
  },
}

async function listServerKeys(settings: Settings, files: Files): Promise<readonly string[]> {
  const eyaml = await Promise.all(
    settings.eyaml_keydirs.map(async (folder) =>
      ((await files.list(folder)) ?? [])
        .filter((name) => (name.includes('private') && name.endsWith('.pem')) || ageKeys.test(name))
        .map((name) => join(folder, name)),
    ),
  )
  return [
    getCaLayout(settings.cadir).key,
    settings.ca_passfile,
    settings.catalog_signer,
    settings.token_file,
    ...eyaml.flat(),
  ]
}

/** Usual names of files with age identities. */
const ageKeys = /^(?:age|keys?)\.txt$|\.agekey$/

/** Files that contain passwords, with descriptions of the passwords. */
function listSecretFiles(settings: Settings): [string, string][] {
  const { config, store, store_replicas, ca_store, http_proxy_password, reporturl } = settings
  const secrets: readonly (readonly [isSet: boolean, secret: string])[] = [
    [hasPassword(store), 'the password of the store'],
    [store_replicas.some(hasPassword), 'the password of store_replicas'],
    [hasPassword(ca_store), 'the password of ca_store'],
    [!['', 'none'].includes(http_proxy_password), 'http_proxy_password'],
    [hasPassword(reporturl), 'the password of reporturl'],
  ]
  return secrets.filter(([isSet]) => isSet).map(([, secret]) => [config, secret])
}

const hasPassword = (url: string): boolean => /:\/\/[^/@:]*:[^/@]+@/.test(url)

async function readMode(file: string, files: Files): Promise<number | undefined> {
  const stat = await files.stat(file)
  return stat?.kind === 'file' ? stat.mode & 0o7777 : undefined
}

const formatOctal = (mode: number): string => mode.toString(8).padStart(4, '0')
