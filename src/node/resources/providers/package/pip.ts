import { compareVersions } from '../../../../language/values/compare-versions.ts'
import { failWithFormError, failWithMessage } from '../../issues.ts'
import { failCommand, type ProviderDefinition, type ProviderServices, runProviderProgram } from '../../provider.ts'
import { findFirstProgram, readOutputLines, resolvePackageCommand } from './package-command.ts'
import {
  definePackageProvider,
  type FoundPackage,
  type PackageAttributes,
  type PackageState,
  type PackageWork,
} from './package-provider.ts'
import { comparePipVersions, parsePipVersion, pipScheme } from './pip-version.ts'
import { findNewestVersion, parseVersionRange } from './version-range.ts'

/** The package provider for Python packages. */
export const pip = definePipProvider('pip', ['pip', 'pip-python', 'pip2', 'pip-2'], ['version_ranges'])

/** The package provider for Python 2 packages. */
export const pip2 = definePipProvider('pip2', ['pip2'])

/** The package provider for Python 3 packages. */
export const pip3 = definePipProvider('pip3', ['pip3'])

function definePipProvider(
  name: string,
  programs: readonly string[],
  features: readonly string[] = [],
): ProviderDefinition<PackageAttributes, PackageState> {
  const resolvePipCommand = async (services: ProviderServices, own: string | undefined) =>
    resolvePackageCommand(services, { name }, own ?? (await findFirstProgram(services, programs)))
  const getWorkCommand = (work: PackageWork) => resolvePipCommand(work, work.resource.get('command'))
  return definePackageProvider(name, {
    doc: `Python packages via \`${name}\`.`,
    features: [
      'installable',
      'uninstallable',
      'upgradeable',
      'versionable',
      'install_options',
      'targetable',
      ...features,
    ],
    async list(services, _, own) {
      if (own === undefined && (await findFirstProgram(services, programs)) === undefined) return []
      return listPackages(services, await resolvePipCommand(services, own))
    },
    async query(work) {
      const wanted = work.resource.name.toLowerCase()
      return (await listPackages(work, await getWorkCommand(work))).find((each) => each.name.toLowerCase() === wanted)
    },
    fits(_, is, should) {
      const version = parsePipVersion(String(is))
      return version !== undefined && (parseVersionRange(should, pipScheme)?.includes(version) ?? false)
    },
    async install(work, should) {
      const command = await getWorkCommand(work)
      await work.run(command, ...(await buildInstallArguments(work, command, should)))
    },
    async uninstall(work) {
      await work.run(await getWorkCommand(work), 'uninstall', '-y', '-q', work.resource.name)
    },
    latest: async (work) => (await listAvailableVersions(work, await getWorkCommand(work))).at(-1),
  })
}

/** The version of the pip program. */
async function readPipVersion({ system }: ProviderServices, command: string): Promise<string> {
  const { output } = await runProviderProgram(system, [command, '--version'])
  for (const line of output.split('\n')) {
    const [, version] = /^pip (\d+\.\d+\.?\d*)/.exec(line.trim()) ?? []
    if (version !== undefined) return version
  }
  return failWithFormError('Cannot resolve pip version')
}

async function listPackages(services: ProviderServices, command: string): Promise<readonly FoundPackage[]> {
  const version = await readPipVersion(services, command)
  const isNew = compareVersionTexts(version, '8.1.0') >= 0
  const lines = await readOutputLines(services, [command, 'freeze', ...(isNew ? ['--all'] : [])])
  const found = lines.flatMap((line): FoundPackage[] => {
    // The version of a package installed from a repository is its commit, as in Puppet 8.
    const [, name, ensure] = /^([^=]+)===?([^=]+)$/.exec(line) ?? /^([^@]+) @ [^@]+@(.+)$/.exec(line) ?? []
    return name === undefined ? [] : [{ name, ensure }]
  })
  // An old pip does not list itself.
  return isNew ? found : [...found, { name: command.slice(command.lastIndexOf('/') + 1), ensure: version }]
}

function compareVersionTexts(a: string, b: string): number {
  const [left, right] = [parsePipVersion(a), parsePipVersion(b)]
  return left && right ? comparePipVersions(left, right) : compareVersions(a, b)
}

/**
 * The versions in the package index, the newest last: pip prints them if a nonexistent version is
 * requested. Throws COMMAND_FAILED if pip fails without printing any, for example without network
 * access.
 */
async function listAvailableVersions(work: PackageWork, command: string): Promise<readonly string[]> {
  const { resource } = work
  const version = await readPipVersion(work, command)
  if (compareVersionTexts(version, '1.5.4') < 0) failWithMessage(`pip ${version} cannot list the available versions`)
  const hasLegacyResolver = compareVersionTexts(version, '20.2.4') > 0 && compareVersionTexts(version, '21.1') < 0
  const words = [command, 'install', `${resource.name}==versionplease`]
  if (hasLegacyResolver) words.push('--use-deprecated=legacy-resolver')
  words.push(...(resource.get('install_options') ?? []))
  const { status, output } = await runProviderProgram(work.system, words)
  for (const line of output.split('\n')) {
    const start = line.indexOf('from versions: ')
    const end = line.lastIndexOf(')')
    if (start < 0 || end <= start) continue
    const versions = line.slice(start + 'from versions: '.length, end).split(', ')
    return versions.sort(compareVersionTexts)
  }
  if (status !== 0) failCommand(resource, words, { status, output })
  return []
}

async function buildInstallArguments(work: PackageWork, command: string, should: string): Promise<readonly string[]> {
  const { resource, log } = work
  const { name } = resource
  const words = ['install', '-q', ...(resource.get('install_options') ?? [])]
  const source = resource.get('source')
  const isVersion = should !== 'present' && should !== 'latest'
  if (source !== undefined) return [...words, `${source}${isVersion ? `@${should}` : ''}#egg=${name}`]
  if (should === 'latest') return [...words, '--upgrade', name]
  if (!isVersion) return [...words, name]
  const range = parseVersionRange(should, pipScheme)
  if (!range || range.isExact) return [...words, `${name}==${should}`]
  const best = findNewestVersion(range, await listAvailableVersions(work, command), pipScheme)
  if (best) return [...words, `${name}==${best.text}`]
  log('debug', `No available version for package ${name} is included in range ${range.bounds.join(' ')}`, '')
  return [...words, `${name} ${range.bounds.join(',')}`]
}
