import { userInfo } from 'node:os'
import { join } from 'node:path'

/** The environment of a process. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The variable that chooses folders: `puppet` for those of Puppet's packages; children of the process have it, too. */
export const foldersVariable = 'PLUMB_FOLDERS'

/** Folders by default, of root or of somebody else; those of Puppet's packages where the environment says so. */
export function standardFolders(env: Environment, isRoot: boolean): Record<string, string> {
  const home = env.HOME ?? userInfo().homedir
  const folders =
    env[foldersVariable] === 'puppet' ? puppetFolders(home, isRoot) : isRoot ? ofRoot : ofUser(join(home, '.plumb'))
  return { ...folders, ...given('confdir', env.PLUMB_CONFDIR), ...given('vardir', env.PLUMB_VARDIR) }
}

const given = (name: string, value: string | undefined) => (value === undefined ? {} : { [name]: value })

const ofRoot = { confdir: '/etc/plumb', vardir: '/var/lib/plumb' }

const ofUser = (folder: string) => ({ confdir: join(folder, 'etc'), vardir: join(folder, 'var') })

/** Puppet: util/run_mode.rb, and defaults.rb for the modules that Puppet's package brings. */
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
