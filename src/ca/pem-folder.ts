import { dirname, join } from 'node:path'
import { throwIssue } from '../base/issue.ts'
import { mapConcurrently } from '../base/threads/concurrent-map.ts'
import { formatErrorReason } from '../language/ruby-semantics/errno.ts'
import { isCertname } from '../machine/settings/certname.ts'
import { type Files, getFileVersion } from '../machine/system/system.ts'
import { authorityConflicts } from './issues.ts'

/** A folder of PEM files, one for each certname. A name that is not a valid file name is never found or written. */
export interface Records {
  read(name: string): Promise<string | undefined>
  /** Returns the names of all records, sorted. */
  names(): Promise<string[]>
  /** Returns a version that changes with the record; `undefined` if there is no record. */
  version(name: string): Promise<string | undefined>
  /** Writes a record; all users can read the file unless a mode is given. */
  write(name: string, pem: string, mode?: number): Promise<void>
  /** Returns the permissions of a record's file; `undefined` if there is no record. */
  mode(name: string): Promise<number | undefined>
  setMode(name: string, mode: number): Promise<void>
  /** Removes a record; returns false if there was none. */
  remove(name: string): Promise<boolean>
}

/** Permissions of a file without secrets: readable by all users. */
export const publicFileMode = 0o644

/** Permissions of the CA's folder and its subfolders. */
const folderMode = 0o750

/**
 * Creates a missing folder of a CA, with the owner of its parent: `puppetserver ca setup` does not
 * create requests/, and a copied CA may lack empty folders.
 */
export async function ensureFolder(
  folder: string,
  files: Pick<Files, 'stat' | 'makeDirectory' | 'chown'>,
): Promise<void> {
  if ((await files.stat(folder)) !== undefined) return
  await files.makeDirectory(folder, folderMode)
  const around = await files.stat(dirname(folder))
  if (around && process.getuid?.() === 0) await files.chown(folder, around.uid, around.gid)
}

/** Number of names looked up concurrently. */
const looksAtOnce = 64

/** Returns the names that have a record. */
export async function listNamesWithRecords(records: Records, names: readonly string[]): Promise<ReadonlySet<string>> {
  const versions = await mapConcurrently(names, looksAtOnce, (name) => records.version(name))
  return new Set(names.filter((_, at) => versions[at] !== undefined))
}

/** Runs `parse` on the contents of a record. Throws FILE_BROKEN if it fails. */
export function parseRecord<Result>(name: string, what: string, parse: () => Result): Result {
  try {
    return parse()
  } catch (error) {
    return throwIssue(authorityConflicts.FILE_BROKEN, { name, what, why: formatErrorReason(error) })
  }
}

/** Opens a folder of certificates or requests, with a PEM file for each certname. */
export function openRecords(files: Files, directory: string): Records {
  const toPath = (name: string) => join(directory, `${name}.pem`)
  return {
    read: async (name) => (isCertname(name) ? files.readText(toPath(name)) : undefined),

    async version(name) {
      const found = isCertname(name) ? await files.stat(toPath(name)) : undefined
      return found && getFileVersion(found)
    },

    async names() {
      const entries = (await files.list(directory)) ?? []
      const names = entries.filter((entry) => entry.endsWith('.pem')).map((entry) => entry.slice(0, -'.pem'.length))
      return names.filter(isCertname)
    },

    async write(name, pem, mode = publicFileMode) {
      if (!isCertname(name)) throw new TypeError(`${JSON.stringify(name)} is not a certname`)
      await ensureFolder(directory, files)
      await files.write(toPath(name), pem, mode)
    },

    mode: async (name) => (isCertname(name) ? (await files.stat(toPath(name)))?.mode : undefined),
    setMode: (name, mode) => files.chmod(toPath(name), mode),

    async remove(name) {
      if (!isCertname(name) || (await files.stat(toPath(name))) === undefined) return false
      await files.remove(toPath(name))
      return true
    },
  }
}
