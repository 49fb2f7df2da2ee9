import { complainAboutForm } from '../../issues.ts'
import { runProgram, type Services } from '../../provider.ts'
import { type FoundPackage, type PackageWork, packageProvider } from './package-provider.ts'

const env = { HOME: '/root' }

/** Global npm packages, as in the module nodejs. */
export const npm = packageProvider('npm', {
  doc: 'npm is package management for Node.js. This provider only handles global packages.',
  features: ['versionable', 'install_options', 'uninstall_options', 'installable', 'uninstallable', 'upgradeable'],
  list: async (services) => ((await services.system.commands.find('npm')) === undefined ? [] : listGlobal(services)),
  query: async (work) => (await listGlobal(work)).find(({ name }) => name === work.resource.name),
  install,
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
async function listGlobal({ system }: Services): Promise<readonly FoundPackage[]> {
  const { stdout } = await runProgram(system, ['npm', 'list', '--json', '--global'], { env })
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
    return complainAboutForm('npm does not tell which packages there are: its output is no JSON')
  }
}

async function install({ resource, runWith }: PackageWork, should: string): Promise<void> {
  const version = should === 'present' ? '' : `@${should}`
  // The module's option format: { registry => 'https://…' }
  const options = (resource.get('install_options') ?? []).flatMap((option) =>
    option.startsWith('registry=') ? ['--registry', option.slice('registry='.length)] : [option],
  )
  const what = resource.get('source') ?? `${resource.name}${version}`
  await runWith({ env }, 'npm', 'install', '--global', ...options, what)
}
