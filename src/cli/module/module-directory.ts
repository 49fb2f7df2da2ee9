import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ignoreMissingFile } from '../../base/system-error.ts'

const replacedEnding = '.replaced'
const stagedEnding = '.new'

/** Folder beside modules in which a new module is written. */
export function getStagedPath(directory: string, name: string): string {
  return join(directory, `.${name}${stagedEnding}`)
}

/**
 * Puts a staged module in place of the module of this name. If the process is killed in between, the next call of
 * `recoverModules` restores the old module.
 */
export async function replaceModule(directory: string, name: string): Promise<void> {
  const path = join(directory, name)
  const replaced = join(directory, `.${name}${replacedEnding}`)
  if (existsSync(path)) await rename(path, replaced)
  await rename(getStagedPath(directory, name), path)
  await rm(replaced, { recursive: true, force: true })
}

/** Removes a module: first its name, so that nobody sees a part of it, then its files. */
export async function removeModule(directory: string, name: string): Promise<void> {
  const staged = getStagedPath(directory, name)
  await rm(staged, { recursive: true, force: true })
  await rename(join(directory, name), staged)
  await rm(staged, { recursive: true, force: true })
}

/** Creates a directory of modules, and ends what killed processes began in it. */
export async function recoverModules(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true })
  for (const entry of (await ignoreMissingFile(readdir(directory))) ?? []) {
    const [, name, ending] = /^\.([a-z][a-z0-9_]*)(\.new|\.replaced)$/.exec(entry) ?? []
    if (name === undefined) continue
    const isLost = ending === replacedEnding && !existsSync(join(directory, name))
    if (isLost) await rename(join(directory, entry), join(directory, name))
    else await rm(join(directory, entry), { recursive: true, force: true })
  }
}
