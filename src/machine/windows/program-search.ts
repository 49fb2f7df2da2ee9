import { stat } from 'node:fs/promises'
import { listProgramPlaces, programExtension, usualExtensions } from '../../base/program/windows-command.ts'

/**
 * Finds a program of Windows in the folders of a path, by its name or by its name with an extension of PATHEXT. The
 * current folder is never searched. Puppet: util.rb, `which`.
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

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  )
}
