import { compareVersions } from '../../../../language/values/compare-versions.ts'
import { failWithFormError, failWithMessage } from '../../issues.ts'
import {
  type ProviderDefinition,
  type ProviderServices,
  type RunLog,
  runOrFail,
  runProviderProgram,
} from '../../provider.ts'
import { gemScheme, isRequirement, meetsRequirements, parseGemVersion } from './gem-version.ts'
import { findFirstProgram, resolvePackageCommand } from './package-command.ts'
import {
  definePackageProvider,
  type FoundPackage,
  type PackageAttributes,
  type PackageState,
  type PackageWork,
} from './package-provider.ts'
import { parseVersionRange } from './version-range.ts'

/** A `gem` program and the environment of its Ruby. */
interface GemProgram {
  readonly name: string
  readonly program: string
  readonly env?: Readonly<Record<string, string>>
}

/** The package provider for gems of the system's Ruby. */
export const gem = defineGemProvider(
  { name: 'gem', program: 'gem' },
  { doc: 'Ruby Gem support.', features: ['targetable', 'version_ranges'] },
)

/** The package provider for gems of the Ruby in Puppet's package. */
export const puppetGem = defineGemProvider(
  {
    name: 'puppet_gem',
    program: '/opt/puppetlabs/puppet/bin/gem',
    env: { PKG_CONFIG_PATH: '/opt/puppetlabs/puppet/lib/pkgconfig' },
  },
  {
    doc: 'Puppet Ruby Gem support: gems of the Ruby in the puppet-agent package.',
    suitable: {
      commands: ['/opt/puppetlabs/puppet/bin/gem'],
      when: async ({ facts }) => facts['aio_agent_version'] !== undefined,
    },
  },
)

function defineGemProvider(
  source: GemProgram,
  own: Pick<ProviderDefinition<PackageAttributes, PackageState>, 'doc' | 'suitable' | 'features'>,
): ProviderDefinition<PackageAttributes, PackageState> {
  const findGemPath = (services: ProviderServices) => findFirstProgram(services, [source.program])
  const getGemCommand = async (work: PackageWork) =>
    resolvePackageCommand(work, source, work.resource.get('command') ?? (await findGemPath(work)))
  const runGem = async (work: PackageWork, ...words: readonly string[]) => {
    const options = { env: createEnvironment(source) }
    return (await runOrFail(work.system, work.resource, [await getGemCommand(work), ...words], options)).output
  }
  return definePackageProvider(source.name, {
    ...own,
    features: [
      'versionable',
      'install_options',
      'uninstall_options',
      'installable',
      'uninstallable',
      'upgradeable',
      ...(own.features ?? []),
    ],
    async list(services, log, command) {
      const program = command ?? (await findGemPath(services))
      if (program === undefined) return []
      return listGems(services, log, source, [await resolvePackageCommand(services, source, program), '--local'])
    },
    async query(work) {
      const words = [await getGemCommand(work), '--local', formatNamePattern(work)]
      return (await listGems(work, createRunLog(work), source, words))[0]
    },
    fits: (_, is, should) => [is].flat().some((version) => matchesVersion(version, should)),
    install: (work, should) => installGem(work, (...words) => runGem(work, ...words), should),
    update: (work) => installGem(work, (...words) => runGem(work, ...words), undefined),
    async uninstall(work) {
      const options = work.resource.get('uninstall_options') ?? []
      const output = await runGem(work, 'uninstall', '--executables', '--all', work.resource.name, ...options)
      if (output.includes('ERROR')) failWithMessage(`Could not uninstall: ${output.trimEnd()}`)
    },
    async latest(work) {
      const repository = work.resource.get('source')
      const from = repository === undefined ? [] : ['--source', repository]
      const words = [await getGemCommand(work), '--remote', ...from, formatNamePattern(work)]
      const [found] = await listGems(work, createRunLog(work), source, words)
      return ([found?.['ensure']].flat() as string[])[0]
    },
  })
}

function formatNamePattern({ resource }: PackageWork): string {
  return `\\A${resource.name}\\z`
}

function createRunLog({ log }: PackageWork): RunLog {
  return (level, message) => log(level, message, '')
}

function createEnvironment({ env }: GemProgram) {
  return { HOME: process.env['HOME'], ...env }
}

async function listGems(
  { system }: ProviderServices,
  log: RunLog,
  source: GemProgram,
  [command = '', ...words]: readonly string[],
): Promise<readonly FoundPackage[]> {
  const asked = [command, 'list', ...words]
  const { status, output } = await runProviderProgram(system, asked, { env: createEnvironment(source) })
  if (status !== 0)
    failWithMessage(`Could not list gems: Execution of '${asked.join(' ')}' returned ${status}: ${output.trim()}`)
  return output.split('\n').flatMap((line): FoundPackage[] => {
    const [, name, versions = ''] = /^(\S+)\s+\((.+)\)/.exec(line) ?? []
    if (name === undefined) {
      if (line !== '') log('warning', `Could not match ${line}\n`)
      return []
    }
    const list = versions.replace('default: ', '').split(/,\s*/)
    return [{ name, ensure: list.map((version) => version.split(/\s/)[0]) }]
  })
}

function matchesVersion(is: string, should: string): boolean {
  const version = parseGemVersion(is)
  if (!version) return false
  if (isRequirement(should)) return meetsRequirements(should, version)
  return parseVersionRange(should, gemScheme)?.includes(version) ?? false
}

/** Installs a version, by default the newest. */
async function installGem(
  { resource }: PackageWork,
  run: (...words: readonly string[]) => Promise<string>,
  should: string | undefined,
): Promise<void> {
  const words = ['install', ...(resource.get('install_options') ?? [])]
  if (should !== undefined && should !== 'present') {
    const range = isRequirement(should) ? undefined : parseVersionRange(should, gemScheme)
    words.push('-v', range?.bounds.join(', ') ?? should)
  }
  const isOld = compareVersions(await run('--version'), '2.0.0') < 0
  words.push(...(isOld ? ['--no-rdoc', '--no-ri'] : ['--no-document']), ...getInstallArguments(resource))
  const output = await run(...words)
  if (output.includes('ERROR')) failWithMessage(`Could not install: ${output.trimEnd()}`)
}

/** The arguments for a gem with its repository, or for a gem file. */
function getInstallArguments(resource: PackageWork['resource']): readonly string[] {
  const source = resource.get('source')
  if (source === undefined) return [resource.name]
  const [, scheme] = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(source) ?? []
  if (scheme === undefined) return [source]
  if (/file/i.test(scheme)) return [new URL(source).pathname]
  if (scheme === 'puppet') failWithFormError('puppet:// URLs are not supported as gem sources')
  return ['--source', source, resource.name]
}
