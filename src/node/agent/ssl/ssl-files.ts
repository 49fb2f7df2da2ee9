import type { KeyObject } from 'node:crypto'
import { dirname } from 'node:path'
import { parsePrivateKey, toPrivateKeyPem, toPublicKeyPem } from '../../../ca/x509/keys.ts'
import type { Settings } from '../../../machine/settings/settings.ts'
import type { Files } from '../../../machine/system/system.ts'

/** Paths of this host's keys and certificates; the same as in Puppet, so that an agent's `ssldir` can be reused. */
export type SslPaths = Pick<
  Settings,
  'ssldir' | 'localcacert' | 'hostcrl' | 'hostcert' | 'hostprivkey' | 'hostpubkey' | 'hostcsr' | 'ssl_lockfile'
>

/** This host's keys and certificates. Texts are PEM; undefined if the file is missing. */
export interface SslFiles {
  authorities(): Promise<string | undefined>
  revocationLists(): Promise<string | undefined>
  certificate(): Promise<string | undefined>
  key(): Promise<KeyObject | undefined>
  saveAuthorities(pem: string): Promise<void>
  saveRevocationLists(pem: string): Promise<void>
  saveCertificate(pem: string): Promise<void>
  saveKey(key: KeyObject): Promise<void>
  saveRequest(pem: string): Promise<void>
  removeRequest(): Promise<void>
  /** Time of the last write to the file of the CA certificates or of the revocation lists. */
  lastUpdate(what: 'localcacert' | 'hostcrl'): Promise<Date | undefined>
}

/** The agent's keys and certificates in `ssldir`. */
export function openSslFiles(paths: SslPaths, files: Files): SslFiles {
  const saveFile = async (path: string, content: string, mode: number) => {
    await files.makeDirectory(paths.ssldir, 0o771)
    await files.makeDirectory(dirname(path), path === paths.hostprivkey ? 0o750 : 0o755)
    await files.write(path, content, mode)
  }
  return {
    authorities: () => files.readText(paths.localcacert),
    revocationLists: () => files.readText(paths.hostcrl),
    certificate: () => files.readText(paths.hostcert),

    async key() {
      const pem = await files.readText(paths.hostprivkey)
      return pem === undefined ? undefined : parsePrivateKey(pem)
    },

    saveAuthorities: (pem) => saveFile(paths.localcacert, pem, 0o644),
    saveRevocationLists: (pem) => saveFile(paths.hostcrl, pem, 0o644),
    saveCertificate: (pem) => saveFile(paths.hostcert, pem, 0o644),

    async saveKey(key) {
      await saveFile(paths.hostprivkey, toPrivateKeyPem(key), 0o600)
      await saveFile(paths.hostpubkey, toPublicKeyPem(key), 0o644)
    },

    saveRequest: (pem) => saveFile(paths.hostcsr, pem, 0o644),
    removeRequest: () => files.remove(paths.hostcsr),

    async lastUpdate(what) {
      const stat = await files.stat(paths[what])
      return stat && new Date(stat.modified)
    },
  }
}

/** True if a file that was last updated at `since` must be refreshed: it is missing, or `interval` seconds are over. */
export function isRefreshDue(since: Date | undefined, interval: number, now: number): boolean {
  return since === undefined || now > since.getTime() + interval * 1000
}
