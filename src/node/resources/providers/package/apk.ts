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
  query: async (work) => (await listInstalledPackages(work)).find(({ name }) => name === work.resource.name),
  async install({ resource, run }, should) {
    const version = should === 'present' || should === 'latest' ? '' : `=${should}`
    const upgrade = should === 'latest' ? ['--upgrade'] : []
    await run('apk', 'add', '-q', ...upgrade, ...(resource.get('install_options') ?? []), `${resource.name}${version}`)
  },
  uninstall: (work) => removePackage(work, []),
  purge: (work) => removePackage(work, ['--purge']),
  async latest({ resource, run }) {
    const { stdout } = await run('apk', 'policy', resource.name)
    // `apk policy` lists the versions, the newest first, each followed by its repositories.
    const [, newest] = /^ {2}(\S+):$/m.exec(stdout) ?? []
    return newest ?? failWithMessage(`apk finds no version of ${resource.name}`)
  },
})

async function removePackage({ resource, run }: PackageWork, flags: readonly string[]): Promise<void> {
  await run('apk', 'del', '-q', ...flags, ...(resource.get('uninstall_options') ?? []), resource.name)
}

/** Lists the installed packages, from lines such as `name-version-rRELEASE - description`. */
async function listInstalledPackages({ system }: ProviderServices): Promise<readonly FoundPackage[]> {
  const { status, stdout, output } = await runProviderProgram(system, ['apk', 'info', '-v'])
  if (status !== 0) failWithMessage(`Could not list packages with apk: ${output.trim()}`)
  return stdout.split('\n').flatMap((line): FoundPackage[] => {
    const [, name, ensure] = /^(\S+)-([^-\s]+-r\d+)(?:\s|$)/.exec(line) ?? []
    return name === undefined ? [] : [{ name, ensure }]
  })
}
