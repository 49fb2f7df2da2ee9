import { readFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isMissing } from '../../base/system-error.ts'

/** The environment of a process. */
export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Environment variable that selects the default folders: `puppet` for those of Puppet's packages.
 * Inherited by child processes.
 */
export const foldersVariable = 'PLUMB_FOLDERS'

/** The folders that the operating system's package created, and the user of its server. */
export interface PackageFolders {
  /** The user that the package's server runs as. */
  readonly user: string
  /** Defaults of settings, for root and `user`. */
  readonly folders: Readonly<Record<string, string>>
  /** Defaults of settings of the server: folders to which `user` writes, apart from the folders of root's agent. */
  readonly server: Readonly<Record<string, string>>
}

/** The account of a process. */
export interface Account {
  readonly isRoot: boolean
  /** Login name; `undefined` if the process's user has none. */
  readonly name: string | undefined
}

/**
 * Default folders of an account's process: those of Puppet's packages if PLUMB_FOLDERS is `puppet`; those of the operating
 * system's package, if it installed this program, for root and the package's user; otherwise root's or the home folder's.
 */
export function standardFolders(
  env: Environment,
  account: Account,
  runMode: 'server' | 'agent' | 'user',
  installed: PackageFolders | undefined = packageFolders,
): Record<string, string> {
  const home = env.HOME ?? userInfo().homedir
  const isPackaged = installed !== undefined && (account.isRoot || account.name === installed.user)
  const folders =
    env[foldersVariable] === 'puppet'
      ? puppetFolders(home, account.isRoot)
      : isPackaged
        ? { ...installed.folders, ...(runMode === 'server' ? installed.server : {}) }
        : account.isRoot
          ? ofRoot
          : ofUser(join(home, '.plumb'))
  return { ...folders, ...given('confdir', env.PLUMB_CONFDIR), ...given('vardir', env.PLUMB_VARDIR) }
}

/** The folders in `package-folders.json` beside package.json, which only an operating system's package contains. */
const packageFolders = readPackageFolders(fileURLToPath(new URL('../../../package-folders.json', import.meta.url)))

function readPackageFolders(path: string): PackageFolders | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

const given = (name: string, value: string | undefined) => (value === undefined ? {} : { [name]: value })

const ofRoot = { confdir: '/etc/plumb', vardir: '/var/lib/plumb' }

const ofUser = (folder: string) => ({ confdir: join(folder, 'etc'), vardir: join(folder, 'var') })

/** Puppet: util/run_mode.rb, and defaults.rb for the modules in Puppet's package. */
function puppetFolders(home: string, isRoot: boolean): Record<string, string> {
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
  const own = (...parts: string[]) => join(home, '.puppetlabs', ...parts)
  return {
    confdir: own('etc/puppet'),
    codedir: own('etc/code'),
    vardir: own('opt/puppet/cache'),
    publicdir: own('opt/puppet/public'),
    rundir: own('var/run'),
    logdir: own('var/log'),
    cadir: own('etc/puppetserver/ca'),
    server_config: own('etc/puppetserver/conf.d'),
    basemodulepath: `$codedir/modules:${modules}`,
  }
}
