import { type EnvironmentVariables, foldersVariable } from '../../../machine/settings/standard-folders.ts'
import { type FolderProtection, protectFolder } from '../../../machine/windows/folder-protection.ts'
import { isWithinFolder } from '../../../machine/windows/machine-path.ts'
import { programData } from '../../../machine/windows/system-programs.ts'

/** Folder of settings, keys and state on Windows. */
const ownFolder = `${programData}/Plumbline`

/**
 * On Windows, lets only SYSTEM and the Administrators access the folder of the agent in C:/ProgramData, where every user may
 * create folders. Call it before the settings are read, which name commands to run. Folders that the settings or the
 * environment place elsewhere are not changed: they may contain the files of others.
 */
export async function protectAgentFolders(
  env: EnvironmentVariables = process.env,
  protect: (path: string) => Promise<FolderProtection> = protectFolder,
): Promise<FolderProtection> {
  return usesOwnFolder(env) ? protect(ownFolder) : { isKnown: true }
}

/** True unless the environment places both the settings and the state elsewhere. */
function usesOwnFolder(env: EnvironmentVariables): boolean {
  if (env[foldersVariable] === 'puppet') return false
  return [env['PLUMB_CONFDIR'], env['PLUMB_VARDIR']].some(
    (path) => path === undefined || isWithinFolder(path, ownFolder, true),
  )
}

/** The warnings about a protection, for the console. */
export function listProtectionWarnings({ isKnown, setAside }: FolderProtection): string[] {
  return [
    ...(isKnown ? [] : [`Could not read the access list of ${ownFolder}: other users may have access`]),
    ...(setAside === undefined
      ? []
      : [`Another user may have created or changed ${ownFolder}: it was renamed to ${setAside}, and is not used`]),
  ]
}
