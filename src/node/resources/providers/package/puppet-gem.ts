import { throwIssue } from '../../../../base/issue.ts'
import { openGemDirectory, openGemInstaller } from '../../../gems/configured-gems.ts'
import type { GemDirectory } from '../../../gems/gem-directory.ts'
import type { GemInstaller, InstallOptions } from '../../../gems/gem-installation.ts'
import { uninstallGem } from '../../../gems/gem-removal.ts'
import { parseRequirements } from '../../../gems/gem-requirement.ts'
import { gemIssues } from '../../../gems/issues.ts'
import type { ProviderServices } from '../../provider.ts'
import { gemFeatures, matchesVersion, parseGemSource, toGemRequirement } from './gem.ts'
import { definePackageProvider, type FoundPackage, type PackageWork } from './package-provider.ts'

/** Options of `gem install` that have an effect, or none for an installation without documentation and programs. */
const installFlags = {
  valued: ['--source', '-s', '--version', '-v'],
  flags: ['--clear-sources', '--prerelease', '--pre', '--ignore-dependencies', '--local', '-l'],
  ignored: `--no-document -N --no-ri --no-rdoc --force -f --conservative --minimal-deps --quiet -q --verbose -V
    --no-user-install --no-wrappers --no-lock`.split(/\s+/),
} as const

const uninstallFlags = {
  valued: ['--version', '-v'],
  flags: ['--ignore-dependencies', '-I'],
  ignored: ['--executables', '-x', '--all', '-a', '--force', '--no-user-install', '--quiet', '-q'],
} as const

/** The package provider for gems of the built-in Ruby, in `$vardir/gems`. No Ruby is needed. */
export const puppetGem = definePackageProvider('puppet_gem', {
  doc: 'Gems in pure Ruby for the Ruby code of modules on this node, in `$vardir/gems`.',
  suitable: { when: async ({ gems }) => gems !== undefined },
  onlyByName: true,
  features: gemFeatures,
  list: async (services) => (services.gems ? listGems(openGemDirectory(services.gems)) : []),
  query: async (work) => (await listGems(openGemDirectory(work.gems!))).find(({ name }) => name === work.resource.name),
  fits: (_, is, should) => [is].flat().some((version) => matchesVersion(version, should)),
  install: (work, should) => installGem(work, should === 'present' ? undefined : toGemRequirement(should)),
  update: (work) => installGem(work, undefined),
  latest: (work) => withInstaller(work, (installer) => installer.findLatest(work.resource.name)),
  async uninstall({ resource, gems }) {
    const options = readOptions(resource.get('uninstall_options') ?? [], uninstallFlags)
    const ignoresDependencies = uninstallFlags.flags.some((flag) => options.has(flag))
    const version = options.get('--version') ?? options.get('-v')
    const selection = version === undefined ? { all: true } : { version, all: true }
    await uninstallGem(openGemDirectory(gems!), resource.name, { ...selection, ignoresDependencies })
  },
})

async function listGems(directory: GemDirectory): Promise<readonly FoundPackage[]> {
  const versions = new Map<string, string[]>()
  for (const { name, version } of await directory.list()) versions.set(name, [...(versions.get(name) ?? []), version])
  return [...versions].map(([name, ensure]) => ({ name, ensure }))
}

async function installGem(work: PackageWork, requirement: string | undefined): Promise<void> {
  const given = readOptions(work.resource.get('install_options') ?? [], installFlags)
  const version = requirement ?? given.get('--version') ?? given.get('-v')
  const options: InstallOptions = {
    ...(version !== undefined && { requirements: parseRequirements(version) }),
    prerelease: given.has('--prerelease') || given.has('--pre'),
    ignoresDependencies: given.has('--ignore-dependencies'),
    fetching: (file) => work.log('debug', `Fetching ${file}`, 'provider'),
  }
  const { file } = parseGemSource(work.resource.get('source'))
  await withInstaller(work, (installer) =>
    file === undefined ? installer.install(work.resource.name, options) : installer.installFile(file, options),
  )
}

/** Runs `work` with the gem servers of the settings, of `source` and of the options, as Puppet combines them. */
async function withInstaller<Result>(
  { resource, gems }: Pick<PackageWork, 'resource'> & Pick<ProviderServices, 'gems'>,
  work: (installer: GemInstaller) => Promise<Result>,
): Promise<Result> {
  const options = readOptions(resource.get('install_options') ?? [], installFlags)
  const isLocal = options.has('--local') || options.has('-l')
  const standard = options.has('--clear-sources') || isLocal ? [] : gems!.gem_sources
  const { server } = parseGemSource(resource.get('source'))
  const own = [options.get('--source'), options.get('-s'), server].filter((each) => each !== undefined)
  const installer = openGemInstaller(gems!, openGemDirectory(gems!), [...new Set([...standard, ...own])])
  try {
    return await work(installer)
  } finally {
    await installer.close()
  }
}

interface KnownOptions {
  readonly valued: readonly string[]
  readonly flags: readonly string[]
  readonly ignored: readonly string[]
}

/** Reads options such as `--source=URL`, `--source URL` and `--prerelease`. Throws GEM_OPTION for an unknown option. */
function readOptions(words: readonly string[], { valued, flags, ignored }: KnownOptions): ReadonlyMap<string, string> {
  const options = new Map<string, string>()
  const rest = words.flatMap((word) => word.trim().split(/\s+/))
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const [, name = '', value] = /^(-[^=]*)(?:=(.*))?$/.exec(word) ?? [undefined, word]
    const known = [...valued, ...flags, ...ignored]
    if (!known.includes(name)) throwIssue(gemIssues.GEM_OPTION, { option: name, known: [...valued, ...flags] })
    options.set(name, valued.includes(name) ? (value ?? rest.shift() ?? '') : '')
  }
  return options
}
