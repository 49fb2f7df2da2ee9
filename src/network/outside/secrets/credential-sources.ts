import { readFileSync } from 'node:fs'
import { throwIssue } from '../../../base/issue.ts'
import type { ExactJson } from '../../../base/json/exact-json.ts'
import { parseOutsideEntry, readAllowedPath } from '../allowed-folders.ts'
import { secretRefusals } from './issues.ts'
import type { SecretSettings } from './secret-store.ts'

/** Access to this machine's identity, and to the files that hiera.yaml may name. */
export interface CredentialSources {
  /** Reads a file in a directory of the setting eyaml_keydirs; `undefined` for any other path. */
  readSecretFile(path: string): string | undefined
  /** Reads a file with one text that the environment of the process names. Throws if it is unreadable. */
  readOwnFile(path: string): string
  /** Reads the certificate and the key of this host. */
  readHostIdentity(): { readonly path: string; readonly cert: string; readonly key: string }
  /** Reads a file by which the agent of Azure Arc proves that it runs on this machine. */
  readArcKey(path: string): string | undefined
  /** CAs that connections trust by default, as PEM; if undefined, the CAs of Node. */
  readonly authorities: readonly string[] | undefined
  /** Environment variables of the process. */
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** Folder in which the agent of Azure Arc creates its files. */
const arcFolder = '/var/opt/azcmagent/tokens'
const mostArcBytes = 4096

/** Creates the sources from the settings. */
export function createCredentialSources(
  { eyaml_keydirs: folders, hostcert, hostprivkey }: SecretSettings,
  authorities: readonly string[] | undefined,
): CredentialSources {
  return {
    authorities,
    environment: process.env,
    readSecretFile: (path) => readFileIn(path, folders),
    readOwnFile: (path) => readFileSync(path, 'utf8').trim(),
    readArcKey(path) {
      const text = path.endsWith('.key') ? readFileIn(path, [arcFolder]) : undefined
      return text !== undefined && text.length <= mostArcBytes && /^[\x20-\x7e]+$/.test(text) ? text : undefined
    },
    readHostIdentity() {
      try {
        return { path: hostcert, cert: readFileSync(hostcert, 'utf8'), key: readFileSync(hostprivkey, 'utf8') }
      } catch (error) {
        return throwIssue(secretRefusals.SECRET_CERTIFICATE, { path: hostcert, reason: (error as Error).message })
      }
    },
  }
}

function readFileIn(path: string, folders: readonly string[]): string | undefined {
  const entry = parseOutsideEntry(readAllowedPath(path, folders) as ExactJson)
  return entry?.kind === 'file' ? Buffer.from(entry.bytes).toString() : undefined
}
