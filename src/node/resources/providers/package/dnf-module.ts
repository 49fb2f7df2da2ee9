import { PuppetError } from '../../../../base/issue.ts'
import { compareVersions } from '../../../../language/values/compare-versions.ts'
import { failWithFormError } from '../../issues.ts'
import { type ProviderServices, runProviderProgram } from '../../provider.ts'
import { definePackageProvider, type FoundPackage, type PackageWork } from './package-provider.ts'
import { hasRpm } from './rpm-query.ts'
import { findLatestVersion } from './yum.ts'

/** The package provider for modules of dnf, that is, streams and profiles of packages. */
export const dnfModule = definePackageProvider('dnfmodule', {
  doc: 'Manages `dnf` modules: `ensure` is the stream, `flavor` the profile.',
  suitable: { commands: ['dnf', 'rpm'], when: hasRpm },
  features: [
    'versionable',
    'supports_flavors',
    'disableable',
    'installable',
    'uninstallable',
    'upgradeable',
    'purgeable',
  ],
  async list(services) {
    const { stdout } = await runProviderProgram(services.system, ['dnf', '--version'])
    if (compareVersions(stdout.split(/\s+/)[0] ?? '', '3.0.1') < 0)
      failWithFormError('Modules are not supported on DNF versions lower than 3.0.1')
    return listModules(services)
  },
  query: async (work) => (await listModules(work)).find(({ name }) => name === work.resource.name),
  // A module may have been disabled after the modules were listed.
  fits: async (work, _, should) =>
    should === 'disabled' &&
    (await listModules(work)).some(({ name, ensure }) => name === work.resource.name && ensure === should),
  install: installModule,
  uninstall: removeModule,
  async purge({ resource, run }) {
    await run('dnf', '-y', 'remove', resource.name)
  },
  // As in Puppet, this checks for an update of a package with the module's name.
  latest: (work) => findLatestVersion('dnf', work),
  disable: (work) => runModuleCommand(work, 'disable', work.resource.name),
  set: {
    async flavor(work, should: string) {
      if (work.state.seen?.['flavor'] !== should) await installModule(work, work.resource.get('ensure') ?? 'present')
    },
  },
})

async function listModules({ system }: Pick<ProviderServices, 'system'>): Promise<readonly FoundPackage[]> {
  const { stdout } = await runProviderProgram(system, ['dnf', 'module', 'list', '-y'])
  return stdout.split('\n').flatMap((row) => {
    if (!/\[[eix]\][, ]/.test(row)) return []
    const line = row.replaceAll('[d]', '')
    const [name = '', stream = ''] = line.trim().split(/\s+/)
    const flavor = line.includes('[i]') ? (line.split('[i]')[0]?.trim().split(/\s+/).at(-1) ?? 'absent') : 'absent'
    return [{ name, ensure: line.includes('[x]') ? 'disabled' : stream, flavor }]
  })
}

async function runModuleCommand({ run }: PackageWork, action: string, what: string): Promise<void> {
  await run('dnf', 'module', action, '-y', what)
}

async function installModule(work: PackageWork, should: string): Promise<void> {
  const { resource, state } = work
  const is = state.seen?.['ensure'] ?? 'absent'
  if (is !== 'absent' && is !== 'purged') await removeModule(work)
  const isStream = should !== 'present' && should !== 'latest'
  const flavor = resource.get('flavor')
  const what = `${resource.name}${isStream ? `:${should}` : ''}${flavor === undefined ? '' : `/${flavor}`}`
  if (resource.get('enable_only') === true) return runModuleCommand(work, 'enable', what)
  try {
    await runModuleCommand(work, 'install', what)
  } catch (error) {
    // A stream without a default profile can only be enabled.
    const reasons = [`missing groups or modules: ${what}`, `broken groups or modules: ${what}`]
    const lines = error instanceof PuppetError ? error.diagnostic.message.split('\n') : []
    if (flavor !== undefined || !reasons.some((line) => lines.includes(line))) throw error
    await runModuleCommand(work, 'enable', what)
  }
}

async function removeModule(work: PackageWork): Promise<void> {
  await runModuleCommand(work, 'remove', work.resource.name)
  await runModuleCommand(work, 'reset', work.resource.name)
}
