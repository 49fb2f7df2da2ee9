import { randomBytes } from 'node:crypto'
import { existsSync, renameSync } from 'node:fs'
import { chmod, lchown, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { listArchive, readArchive, toArchiveFile } from '../../machine/archive/archive.ts'
import { FileLock } from '../../machine/system/file-lock.ts'
import { findModuleFolder } from '../modules/module-folder.ts'
import type { ModuleArchive } from './forge-modules.ts'

/** Prefix of temporary names, which are no names of modules. A killed process leaves them; the next one removes them. */
const stagingPrefix = '.plumb-staging-'
/** Prefix of a folder that a new version replaces, in a staging folder. */
const replacedPrefix = 'replaced-'

/**
 * A directory of modules that is changed. New versions are unpacked beside the modules, and renamed when they are
 * complete. A version that a killed process has moved away is restored by the next change.
 */
export class ModuleDirectory {
  readonly path: string
  readonly #lock: FileLock

  constructor(path: string) {
    this.path = path
    this.#lock = new FileLock(join(path, '.plumb-lock'))
  }

  /** Runs `work` alone on this machine, with a scratch folder that is removed afterwards. */
  change<Result>(work: (scratch: string) => Promise<Result>): Promise<Result> {
    return this.#lock.run(async () => {
      await this.#recover()
      const scratch = join(this.path, `${stagingPrefix}${randomBytes(8).toString('hex')}`)
      await mkdir(scratch, { mode: 0o755 })
      try {
        return await work(scratch)
      } finally {
        await rm(scratch, { recursive: true, force: true })
      }
    })
  }

  /** Replaces or adds the folder of a module. Must run within `change`. */
  replace(name: string, staged: string, scratch: string): void {
    const place = join(this.path, name)
    const replaced = join(scratch, `${replacedPrefix}${name}`)
    if (existsSync(place)) renameSync(place, replaced)
    try {
      renameSync(staged, place)
    } catch (error) {
      // The scratch folder is removed after the error.
      if (existsSync(replaced)) renameSync(replaced, place)
      throw error
    }
  }

  /** Removes the folder of a module in one step. Must run within `change`. */
  async remove(name: string, scratch: string): Promise<void> {
    await rename(join(this.path, name), join(scratch, `removed-${name}`))
  }

  async #recover(): Promise<void> {
    const names = (await readdir(this.path)).filter((name) => name.startsWith(stagingPrefix))
    for (const name of names) {
      const folder = join(this.path, name)
      for (const each of await readdir(folder)) {
        const place = join(this.path, each.slice(replacedPrefix.length))
        if (each.startsWith(replacedPrefix) && !existsSync(place)) await rename(join(folder, each), place)
      }
      await rm(folder, { recursive: true, force: true })
    }
  }
}

/**
 * Unpacks the module in an archive into `folder`, which must not exist, with the owner of the directory above. Symbolic
 * links are not unpacked; returns their paths. The archive is checked before a file is written. Throws ARCHIVE_….
 */
export async function unpackModule(
  { open: openArchive, bytes: packed }: ModuleArchive,
  folder: string,
  maxBytes: number,
): Promise<readonly string[]> {
  const bounds = { packed, bytes: maxBytes, setting: 'max_module_bytes' }
  const top = findModuleFolder(await listArchive(openArchive, 'forge', bounds), 'forge')
  const { uid, gid } = await stat(dirname(folder))
  const own = async (path: string) => (process.getuid?.() === 0 ? lchown(path, uid, gid) : undefined)
  const made = new Set<string>()
  const makeFolder = async (path: string): Promise<void> => {
    if (made.has(path)) return
    made.add(path)
    if (path !== folder) await makeFolder(dirname(path))
    await mkdir(path)
    await chmod(path, 0o755)
    await own(path)
  }
  const links: string[] = []
  await makeFolder(folder)
  await readArchive(openArchive, bounds, async (header, content) => {
    const entry = toArchiveFile(header, 'forge')
    if (header.type === 'symlink') links.push(`${header.name}->${header.linkname}`)
    if (typeof entry !== 'object' || !entry.path.startsWith(top)) return void content.resume()
    const path = join(folder, entry.path.slice(top.length))
    await makeFolder(dirname(path))
    const file = await open(path, 'wx', 0o600)
    await pipeline(content, file.createWriteStream())
    await chmod(path, entry.mode === '100755' ? 0o755 : 0o644)
    await own(path)
  })
  return links
}
