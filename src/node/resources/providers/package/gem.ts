import { compareVersions } from '../../../../language/values/compare-versions.ts'
import {
  compareGemVersions,
  type GemVersion,
  isRequirement,
  meetsRequirements,
  parseGemVersion,
} from '../../../gems/gem-version.ts'
import { failWithFormError, failWithMessage } from '../../issues.ts'
import {
  type ProviderDefinition,
  type ProviderServices,
  type RunLog,
  runOrFail,
  runProviderProgram,
} from '../../provider.ts'
import { findFirstProgram, resolvePackageCommand } from './package-command.ts'
import {
  definePackageProvider,
  type FoundPackage,
  type PackageAttributes,
  type PackageState,
  type PackageWork,
} from './package-provider.ts'
import { parseVersionRange, type VersionScheme } from './version-range.ts'

/** Parses and compares gem versions, for version ranges. */
export const gemScheme: VersionScheme<GemVersion> = { parse: parseGemVersion, compare: compareGemVersions }

/** A `gem` program. */
interface GemProgram {
  readonly name: string
  readonly program: string
}

/** Features of all providers of gems. */
export const gemFeatures = [
  'versionable',
  'install_options',
  'uninstall_options',
  'installable',
  'uninstallable',
  'upgradeable',
]

/** The package provider for gems of the system's Ruby. */
export const gem = defineGemProvider()

function defineGemProvider(): ProviderDefinition<PackageAttributes, PackageState> {
  const source: GemProgram = { name: 'gem', program: 'gem' }
  const findGemPath = (services: ProviderServices) => findFirstProgram(services, [source.program])
  const getGemCommand = async (work: PackageWork) =>
    resolvePackageCommand(work, source, work.resource.get('command') ?? (await findGemPath(work)))
  const runGem = async (work: PackageWork, ...words: readonly string[]) => {
    const options = { env: createEnvironment() }
    return (await runOrFail(work.system, work.resource, [await getGemCommand(work), ...words], options)).output
  }
  return definePackageProvider(source.name, {
    doc: 'Ruby Gem support.',
    features: [...gemFeatures, 'targetable', 'version_ranges'],
    async list(services, log, command) {
      const program = command ?? (await findGemPath(services))
      if (program === undefined) return []
      return listGems(services, log, [await resolvePackageCommand(services, source, program), '--local'])
    },
    async query(work) {
      const words = [await getGemCommand(work), '--local', formatNamePattern(work)]
      return (await listGems(work, createRunLog(work), words))[0]
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
      const [found] = await listGems(work, createRunLog(work), words)
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

function createEnvironment() {
  return { HOME: process.env['HOME'] }
}

async function listGems(
  { system }: ProviderServices,
  log: RunLog,
  [command = '', ...words]: readonly string[],
): Promise<readonly FoundPackage[]> {
  const asked = [command, 'list', ...words]
  const { status, output } = await runProviderProgram(system, asked, { env: createEnvironment() })
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

/** True if an installed version meets the desired one: a version, bounds, or a range of Puppet. */
export function matchesVersion(is: string, should: string): boolean {
  const version = parseGemVersion(is)
  if (!version) return false
  if (isRequirement(should)) return meetsRequirements(should, version)
  return parseVersionRange(should, gemScheme)?.includes(version) ?? false
}

/** Converts a range of Puppet to bounds of RubyGems. */
export function toGemRequirement(should: string): string {
  return (isRequirement(should) ? undefined : parseVersionRange(should, gemScheme)?.bounds.join(', ')) ?? should
}

/** Installs a version, by default the newest. */
async function installGem(
  { resource }: PackageWork,
  run: (...words: readonly string[]) => Promise<string>,
  should: string | undefined,
): Promise<void> {
  const words = ['install', ...(resource.get('install_options') ?? [])]
  if (should !== undefined && should !== 'present') words.push('-v', toGemRequirement(should))
  const isOld = compareVersions(await run('--version'), '2.0.0') < 0
  words.push(...(isOld ? ['--no-rdoc', '--no-ri'] : ['--no-document']), ...getInstallArguments(resource))
  const output = await run(...words)
  if (output.includes('ERROR')) failWithMessage(`Could not install: ${output.trimEnd()}`)
}

/** The arguments for a gem with its repository, or for a gem file. */
function getInstallArguments(resource: PackageWork['resource']): readonly string[] {
  const { file, server } = parseGemSource(resource.get('source'))
  if (file !== undefined) return [file]
  return server === undefined ? [resource.name] : ['--source', server, resource.name]
}

/** The `source` of a package: the path of a gem's file, or the URL of a gem server. */
export function parseGemSource(source: string | undefined): { readonly file?: string; readonly server?: string } {
  if (source === undefined) return {}
  const [, scheme] = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(source) ?? []
  if (scheme === undefined) return { file: source }
  if (/file/i.test(scheme)) return { file: new URL(source).pathname }
  if (scheme === 'puppet') failWithFormError('puppet:// URLs are not supported as gem sources')
  return { server: source }
}
