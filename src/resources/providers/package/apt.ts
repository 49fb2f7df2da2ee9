import { complain } from '../../issues.ts'
import { defineProvider } from '../../provider.ts'
import { packageType } from '../../types/package.ts'
import { compareDebianVersions, debianVersion, versionRange } from './debian-version.ts'
import { listPackages, type PackageWork, packageChangeText, packageInSync, queryPackage, setMark } from './dpkg.ts'

/** Nobody is there to answer questions. */
const env = {
  DEBIAN_FRONTEND: 'noninteractive',
  APT_LISTBUGS_FRONTEND: 'none',
  APT_LISTCHANGES_FRONTEND: 'none',
} as const

/** Packages from repositories. */
export const apt = defineProvider(packageType, 'apt', {
  doc: 'Package management via `apt-get`.',
  suitable: { commands: ['apt-get', 'apt-cache', 'apt-mark', 'dpkg-query'] },
  defaultFor: { 'os.family': ['Debian'] },
  features: [
    'versionable',
    'install_options',
    'virtual_packages',
    'holdable',
    'installable',
    'uninstallable',
    'upgradeable',
    'purgeable',
  ],
  read: queryPackage,
  inSync: {
    async ensure(work, is, choices) {
      return (await packageInSync(work, is, choices, candidate)) || choices.some((should) => isWithin(should, is))
    },
  },
  changeText: { ensure: packageChangeText },
  set: {
    async ensure(work, should: string) {
      await preseed(work)
      if (should === 'absent' || should === 'purged') await remove(work, should === 'purged')
      else await install(work, should)
    },
    mark: setMark,
  },
  list: ({ system }) => listPackages(system),
})

async function install(work: PackageWork, should: string): Promise<void> {
  const { resource, runWith, system } = work
  const sources = (await system.files.readText('/etc/apt/sources.list')) ?? ''
  if (sources.split('\n').some((line) => /^[^#]*cdrom:/.test(line)) && resource.get('allowcdrom') !== 'true')
    complain(
      "/etc/apt/sources.list contains a cdrom source; not installing.  Use 'allowcdrom' to override this failure.",
    )
  const conf = resource.get('configfiles') === 'keep' ? '--force-confold' : '--force-confnew'
  const words = ['-q', '-y', '-o', `DPkg::Options::=${conf}`]
  const isVersion = should !== 'present' && should !== 'latest'
  if (isVersion) words.push('--allow-downgrades', '--allow-change-held-packages')
  words.push(...(resource.get('install_options') ?? []), 'install')
  const version = isVersion ? await bestVersion(work, should) : undefined
  words.push(resource.get('source') ?? (version === undefined ? resource.name : `${resource.name}=${version}`))
  const isHeld = (await queryPackage(work))['mark'] === 'hold'
  if (isHeld) await setMark(work, 'none')
  try {
    await runWith({ env }, 'apt-get', ...words)
  } finally {
    if (resource.get('mark') === 'hold') await setMark(work, 'hold')
  }
}

async function remove(work: PackageWork, purge: boolean): Promise<void> {
  const isHeld = (await queryPackage(work))['mark'] === 'hold'
  const words = [
    '-y',
    '-q',
    ...(isHeld ? ['--allow-change-held-packages'] : []),
    'remove',
    ...(purge ? ['--purge'] : []),
  ]
  await work.runWith({ env }, 'apt-get', ...words, work.resource.name)
}

/** True of an installed version within a range that is wanted. */
function isWithin(should: unknown, is: unknown): boolean {
  const version = debianVersion(String(is))
  return version !== undefined && (versionRange(String(should))?.includes(version) ?? false)
}

/** The newest version of a range that apt can get; of no range, and where there is none, what was asked for. */
async function bestVersion({ run, resource, log }: PackageWork, should: string): Promise<string> {
  const range = versionRange(should)
  if (!range) return should
  const { stdout } = await run('apt-cache', 'madison', resource.name)
  const versions = stdout.split('\n').flatMap((line) => debianVersion(line.split('|')[1]?.trim() ?? '') ?? [])
  const best = versions
    .filter((version) => range.includes(version))
    .sort(compareDebianVersions)
    .at(-1)
  if (!best) log('debug', `No available version for package ${resource.name} is included in range ${should}`, '')
  return best?.text ?? should
}

/** Answers to what a package asks while it is installed. */
async function preseed(work: PackageWork): Promise<void> {
  const file = work.resource.get('responsefile')
  if (file === undefined) return
  if ((await work.system.files.stat(file)) === undefined) {
    work.log('info', 'No responsefile specified or non existent, not preseeding anything')
    return
  }
  work.log('info', `Preseeding ${file} to debconf-set-selections`)
  await work.run('debconf-set-selections', file)
}

/** The version that apt would install. */
async function candidate({ run, resource, log }: PackageWork): Promise<string | undefined> {
  const { stdout } = await run('apt-cache', 'policy', resource.name)
  const version = /Candidate:\s+(\S+)/.exec(stdout)?.[1]
  if (version === undefined) log('err', 'Could not find latest version')
  return version
}
