import { randomBytes } from 'node:crypto'
import { lstatSync, readFileSync, readlinkSync, realpathSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { getSystemErrorCode, isMissingFileError } from '../../base/system-error.ts'
import { localFiles } from '../../machine/system/files.ts'

/** Kind of file at the path of a link; `ours` is a link to another installation of this program. */
export type Occupant = 'nothing' | 'this program' | 'ours' | 'a folder' | 'other'

/** Determines what occupies a path. */
export function getOccupant(path: string, program: string): Occupant {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (!stat) return 'nothing'
  if (stat.isDirectory()) return 'a folder'
  if (!stat.isSymbolicLink()) return 'other'
  if (resolve(dirname(path), readlinkSync(path)) === program) return 'this program'
  return isPlumbLink(path) ? 'ours' : 'other'
}

/** True for a link to the main file of an installation, according to its package.json. */
function isPlumbLink(path: string): boolean {
  try {
    const package_ = join(dirname(realpathSync(path)), '../package.json')
    return JSON.parse(readFileSync(package_, 'utf8')).name === 'plumbline'
  } catch (error) {
    if (error instanceof SyntaxError || getSystemErrorCode(error) !== undefined) return false
    throw error
  }
}

/** Creates a link; returns false if the path exists. */
export async function createLink(path: string, program: string): Promise<boolean> {
  try {
    await localFiles.link(program, path)
    return true
  } catch (error) {
    if (getSystemErrorCode(error) === 'EEXIST') return false
    throw error
  }
}

/** Replaces a file or link by a link atomically. */
export async function replaceWithLink(path: string, program: string): Promise<void> {
  const beside = `${path}.${randomBytes(6).toString('hex')}.tmp`
  await localFiles.link(program, beside)
  try {
    await localFiles.rename(beside, path)
  } catch (error) {
    await localFiles.remove(beside)
    throw error
  }
}

/** True if the path is an existing directory. */
export function isExistingFolder(path: string): boolean {
  try {
    return lstatSync(realpathSync(path)).isDirectory()
  } catch (error) {
    if (isMissingFileError(error)) return false
    throw error
  }
}
