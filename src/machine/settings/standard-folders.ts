import { readFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isSingleExecutable } from '../../base/program/program-files.ts'
import { isMissingFileError } from '../../base/system-error.ts'
import { isWindows, toSlashes } from '../windows/machine-path.ts'
import { programData } from '../windows/system-programs.ts'

/** The environment variables of a process. */
export type EnvironmentVariables = Readonly<Record<string, string | undefined>>

/**
 * Environment variable that selects the default folders; with the value `puppet`, the folders of
 * Puppet's packages are used. Child processes inherit it.
 */
export const foldersVariable = 'PLUMB_FOLDERS'

/** The folders that the operating system's package created, and the user that its server runs as. */
export interface PackageFolders {
  /** The user that the package's server runs as. */
  readonly user: string
  /** Defaults of settings for processes of root and `user`. */
  readonly folders: Readonly<Record<string, string>>
  /**
   * Defaults of settings for the server: folders that `user` can write, separate from those of the
   * agent, which runs as root.
   */
  readonly server: Readonly<Record<string, string>>
}

/** The user account of a process. */
export interface ProcessAccount {
  readonly isRoot: boolean
  /** Login name; `undefined` if the user has no name. */
  readonly name: string | undefined
}

/**
 * Default folders of a process. If PLUMB_FOLDERS is `puppet`: the folders of Puppet's packages. If
 * the operating system's package installed this program and the process belongs to root or to the
 * package's user: the folders of that package. Otherwise: root's standard folders, or folders in
 * the user's home folder.
 */
export function getStandardFolders(
  env: EnvironmentVariables,
  account: ProcessAccount,
  runMode: 'server' | 'agent' | 'user',
  installed: PackageFolders | undefined = packageFolders,
): Record<string, string> {
  const home = isWindows ? toSlashes(userInfo().homedir) : (env.HOME ?? userInfo().homedir)
  const isPackaged = installed !== undefined && (account.isRoot || account.name === installed.user)
  const folders =
    env[foldersVariable] === 'puppet'
      ? getPuppetFolders(home, account.isRoot)
      : isPackaged
        ? { ...installed.folders, ...(runMode === 'server' ? installed.server : {}) }
        : account.isRoot
          ? rootFolders
          : getUserFolders(posix.join(home, '.plumb'))
  return { ...folders, ...pickGiven('confdir', env.PLUMB_CONFDIR), ...pickGiven('vardir', env.PLUMB_VARDIR) }
}

/**
 * The content of `package-folders.json`, a file that only an operating system's package contains:
 * beside package.json, or in /usr/lib/plumbline for the executable /usr/bin/plumb. For an executable
 * at another path, another user might have created the file.
 */
const packageFolders = readPackageFolders(
  !isSingleExecutable
    ? fileURLToPath(new URL('../../../package-folders.json', import.meta.url))
    : process.execPath === '/usr/bin/plumb'
      ? '/usr/lib/plumbline/package-folders.json'
      : undefined,
)

function readPackageFolders(path: string | undefined): PackageFolders | undefined {
  if (path === undefined) return undefined
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    if (isMissingFileError(error)) return undefined
    throw error
  }
}

const pickGiven = (name: string, value: string | undefined) => (value === undefined ? {} : { [name]: value })

const rootFolders = isWindows
  ? { confdir: `${programData}/Plumbline/etc`, vardir: `${programData}/Plumbline/var` }
  : { confdir: '/etc/plumb', vardir: '/var/lib/plumb' }

const getUserFolders = (folder: string) => ({ confdir: posix.join(folder, 'etc'), vardir: posix.join(folder, 'var') })

/**
 * Default folders of Puppet: util/run_mode.rb; for the modules in Puppet's package, defaults.rb.
 */
function getPuppetFolders(home: string, isRoot: boolean): Record<string, string> {
  if (isRoot && isWindows) return getPuppetWindowsFolders(`${programData}/PuppetLabs`)
  const modules = '/opt/puppetlabs/puppet/modules'
  if (isRoot)
    return {
      confdir: '/etc/puppetlabs/puppet',
      codedir: '/etc/puppetlabs/code',
      vardir: '/opt/puppetlabs/puppet/cache',
      publicdir: '/opt/puppetlabs/puppet/public',
      rundir: '/var/run/puppetlabs',
      logdir: '/var/log/puppetlabs/puppet',
      cadir: '/etc/puppetlabs/puppetserver/ca',
      server_config: '/etc/puppetlabs/puppetserver/conf.d',
      basemodulepath: `$codedir/modules:${modules}`,
    }
  const joinHomePath = (...parts: string[]) => posix.join(home, '.puppetlabs', ...parts)
  return {
    confdir: joinHomePath('etc/puppet'),
    codedir: joinHomePath('etc/code'),
    vardir: joinHomePath('opt/puppet/cache'),
    publicdir: joinHomePath('opt/puppet/public'),
    rundir: joinHomePath('var/run'),
    logdir: joinHomePath('var/log'),
    cadir: joinHomePath('etc/puppetserver/ca'),
    server_config: joinHomePath('etc/puppetserver/conf.d'),
    basemodulepath: `$codedir/modules:${modules}`,
  }
}

/** Default folders of Puppet for administrators of Windows: util/run_mode.rb, `WindowsRunMode`. */
function getPuppetWindowsFolders(folder: string): Record<string, string> {
  return {
    confdir: `${folder}/puppet/etc`,
    codedir: `${folder}/code`,
    vardir: `${folder}/puppet/cache`,
    publicdir: `${folder}/puppet/public`,
    rundir: `${folder}/puppet/var/run`,
    logdir: `${folder}/puppet/var/log`,
  }
}
