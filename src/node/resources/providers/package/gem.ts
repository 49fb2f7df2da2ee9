import { compareVersions } from '../../../../language/values/compare-versions.ts'
import { complain, complainAboutForm } from '../../issues.ts'
import { mustRun, type ProviderDefinition, type RunLog, runProgram, type Services } from '../../provider.ts'
import { gemScheme, gemVersion, isRequirement, meetsRequirements } from './gem-version.ts'
import {
  type FoundPackage,
  type PackageAttributes,
  type PackageState,
  type PackageWork,
  packageProvider,
} from './package-provider.ts'
import { firstProgram, targetedCommand } from './targeted-command.ts'
import { versionRange } from './version-range.ts'

/** A `gem` program and the environment of its Ruby. */
interface GemProgram {
  readonly name: string
  readonly program: string
  readonly env?: Readonly<Record<string, string>>
}

/** Gems of the system's Ruby. */
export const gem = gemProvider(
  { name: 'gem', program: 'gem' },
  { doc: 'Ruby Gem support.', features: ['targetable', 'version_ranges'] },
)

/** Gems of the Ruby in Puppet's package. */
export const puppetGem = gemProvider(
  {
    name: 'puppet_gem',
    program: '/opt/puppetlabs/puppet/bin/gem',
    env: { PKG_CONFIG_PATH: '/opt/puppetlabs/puppet/lib/pkgconfig' },
  },
  {
    doc: 'Puppet Ruby Gem support: gems of the Ruby in the package puppet-agent.',
    suitable: {
      commands: ['/opt/puppetlabs/puppet/bin/gem'],
      when: async ({ facts }) => facts['aio_agent_version'] !== undefined,
    },
  },
)

function gemProvider(
  source: GemProgram,
  own: Pick<ProviderDefinition<PackageAttributes, PackageState>, 'doc' | 'suitable' | 'features'>,
): ProviderDefinition<PackageAttributes, PackageState> {
  const pathOf = (services: Services) => firstProgram(services, [source.program])
  const commandFor = async (work: PackageWork) =>
    targetedCommand(work, source, work.resource.get('command') ?? (await pathOf(work)))
  const run = async (work: PackageWork, ...words: readonly string[]) => {
    const options = { env: environment(source) }
    return (await mustRun(work.system, work.resource, [await commandFor(work), ...words], options)).output
  }
  return packageProvider(source.name, {
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
      const program = command ?? (await pathOf(services))
      if (program === undefined) return []
      return gemList(services, log, source, [await targetedCommand(services, source, program), '--local'])
    },
    async query(work) {
      const words = [await commandFor(work), '--local', exactly(work)]
      return (await gemList(work, toLog(work), source, words))[0]
    },
    fits: (_, is, should) => [is].flat().some((version) => fitsVersion(version, should)),
    install: (work, should) => install(work, (...words) => run(work, ...words), should),
    update: (work) => install(work, (...words) => run(work, ...words), undefined),
    async uninstall(work) {
      const options = work.resource.get('uninstall_options') ?? []
      const output = await run(work, 'uninstall', '--executables', '--all', work.resource.name, ...options)
      if (output.includes('ERROR')) complain(`Could not uninstall: ${output.trimEnd()}`)
    },
    async latest(work) {
      const repository = work.resource.get('source')
      const from = repository === undefined ? [] : ['--source', repository]
      const words = [await commandFor(work), '--remote', ...from, exactly(work)]
      const [found] = await gemList(work, toLog(work), source, words)
      return ([found?.['ensure']].flat() as string[])[0]
    },
  })
}

function exactly({ resource }: PackageWork): string {
  return `\\A${resource.name}\\z`
}

function toLog({ log }: PackageWork): RunLog {
  return (level, message) => log(level, message, '')
}

function environment({ env }: GemProgram) {
  return { HOME: process.env['HOME'], ...env }
}

async function gemList(
  { system }: Services,
  log: RunLog,
  source: GemProgram,
  [command = '', ...words]: readonly string[],
): Promise<readonly FoundPackage[]> {
  const asked = [command, 'list', ...words]
  const { status, output } = await runProgram(system, asked, { env: environment(source) })
  if (status !== 0)
    complain(`Could not list gems: Execution of '${asked.join(' ')}' returned ${status}: ${output.trim()}`)
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

function fitsVersion(is: string, should: string): boolean {
  const version = gemVersion(is)
  if (!version) return false
  if (isRequirement(should)) return meetsRequirements(should, version)
  return versionRange(should, gemScheme)?.includes(version) ?? false
}

/** Installs a version, by default the newest. */
async function install(
  { resource }: PackageWork,
  run: (...words: readonly string[]) => Promise<string>,
  should: string | undefined,
): Promise<void> {
  const words = ['install', ...(resource.get('install_options') ?? [])]
  if (should !== undefined && should !== 'present') {
    const range = isRequirement(should) ? undefined : versionRange(should, gemScheme)
    words.push('-v', range?.bounds.join(', ') ?? should)
  }
  const isOld = compareVersions(await run('--version'), '2.0.0') < 0
  words.push(...(isOld ? ['--no-rdoc', '--no-ri'] : ['--no-document']), ...whatToInstall(resource))
  const output = await run(...words)
  if (output.includes('ERROR')) complain(`Could not install: ${output.trimEnd()}`)
}

/** The arguments for a gem with its repository, or for a gem file. */
function whatToInstall(resource: PackageWork['resource']): readonly string[] {
  const source = resource.get('source')
  if (source === undefined) return [resource.name]
  const [, scheme] = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(source) ?? []
  if (scheme === undefined) return [source]
  if (/file/i.test(scheme)) return [new URL(source).pathname]
  if (scheme === 'puppet') complainAboutForm('puppet:// URLs are not supported as gem sources')
  return ['--source', source, resource.name]
}
