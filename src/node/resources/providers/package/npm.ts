import { failWithFormError } from '../../issues.ts'
import { type ProviderServices, runProviderProgram } from '../../provider.ts'
import { definePackageProvider, type FoundPackage, type PackageWork } from './package-provider.ts'

const env = { HOME: '/root' }

/** The package provider for global npm packages, as in the module nodejs. */
export const npm = definePackageProvider('npm', {
  doc: 'npm is package management for Node.js. This provider only handles global packages.',
  features: ['versionable', 'install_options', 'uninstall_options', 'installable', 'uninstallable', 'upgradeable'],
  list: async (services) =>
    (await services.system.commands.find('npm')) === undefined ? [] : listGlobalPackages(services),
  query: async (work) => (await listGlobalPackages(work)).find(({ name }) => name === work.resource.name),
  install: installPackage,
  async uninstall(work) {
    const options = work.resource.get('uninstall_options') ?? []
    await work.runWith({ env }, 'npm', 'uninstall', '--global', ...options, work.resource.name)
  },
  async latest({ runWith, resource }) {
    const { stdout } = await runWith({ env }, 'npm', 'view', resource.name, 'version')
    return stdout.trim()
  },
})

/** Parses npm's JSON, which is complete even if npm reports a problem with a package. */
async function listGlobalPackages({ system }: ProviderServices): Promise<readonly FoundPackage[]> {
  const { stdout } = await runProviderProgram(system, ['npm', 'list', '--json', '--global'], { env })
  const start = stdout.indexOf('{')
  try {
    const { dependencies = {} } = JSON.parse(start < 0 ? '{}' : stdout.slice(start)) as {
      dependencies?: Readonly<Record<string, { version?: string }>>
    }
    return Object.entries(dependencies).flatMap(([name, { version }]) =>
      version === undefined ? [] : [{ name, ensure: version }],
    )
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return failWithFormError('Could not list packages with npm: its output is not JSON')
  }
}

async function installPackage({ resource, runWith }: PackageWork, should: string): Promise<void> {
  const version = should === 'present' ? '' : `@${should}`
  // Format of the option in the module nodejs: { registry => 'https://…' }
  const options = (resource.get('install_options') ?? []).flatMap((option) =>
    option.startsWith('registry=') ? ['--registry', option.slice('registry='.length)] : [option],
  )
  const what = resource.get('source') ?? `${resource.name}${version}`
  await runWith({ env }, 'npm', 'install', '--global', ...options, what)
}
