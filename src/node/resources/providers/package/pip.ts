import { compareVersions } from '../../../../language/values/compare-versions.ts'
import { complain, complainAboutForm } from '../../issues.ts'
import { failCommand, type ProviderDefinition, runProgram, type Services } from '../../provider.ts'
import {
  type FoundPackage,
  type PackageAttributes,
  type PackageState,
  type PackageWork,
  packageProvider,
} from './package-provider.ts'
import { comparePipVersions, pipScheme, pipVersion } from './pip-version.ts'
import { firstProgram, linesOf, targetedCommand } from './targeted-command.ts'
import { newestWithin, versionRange } from './version-range.ts'

/** Python packages. */
export const pip = pipProvider('pip', ['pip', 'pip-python', 'pip2', 'pip-2'], ['version_ranges'])

/** Python 2 packages. */
export const pip2 = pipProvider('pip2', ['pip2'])

/** Python 3 packages. */
export const pip3 = pipProvider('pip3', ['pip3'])

function pipProvider(
  name: string,
  programs: readonly string[],
  features: readonly string[] = [],
): ProviderDefinition<PackageAttributes, PackageState> {
  const commandOf = async (services: Services, own: string | undefined) =>
    targetedCommand(services, { name }, own ?? (await firstProgram(services, programs)))
  const commandFor = (work: PackageWork) => commandOf(work, work.resource.get('command'))
  return packageProvider(name, {
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
      if (own === undefined && (await firstProgram(services, programs)) === undefined) return []
      return listWith(services, await commandOf(services, own))
    },
    async query(work) {
      const wanted = work.resource.name.toLowerCase()
      return (await listWith(work, await commandFor(work))).find((each) => each.name.toLowerCase() === wanted)
    },
    fits(_, is, should) {
      const version = pipVersion(String(is))
      return version !== undefined && (versionRange(should, pipScheme)?.includes(version) ?? false)
    },
    async install(work, should) {
      const command = await commandFor(work)
      await work.run(command, ...(await installWords(work, command, should)))
    },
    async uninstall(work) {
      await work.run(await commandFor(work), 'uninstall', '-y', '-q', work.resource.name)
    },
    latest: async (work) => (await versionsOf(work, await commandFor(work))).at(-1),
  })
}

/** The version of the pip program. */
async function programVersion({ system }: Services, command: string): Promise<string> {
  const { output } = await runProgram(system, [command, '--version'])
  for (const line of output.split('\n')) {
    const [, version] = /^pip (\d+\.\d+\.?\d*)/.exec(line.trim()) ?? []
    if (version !== undefined) return version
  }
  return complainAboutForm('Cannot resolve pip version')
}

async function listWith(services: Services, command: string): Promise<readonly FoundPackage[]> {
  const version = await programVersion(services, command)
  const isNew = compare(version, '8.1.0') >= 0
  const lines = await linesOf(services, [command, 'freeze', ...(isNew ? ['--all'] : [])])
  const found = lines.flatMap((line): FoundPackage[] => {
    // The version of a package installed from a repository is its commit, as in Puppet 8.
    const [, name, ensure] = /^([^=]+)===?([^=]+)$/.exec(line) ?? /^([^@]+) @ [^@]+@(.+)$/.exec(line) ?? []
    return name === undefined ? [] : [{ name, ensure }]
  })
  // An old pip does not list itself.
  return isNew ? found : [...found, { name: command.slice(command.lastIndexOf('/') + 1), ensure: version }]
}

function compare(a: string, b: string): number {
  const [left, right] = [pipVersion(a), pipVersion(b)]
  return left && right ? comparePipVersions(left, right) : compareVersions(a, b)
}

/**
 * The versions in the index, the newest last: pip prints them if a nonexistent version is
 * requested. Throws COMMAND_FAILED if pip fails without printing any, for example without network
 * access.
 */
async function versionsOf(work: PackageWork, command: string): Promise<readonly string[]> {
  const { resource } = work
  const version = await programVersion(work, command)
  if (compare(version, '1.5.4') < 0) complain(`pip ${version} cannot tell which versions there are`)
  const hasLegacyResolver = compare(version, '20.2.4') > 0 && compare(version, '21.1') < 0
  const words = [command, 'install', `${resource.name}==versionplease`]
  if (hasLegacyResolver) words.push('--use-deprecated=legacy-resolver')
  words.push(...(resource.get('install_options') ?? []))
  const { status, output } = await runProgram(work.system, words)
  for (const line of output.split('\n')) {
    const start = line.indexOf('from versions: ')
    const end = line.lastIndexOf(')')
    if (start < 0 || end <= start) continue
    const versions = line.slice(start + 'from versions: '.length, end).split(', ')
    return versions.sort(compare)
  }
  if (status !== 0) failCommand(resource, words, { status, output })
  return []
}

async function installWords(work: PackageWork, command: string, should: string): Promise<readonly string[]> {
  const { resource, log } = work
  const { name } = resource
  const words = ['install', '-q', ...(resource.get('install_options') ?? [])]
  const source = resource.get('source')
  const isVersion = should !== 'present' && should !== 'latest'
  if (source !== undefined) return [...words, `${source}${isVersion ? `@${should}` : ''}#egg=${name}`]
  if (should === 'latest') return [...words, '--upgrade', name]
  if (!isVersion) return [...words, name]
  const range = versionRange(should, pipScheme)
  if (!range || range.isExact) return [...words, `${name}==${should}`]
  const best = newestWithin(range, await versionsOf(work, command), pipScheme)
  if (best) return [...words, `${name}==${best.text}`]
  log('debug', `No available version for package ${name} is included in range ${range.bounds.join(' ')}`, '')
  return [...words, `${name} ${range.bounds.join(',')}`]
}
