import { dirname, join } from 'node:path'
import { mapSeveral } from '../base/threads/several-at-once.ts'
import { isCertname } from '../machine/settings/certname.ts'
import { type Files, fileVersion } from '../machine/system/system.ts'

/** A folder of PEM files, one for each certname. Names that may not name a file are never found and never written. */
export interface Records {
  read(name: string): Promise<string | undefined>
  /** Sorted. */
  names(): Promise<string[]>
  /** A version of the record, another for other content; `undefined` where there is no record. */
  version(name: string): Promise<string | undefined>
  /** Writes a record, to be read by all unless a mode is given. */
  write(name: string, pem: string, mode?: number): Promise<void>
  /** Permissions of a record's file; `undefined` where there is no record. */
  mode(name: string): Promise<number | undefined>
  setMode(name: string, mode: number): Promise<void>
  /** True when there was a record to remove. */
  remove(name: string): Promise<boolean>
}

/** Permissions of a file that says nothing secret. */
export const forAll = 0o644

/** Permissions of the authority's folder and of the folders in it. */
const folderMode = 0o750

/**
 * Makes a folder of an authority if it is missing, with the owner of its parent: `puppetserver ca setup` does not create requests/,
 * and a copied authority may lack any empty folder.
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

/** Names that are looked for at the same time. */
const looksAtOnce = 64

/** Those of the names that have a record. */
export async function namesWithRecords(records: Records, names: readonly string[]): Promise<ReadonlySet<string>> {
  const versions = await mapSeveral(names, looksAtOnce, (name) => records.version(name))
  return new Set(names.filter((_, at) => versions[at] !== undefined))
}

/** Certificates or requests in a folder, a PEM file for each certname. */
export function records(files: Files, directory: string): Records {
  const path = (name: string) => join(directory, `${name}.pem`)
  return {
    read: async (name) => (isCertname(name) ? files.readText(path(name)) : undefined),

    async version(name) {
      const found = isCertname(name) ? await files.stat(path(name)) : undefined
      return found && fileVersion(found)
    },

    async names() {
      const entries = (await files.list(directory)) ?? []
      const names = entries.filter((entry) => entry.endsWith('.pem')).map((entry) => entry.slice(0, -'.pem'.length))
      return names.filter(isCertname)
    },

    async write(name, pem, mode = forAll) {
      if (!isCertname(name)) throw new TypeError(`${JSON.stringify(name)} is no certname`)
      await ensureFolder(directory, files)
      await files.write(path(name), pem, mode)
    },

    mode: async (name) => (isCertname(name) ? (await files.stat(path(name)))?.mode : undefined),
    setMode: (name, mode) => files.chmod(path(name), mode),

    async remove(name) {
      if (!isCertname(name) || (await files.stat(path(name))) === undefined) return false
      await files.remove(path(name))
      return true
    },
  }
}
