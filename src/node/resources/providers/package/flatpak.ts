import { failWithMessage } from '../../issues.ts'
import { type ProviderServices, runProviderProgram } from '../../provider.ts'
import { definePackageProvider, type FoundPackage, type PackageWork } from './package-provider.ts'

const quiet = ['--system', '--noninteractive', '-y']

/** The package provider for system-wide flatpak applications; `source` is the remote. */
export const flatpak = definePackageProvider('flatpak', {
  doc: 'Support for `flatpak`: system-wide applications by ID. `source` names the remote.',
  suitable: { commands: ['flatpak'] },
  features: [
    'install_options',
    'uninstall_options',
    'holdable',
    'installable',
    'uninstallable',
    'upgradeable',
    'purgeable',
  ],
  list: listApplications,
  query: async (work) => (await listApplications(work)).find(({ name }) => name === work.resource.name),
  async install({ resource, run }) {
    const remote = resource.get('source')
    const options = resource.get('install_options') ?? []
    await run('flatpak', 'install', ...quiet, ...options, ...(remote === undefined ? [] : [remote]), resource.name)
  },
  async update({ resource, run }) {
    await run('flatpak', 'install', ...quiet, '--or-update', ...(resource.get('install_options') ?? []), resource.name)
  },
  uninstall: (work) => removeApplication(work, []),
  purge: (work) => removeApplication(work, ['--delete-data']),
  async latest({ resource, run, state }) {
    const { stdout } = await run('flatpak', 'remote-ls', '--system', '--updates', '--columns=application,commit')
    const rows = stdout.split('\n').map((line) => line.trim().split(/\s+/))
    const update = rows.find(([name]) => name === resource.name)?.[1]
    return update ?? (state.seen?.['ensure'] as string | undefined)
  },
  set: {
    async mark({ resource, run }, should: string) {
      await run('flatpak', 'mask', '--system', ...(should === 'hold' ? [] : ['--remove']), resource.name)
    },
  },
})

async function removeApplication({ resource, run }: PackageWork, flags: readonly string[]): Promise<void> {
  await run('flatpak', 'uninstall', ...quiet, ...flags, ...(resource.get('uninstall_options') ?? []), resource.name)
}

/** Installed applications with their commit, since not all have a version. */
async function listApplications({ system }: ProviderServices): Promise<readonly FoundPackage[]> {
  const listOutputLines = async (...words: readonly string[]) => {
    const { status, stdout, output } = await runProviderProgram(system, ['flatpak', ...words])
    if (status !== 0) failWithMessage(`Could not list applications with flatpak: ${output.trim()}`)
    return stdout.split('\n').filter((line) => line.trim() !== '')
  }
  const masked = (await listOutputLines('mask', '--system')).map((line) => line.trim())
  return (await listOutputLines('list', '--system', '--columns=application,active')).map((line) => {
    const [name = '', ensure] = line.trim().split(/\s+/)
    return { name, ensure, mark: masked.includes(name) ? 'hold' : 'none' }
  })
}
