import type { Settings } from '../../../machine/settings/settings.ts'
import { protectFolder } from '../../../machine/windows/access-control.ts'
import { isWindows } from '../../../machine/windows/machine-path.ts'
import { programData } from '../../../machine/windows/system-programs.ts'

/** Folder of settings, keys and state on Windows. */
const ownFolder = `${programData}/Plumbline`

/**
 * On Windows, lets only SYSTEM and the Administrators access the folder of the agent in C:/ProgramData, where every user may
 * create folders. Folders that the settings place elsewhere are not changed: they may contain the files of others.
 *
 * @returns false if the access list could not be read back
 */
export async function protectAgentFolders({ confdir, vardir }: Pick<Settings, 'confdir' | 'vardir'>): Promise<boolean> {
  if (!isWindows || ![confdir, vardir].some((path) => path.startsWith(`${ownFolder}/`))) return true
  return protectFolder(ownFolder)
}
