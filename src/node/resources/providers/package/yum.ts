import { failWithFormError, failWithMessage } from '../../issues.ts'
import { type ProviderDefinition, runProviderProgram } from '../../provider.ts'
import {
  definePackageProvider,
  type PackageAttributes,
  type PackageState,
  type PackageWork,
} from './package-provider.ts'
import { matchesVersion, removeRpm } from './rpm.ts'
import { betweenVersions, hasRpm, listRpms, queryRpm } from './rpm-query.ts'
import { architecture, compareWithDesired, formatRpmVersion, parseRpmVersion, rpmScheme } from './rpm-version.ts'
import { findNewestVersion, parseVersionRange } from './version-range.ts'
import { getRepositoryFlags, listUpdates } from './yum-updates.ts'

/** A program of the yum family: its name and its update command. */
interface Family {
  readonly program: string
  readonly update: string
  readonly features: readonly string[]
}

/** Features are listed explicitly, as in Puppet, because yum does not have all features of the provider rpm. */
const features = [
  'versionable',
  'install_options',
  'virtual_packages',
  'installable',
  'uninstallable',
  'upgradeable',
  'purgeable',
]

const oldRedHats = ['4', '5', '6', '7']

/** The package provider for yum repositories, which uses `yum`. */
export const yum = defineYumProvider(
  { program: 'yum', update: 'update', features: [...features, 'install_only'] },
  {
    doc: 'Support via `yum`. Removing a package keeps its dependents; `purged` also removes them.',
    defaultFor: [{ 'os.name': ['Amazon'] }, { 'os.family': ['RedHat'], 'os.release.major': oldRedHats }],
  },
)

/** The package provider for yum repositories, which uses `dnf`. */
export const dnf = defineYumProvider(
  { program: 'dnf', update: 'upgrade', features: [...features, 'install_only'] },
  {
    doc: 'Support via `dnf`. Removing a package keeps its dependents; `purged` also removes them.',
    defaultFor: [
      { 'os.name': ['Fedora'] },
      { 'os.family': ['RedHat'] },
      { 'os.name': ['Amazon'], 'os.release.major': ['2023'] },
    ],
    notDefaultFor: [
      { 'os.name': ['Fedora'], 'os.release.major': ['19', '20', '21'] },
      { 'os.family': ['RedHat'], 'os.release.major': oldRedHats },
    ],
  },
)

/** The package provider for yum repositories, which uses `tdnf`. */
export const tdnf = defineYumProvider(
  { program: 'tdnf', update: 'upgrade', features },
  { doc: 'Support via `tdnf`.', defaultFor: { 'os.name': ['PhotonOS'] } },
)

function defineYumProvider(
  family: Family,
  own: Pick<ProviderDefinition<PackageAttributes, PackageState>, 'doc' | 'defaultFor' | 'notDefaultFor'>,
): ProviderDefinition<PackageAttributes, PackageState> {
  const { program } = family
  return definePackageProvider(program, {
    ...own,
    suitable: { commands: [program, 'rpm'], when: hasRpm },
    features: family.features,
    list: listRpms,
    query: queryRpm,
    fits: matchesRange,
    install: (work, should) => installPackage(family, work, should),
    uninstall: removeRpm,
    async purge({ resource, run }) {
      await run(program, '-y', 'remove', resource.name)
    },
    latest: (work) => findLatestVersion(program, work),
  })
}

/** True if the installed version is within the desired range, or equals the desired version. */
export function matchesRange(work: PackageWork, is: string | readonly string[], should: string): boolean {
  const text = String(is)
  if (text === 'purged' || text === 'absent') return false
  if (text.includes(betweenVersions) && work.resource.get('install_only') !== true) return false
  const range = parseVersionRange(should, rpmScheme)
  if (!range || range.isExact) return matchesVersion(work, is, should)
  return text.split(betweenVersions).some((version) => range.includes(parseRpmVersion(version)))
}

/** The version of the pending update; without an update, the installed version. */
export async function findLatestVersion(program: string, work: PackageWork): Promise<string> {
  const newest = (await listUpdates(program, work)).get(work.resource.name)
  if (newest !== undefined) return newest
  const version = work.state.seen?.['ensure']
  if (version === undefined || version === 'absent' || version === 'purged')
    failWithFormError('Tried to get latest on a missing package')
  return String(version)
}

async function installPackage(family: Family, work: PackageWork, should: string): Promise<void> {
  const { resource, run } = work
  const { program } = family
  const options = resource.get('install_options') ?? []
  if (resource.get('allow_virtual') === false) await run(program, '-y', ...options, 'list', resource.name)
  const isVersion = should !== 'present' && should !== 'latest'
  const source = should === 'latest' ? undefined : resource.get('source')
  const version = isVersion ? (source === undefined ? await selectVersion(program, work, should) : should) : undefined
  const wanted = source ?? (version === undefined ? resource.name : formatVersionedName(resource.name, version))
  const operation = await selectOperation(family, work, should, version)
  const { output } = await run(program, '-y', ...options, operation, wanted)
  if (output.split('\n').includes(`No package ${wanted} available.`))
    failWithMessage(`Could not find package ${wanted}`)
  if (version === undefined) return
  const now = (await queryRpm(work))?.['ensure']
  if (now === undefined) failWithMessage(`Could not find package ${resource.name}`)
  if (!matchesRange(work, String(now), resource.get('ensure') ?? ''))
    failWithMessage(`Failed to update to version ${version}, got version ${String(now)} instead`)
}

/** Formats `name-version`. An architecture at the end of the name is moved behind the version. */
function formatVersionedName(name: string, version: string): string {
  const whole = `${name}-${version}`
  const last = [...whole.slice(1).matchAll(architecture)].at(-1)
  const end = last && last.index + 1 + last[0].length
  if (!last || end === undefined || end >= whole.length) return whole
  return `${whole.slice(0, last.index + 1)}${whole.slice(end)}${last[0]}`
}

async function selectOperation(
  { update }: Family,
  work: PackageWork,
  should: string,
  version: string | undefined,
): Promise<string> {
  if (should === 'present') return 'install'
  const current = (await queryRpm(work))?.['ensure']
  if (current === undefined) return 'install'
  if (version === undefined || work.resource.get('install_only') === true) return update
  const order = compareWithDesired(version, String(current))
  return order === 0 ? 'install' : order < 0 ? 'downgrade' : update
}

/** The newest version in a range, without epoch; other values are returned unchanged. */
async function selectVersion(program: string, work: PackageWork, should: string): Promise<string> {
  const range = parseVersionRange(should, rpmScheme)
  if (!range || range.isExact) return should
  const { system, resource, log } = work
  const words = [program, 'list', resource.name, '--showduplicates', ...getRepositoryFlags(work)]
  const { output } = await runProviderProgram(system, words)
  const best = findNewestVersion(range, parseAvailableVersions(output), rpmScheme)
  if (best) return formatRpmVersion(best).replace(/^\d+:/, '')
  log('debug', `No available version for package ${resource.name} is included in range ${range.bounds.join(' ')}`, '')
  return should
}

/**
 * The versions below the heading `Available Packages`; none without the heading. A package is three words, which can span
 * several lines.
 */
function parseAvailableVersions(output: string): readonly string[] {
  const [, available = ''] = output.split(/^Available Packages$/m)
  const words = available.split(/\s+/).filter((word) => word !== '')
  return words.filter((_, index) => index % 3 === 1)
}
