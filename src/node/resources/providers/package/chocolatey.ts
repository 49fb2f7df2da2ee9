import { readRegistryKey } from '../../../../machine/registry/registry.ts'
import { decodeRegistryData } from '../../../../machine/registry/registry-data.ts'
import { failWithMessage } from '../../issues.ts'
import { failCommand, type ProviderServices, runProviderProgram } from '../../provider.ts'
import { gemScheme } from './gem.ts'
import { definePackageProvider, type FoundPackage, type PackageWork } from './package-provider.ts'
import { findNewestVersion, parseVersionRange } from './version-range.ts'

const environmentKey = 'HKEY_LOCAL_MACHINE\\System\\CurrentControlSet\\Control\\Session Manager\\Environment'

/** First version of Chocolatey whose command `list` is about local packages only, without the option `-lo`. */
const localListVersion = 2

/** The package provider for Chocolatey, as in the module chocolatey. */
export const chocolatey = definePackageProvider('chocolatey', {
  doc: 'Manages packages using Chocolatey (Windows package manager).',
  suitable: {
    facts: { kernel: ['windows'] },
    when: async (services) => (await findChocolatey(services)) !== undefined,
  },
  features: [
    'installable',
    'uninstallable',
    'upgradeable',
    'versionable',
    'install_options',
    'uninstall_options',
    'holdable',
    'package_settings',
    'version_ranges',
  ],
  list: (services) => listPackages(services),
  query: async (work) => {
    const name = work.resource.name.toLowerCase()
    return (await listPackages(work)).find((each) => each.name === name)
  },
  install: installPackage,
  async update(work) {
    if (work.state.seen?.['ensure'] === 'absent') return installPackage(work, 'present')
    await unhold(work)
    const options = work.resource.get('install_options') ?? []
    await change(work, ['upgrade', getId(work), '-y', ...getSource(work), ...options], true)
  },
  async uninstall(work) {
    await unhold(work)
    const options = work.resource.get('uninstall_options') ?? []
    await change(work, ['uninstall', getId(work), '-fy', ...getSource(work), ...options], false)
  },
  async latest(work) {
    const words = ['upgrade', '--noop', getId(work), '-r', ...getSource(work)]
    const { stdout, status } = await runChocolatey(work, words)
    return status === 0 ? stdout.trim().split(/\r?\n/).at(-1)?.split('|')[2] : undefined
  },
  fits: (_, is, should) => {
    const range = typeof is === 'string' ? parseVersionRange(should, gemScheme) : undefined
    const version = typeof is === 'string' ? gemScheme.parse(is) : undefined
    return range !== undefined && version !== undefined && range.includes(version)
  },
  inSync: { package_settings: () => true },
  set: {
    async mark(work, mark: string) {
      await runOrThrow(work, ['pin', mark === 'hold' ? 'add' : 'remove', '-n', getId(work)])
    },
    package_settings: async () => {},
  },
})

/** The name of a package without options, which the name can contain after a space. */
const getId = ({ resource }: PackageWork): string => /^\S*/.exec(resource.name)![0]

function getSource({ resource }: PackageWork): readonly string[] {
  const source = resource.get('source')
  return source === undefined ? [] : ['--source', source]
}

async function installPackage(work: PackageWork, should: string): Promise<void> {
  const version = should === 'present' ? undefined : await selectVersion(work, should)
  const words = version === undefined ? ['install', getId(work)] : ['upgrade', getId(work), '--version', version]
  const options = work.resource.get('install_options') ?? []
  await change(work, [...words, '-y', ...getSource(work), ...options], true)
}

/**
 * The path of `choco.exe`: below the folder of the variable ChocolateyInstall, which the installation of Chocolatey sets. The
 * usual folders are not searched: every user could create them.
 */
async function findChocolatey({ system }: Pick<ProviderServices, 'system'>): Promise<string | undefined> {
  const folder = await readInstallFolder(system)
  if (folder === undefined || folder === '') return undefined
  const path = `${folder}/choco.exe`.replaceAll('\\', '/')
  return (await system.files.stat(path)) === undefined ? undefined : path
}

async function readInstallFolder(system: ProviderServices['system']): Promise<string | undefined> {
  const key = await readRegistryKey(system, environmentKey)
  const value = key?.values.find(({ name }) => name.toLowerCase() === 'chocolateyinstall')
  const folder = value && decodeRegistryData(value)
  return typeof folder === 'string' ? folder : process.env['ChocolateyInstall']
}

async function runChocolatey(services: Pick<ProviderServices, 'system'>, words: readonly string[]) {
  const path = await findChocolatey(services)
  if (path === undefined) failWithMessage('Command chocolatey is missing')
  const env = { ChocolateyInstall: path.replace(/\/choco\.exe$/, '').replaceAll('/', '\\') }
  return { path, ...(await runProviderProgram(services.system, [path, ...words], { env })) }
}

async function runOrThrow(work: PackageWork, words: readonly string[]): Promise<string> {
  const { path, ...result } = await runChocolatey(work, words)
  if (result.status !== 0) failCommand(work.resource, [path, ...words], result)
  return result.output
}

/** Runs a change with the options that the module chocolatey adds, and logs it as `package_settings` requests. */
async function change(work: PackageWork, words: readonly string[], hasProgress: boolean): Promise<void> {
  const settings = (work.resource.get('package_settings') ?? {}) as Readonly<Record<string, unknown>>
  const all = [...words, ...((await usesPackageExitCodes(work)) ? [] : ['--ignore-package-exit-codes'])]
  if (settings['verbose']) work.log('info', `Calling chocolatey with arguments: ${all.join(' ')}`, '')
  else if (hasProgress) all.push('--no-progress')
  const output = await runOrThrow(work, all)
  if (settings['log_output']) work.log('info', `Output from chocolatey: ${output}`, '')
}

/** True if an administrator has enabled the feature `usePackageExitCodes`, not if it is only on by default. */
async function usesPackageExitCodes({ system }: PackageWork): Promise<boolean> {
  const path = await findChocolatey({ system })
  const text = path && (await system.files.readText(path.replace(/choco\.exe$/, 'config/chocolatey.config')))
  const [, ...features] = (text ?? '').toLowerCase().split('<feature ')
  const feature = features
    .map((each) => each.split('>', 1)[0])
    .find((each) => each?.includes('name="usepackageexitcodes"'))
  return feature?.includes(' enabled="true"') === true && feature.includes('setexplicitly="true"')
}

async function listPackages(services: Pick<ProviderServices, 'system'>): Promise<readonly FoundPackage[]> {
  const { stdout: version } = await runChocolatey(services, ['--version'])
  const isLocal = Number.parseInt(version, 10) >= localListVersion
  const pins = await runChocolatey(services, ['pin', 'list', '-r'])
  const held = new Set(pins.stdout.split(/\r?\n/).map((line) => line.split('|')[0]?.toLowerCase()))
  const { stdout, status, output } = await runChocolatey(services, ['list', ...(isLocal ? [] : ['-lo']), '-r'])
  if (status !== 0) failWithMessage(`Could not list packages with Chocolatey: ${output.trim()}`)
  return stdout.split(/\r?\n/).flatMap((line) => {
    if (line.startsWith('Unable to search for packages')) failWithMessage('At least one source must be enabled.')
    const [name = '', ensure] = line.split('|')
    if (ensure === undefined) return []
    const id = name.toLowerCase()
    return [{ name: id, ensure: ensure.trim(), mark: held.has(id) ? 'hold' : 'none' }]
  })
}

/** The version to install: the newest available one of a range. */
async function selectVersion(work: PackageWork, should: string): Promise<string> {
  const range = parseVersionRange(should, gemScheme)
  if (!range || range.isExact) return should
  const words = ['search', getId(work), '--exact', '-a', '-r', ...getSource(work)]
  const versions = (await runOrThrow(work, words)).split(/\r?\n/).flatMap((line) => line.split('|')[1] ?? [])
  const newest = findNewestVersion(range, versions, gemScheme)
  const found = newest && versions.find((version) => isVersion(version, newest))
  return found ?? failWithMessage('No available version found that match given version range.')
}

function isVersion(text: string, version: NonNullable<ReturnType<typeof gemScheme.parse>>): boolean {
  const parsed = gemScheme.parse(text)
  return parsed !== undefined && gemScheme.compare(parsed, version) === 0
}

async function unhold(work: PackageWork): Promise<void> {
  if (work.state.seen?.['mark'] === 'hold') await runOrThrow(work, ['pin', 'remove', '-n', getId(work)])
}
