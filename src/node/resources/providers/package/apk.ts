import { failWithMessage } from '../../issues.ts'
import { type ProviderServices, runProviderProgram } from '../../provider.ts'
import { definePackageProvider, type FoundPackage, type PackageWork } from './package-provider.ts'

/** The package provider for Alpine Linux, which uses `apk`. */
export const apk = definePackageProvider('apk', {
  doc: 'Support for `apk`, the package manager of Alpine Linux.',
  suitable: { commands: ['apk'] },
  defaultFor: { 'os.family': ['Alpine'] },
  features: [
    'versionable',
    'install_options',
    'uninstall_options',
    'virtual_packages',
    'installable',
    'uninstallable',
    'upgradeable',
    'purgeable',
  ],
  list: listInstalledPackages,
  query: queryPackage,
  async install({ resource, run }, should) {
    const version = should === 'present' || should === 'latest' ? '' : `=${should}`
    const upgrade = should === 'latest' ? ['--upgrade'] : []
    await run('apk', 'add', '-q', ...upgrade, ...(resource.get('install_options') ?? []), `${resource.name}${version}`)
  },
  uninstall: (work) => removePackage(work, []),
  purge: (work) => removePackage(work, ['--purge']),
  latest: findLatestVersion,
})

/**
 * The version after an upgrade. `apk policy` also lists versions of tagged repositories, which an upgrade does not
 * select, so the upgrade is simulated.
 */
async function findLatestVersion({ resource, state, run }: PackageWork): Promise<string | undefined> {
  const options = resource.get('install_options') ?? []
  const { stdout } = await run('apk', 'add', '--simulate', '--upgrade', ...options, resource.name)
  const { name = resource.name, ensure } = state.seen ?? {}
  for (const line of stdout.split('\n')) {
    const [, changed, version] = /^\(\d+\/\d+\) \w+ (\S+) \((?:\S+ -> )?(\S+)\)/.exec(line) ?? []
    if (changed === name) return version
  }
  return ensure as string | undefined
}

/** Removes a package. apk succeeds without removing a package that others require. */
async function removePackage(work: PackageWork, flags: readonly string[]): Promise<void> {
  const { resource, run } = work
  const options = resource.get('uninstall_options') ?? []
  const { output } = await run('apk', 'del', ...flags, ...options, resource.name)
  if (await queryPackage(work)) failWithMessage(`Could not remove package ${resource.name}: ${output.trim()}`)
}

/** Finds an installed package by its name or, with `allow_virtual`, by a name that it provides. */
async function queryPackage({ resource, system }: PackageWork): Promise<FoundPackage | undefined> {
  const { status, stdout } = await runProviderProgram(system, ['apk', 'info', '-e', '-v', resource.name])
  if (status !== 0) return undefined
  const packages = parseInstalledPackages(stdout)
  const isVirtual = resource.get('allow_virtual') !== false
  return packages.find(({ name }) => name === resource.name) ?? (isVirtual ? packages[0] : undefined)
}

async function listInstalledPackages({ system }: ProviderServices): Promise<readonly FoundPackage[]> {
  const { status, stdout, output } = await runProviderProgram(system, ['apk', 'info', '-v'])
  if (status !== 0) failWithMessage(`Could not list packages with apk: ${output.trim()}`)
  return parseInstalledPackages(stdout)
}

/** Parses lines such as `name-version-rRELEASE` or `name-version-rRELEASE - description`. */
function parseInstalledPackages(text: string): readonly FoundPackage[] {
  return text.split('\n').flatMap((line): FoundPackage[] => {
    const [, name, ensure] = /^(\S+)-([^-\s]+-r\d+)(?:\s|$)/.exec(line) ?? []
    return name === undefined ? [] : [{ name, ensure }]
  })
}
