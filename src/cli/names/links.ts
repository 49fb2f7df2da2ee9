import { randomBytes } from 'node:crypto'
import { lstatSync, readFileSync, readlinkSync, realpathSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isMissing, systemCode } from '../../base/system-error.ts'
import { localFiles } from '../../machine/system/files.ts'

/** Somebody's file at the path of a link; `ours` is a link to this program, or to another installation of it. */
export type Occupant = 'nothing' | 'this program' | 'ours' | 'a folder' | 'other'

/** Looks at what is at a path. */
export function occupantOf(path: string, program: string): Occupant {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (!stat) return 'nothing'
  if (stat.isDirectory()) return 'a folder'
  if (!stat.isSymbolicLink()) return 'other'
  if (resolve(dirname(path), readlinkSync(path)) === program) return 'this program'
  return isPlumb(path) ? 'ours' : 'other'
}

/** True for a link to the main file of an installation: its package says so. */
function isPlumb(path: string): boolean {
  try {
    const package_ = join(dirname(realpathSync(path)), '../package.json')
    return JSON.parse(readFileSync(package_, 'utf8')).name === 'plumbline'
  } catch (error) {
    if (error instanceof SyntaxError || systemCode(error) !== undefined) return false
    throw error
  }
}

/** Makes a link where there is nothing; false where somebody was faster. */
export async function makeLink(path: string, program: string): Promise<boolean> {
  try {
    await localFiles.link(program, path)
    return true
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false
    throw error
  }
}

/** Makes a link in place of a file or a link, at once: nobody finds nothing at the path. */
export async function replaceByLink(path: string, program: string): Promise<void> {
  const beside = `${path}.${randomBytes(6).toString('hex')}.tmp`
  await localFiles.link(program, beside)
  try {
    await localFiles.rename(beside, path)
  } catch (error) {
    await localFiles.remove(beside)
    throw error
  }
}

/** True for a folder that is there. */
export function isFolder(path: string): boolean {
  try {
    return lstatSync(realpathSync(path)).isDirectory()
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}
