import { stat } from 'node:fs/promises'
import { isAbsolutePath, normalizePath } from './machine-path.ts'

/** Extensions of files that Windows runs as programs; Ruby's `File.executable?` is true for the same files. */
const programExtension = /\.(?:exe|com|bat|cmd)$/i

/** Extensions that a name without extension may stand for, if PATHEXT is not set. */
const usualExtensions = '.COM;.EXE;.BAT;.CMD'

/**
 * Finds a program of Windows in the folders of a path, by its name or by its name with an extension of PATHEXT. The
 * current folder is never searched, and neither are relative folders in the path: another user may have put a program
 * there. Puppet: util.rb, `which`.
 */
export async function findWindowsProgram(
  name: string,
  path: string,
  extensions: string = process.env['PATHEXT'] ?? usualExtensions,
): Promise<string | undefined> {
  for (const place of listProgramPlaces(name, path, extensions))
    if (programExtension.test(place) && (await isFile(place))) return place
  return undefined
}

/** The paths at which a program can be, in order. */
export function listProgramPlaces(name: string, path: string, extensions: string): readonly string[] {
  if (isAbsolutePath(name, true)) return [name]
  if (name === '') return []
  const folders = path.split(';').filter((folder) => isAbsolutePath(folder, true))
  const last = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1)
  const hasExtension = last.lastIndexOf('.') > 0 && !last.endsWith('.')
  const endings = hasExtension ? [''] : [...extensions.split(';').filter((each) => each.startsWith('.')), '']
  return folders.flatMap((folder) => endings.map((ending) => normalizePath(`${folder}/${name}${ending}`, true)))
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  )
}
