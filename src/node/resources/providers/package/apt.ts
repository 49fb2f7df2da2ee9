import { failWithMessage } from '../../issues.ts'
import type { ProviderDefinition } from '../../provider.ts'
import { debianScheme, parseDebianVersion } from './debian-version.ts'
import { listPackages, queryPackage, setMark, withHoldReleased } from './dpkg.ts'
import {
  definePackageProvider,
  type PackageAttributes,
  type PackageState,
  type PackageWork,
} from './package-provider.ts'
import { findNewestVersion, parseVersionRange } from './version-range.ts'

/** Environment that disables interactive questions. */
const env = {
  DEBIAN_FRONTEND: 'noninteractive',
  APT_LISTBUGS_FRONTEND: 'none',
  APT_LISTCHANGES_FRONTEND: 'none',
} as const

/** The package provider for apt repositories, which uses `apt-get`. */
export const apt = defineAptProvider('apt', {
  doc: 'Package management via `apt-get`.',
  suitable: { commands: ['apt-get', 'apt-cache', 'apt-mark', 'dpkg-query'] },
  defaultFor: { 'os.family': ['Debian'] },
  features: ['install_options', 'virtual_packages'],
  flush: markManuallyInstalled,
  change: async ({ runWith }, words) => (await runWith({ env }, 'apt-get', ...words)).output,
  async purge(work) {
    await changePackage(work, ['remove', '--purge'], async (words) => work.runWith({ env }, 'apt-get', ...words))
    // apt does not purge a package that it removed earlier.
    await work.run('dpkg', '--purge', work.resource.name)
  },
})

/** The package provider for apt repositories, which uses `aptitude`. */
export const aptitude = defineAptProvider('aptitude', {
  doc: 'Package management via `aptitude`.',
  suitable: { commands: ['aptitude', 'apt-cache', 'apt-mark', 'dpkg-query'] },
  async change({ runWith, resource }, words) {
    const own = words.filter((word) => word !== '-q')
    const { output } = await runWith({ env }, 'aptitude', ...own)
    if (own.includes('install') && output.includes("Couldn't find any package"))
      failWithMessage(`Could not find package ${resource.name}`)
    return output
  },
  flush: markManuallyInstalled,
  purge: async ({ runWith, resource }) => void (await runWith({ env }, 'aptitude', '-y', 'purge', resource.name)),
})

interface AptProgram
  extends Pick<
    ProviderDefinition<PackageAttributes, PackageState>,
    'doc' | 'suitable' | 'defaultFor' | 'features' | 'flush'
  > {
  /** Runs the program that installs and removes packages. */
  change(work: PackageWork, words: readonly string[]): Promise<string>
  purge(work: PackageWork): Promise<void>
}

function defineAptProvider(
  name: string,
  { change, purge, features = [], ...own }: AptProgram,
): ProviderDefinition<PackageAttributes, PackageState> {
  return definePackageProvider(name, {
    ...own,
    features: ['versionable', 'holdable', 'installable', 'uninstallable', 'upgradeable', 'purgeable', ...features],
    list: listPackages,
    query: queryPackage,
    fits(_, is, should) {
      const version = parseDebianVersion(String(is))
      return version !== undefined && (parseVersionRange(should, debianScheme)?.includes(version) ?? false)
    },
    install: (work, should) => installPackage(work, should, change),
    uninstall: async (work) => changePackage(work, ['remove'], (words) => change(work, words)),
    purge,
    latest: findCandidateVersion,
    set: { mark: setMark },
  })
}

async function installPackage(work: PackageWork, should: string, change: AptProgram['change']): Promise<void> {
  const { resource, system } = work
  await loadDebconfAnswers(work)
  const isVersion = should !== 'present' && should !== 'latest'
  const version = isVersion ? await selectVersion(work, should) : undefined
  const sources = (await system.files.readText('/etc/apt/sources.list')) ?? ''
  if (sources.split('\n').some((line) => /^[^#]*cdrom:/.test(line)) && resource.get('allowcdrom') !== 'true')
    failWithMessage(
      "/etc/apt/sources.list contains a cdrom source; not installing.  Use 'allowcdrom' to override this failure.",
    )
  const conf = resource.get('configfiles') === 'keep' ? '--force-confold' : '--force-confnew'
  const words = ['-q', '-y', '-o', `DPkg::Options::=${conf}`]
  if (isVersion) words.push('--allow-downgrades', '--allow-change-held-packages')
  words.push(...(resource.get('install_options') ?? []), 'install')
  const source = resource.provider?.name === 'aptitude' ? undefined : resource.get('source')
  words.push(source ?? (version === undefined ? resource.name : `${resource.name}=${version}`))
  await withHoldReleased(work, async () => void (await change(work, words)))
}

/** Removes a package with a given command, even if it is held. */
async function changePackage(
  work: PackageWork,
  action: readonly string[],
  change: (words: readonly string[]) => Promise<unknown>,
): Promise<void> {
  await loadDebconfAnswers(work)
  const isHeld = (work.state.seen ?? (await queryPackage(work)))['mark'] === 'hold'
  await change(['-y', '-q', ...(isHeld ? ['--allow-change-held-packages'] : []), ...action, work.resource.name])
}

/** Marks a managed package as manually installed, so that autoremove keeps it. */
async function markManuallyInstalled({ resource, run }: PackageWork): Promise<void> {
  const ensure = resource.get('ensure')
  if (ensure !== 'absent' && ensure !== 'purged') await run('apt-mark', 'manual', resource.name)
}

/** The newest available version in a range; `should` itself if it is not a range or no version matches. */
async function selectVersion({ run, resource, log }: PackageWork, should: string): Promise<string> {
  const range = parseVersionRange(should, debianScheme)
  if (!range || range.isExact) return should
  const { stdout } = await run('apt-cache', 'madison', resource.name)
  const versions = stdout.split('\n').flatMap((line) => line.split('|')[1]?.trim() ?? [])
  const best = findNewestVersion(range, versions, debianScheme)
  if (!best) log('debug', `No available version for package ${resource.name} is included in range ${should}`, '')
  return best?.text ?? should
}

/** Loads answers to the package's debconf questions. */
async function loadDebconfAnswers(work: PackageWork): Promise<void> {
  const file = work.resource.get('responsefile')
  if (file === undefined) return
  if ((await work.system.files.stat(file)) === undefined) {
    work.log('info', 'No responsefile specified or non existent, not preseeding anything', 'provider')
    return
  }
  work.log('info', `Preseeding ${file} to debconf-set-selections`, 'provider')
  await work.run('debconf-set-selections', file)
}

/** The version that apt would install. */
async function findCandidateVersion({ run, resource, log }: PackageWork): Promise<string | undefined> {
  const { stdout } = await run('apt-cache', 'policy', resource.name)
  const version = /Candidate:\s+(\S+)/.exec(stdout)?.[1]
  if (version === undefined) log('err', 'Could not find latest version', 'provider')
  return version
}
