import { type EnvironmentVariables, foldersVariable } from '../../machine/settings/standard-folders.ts'
import { programData } from '../../machine/windows/system-programs.ts'

/**
 * The folder of external facts and the path of facter.conf of an administrator of Windows. Both name programs that run as the
 * administrator, so that only folders are used that an installation has closed to other users: those of Puppet only if
 * PLUMB_FOLDERS is `puppet`. Facter: os_hierarchy, windows/…/windows_config.
 */
export function listWindowsFactFolders(env: EnvironmentVariables): { readonly facts: string; readonly conf: string } {
  const isPuppet = env[foldersVariable] === 'puppet'
  const folder = isPuppet ? `${programData}/PuppetLabs/facter` : `${programData}/Plumbline`
  return { facts: `${folder}/facts.d`, conf: `${folder}/etc/facter.conf` }
}
