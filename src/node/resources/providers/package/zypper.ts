import { failWithMessage } from '../../issues.ts'
import { runProviderProgram } from '../../provider.ts'
import { definePackageProvider, type PackageWork } from './package-provider.ts'
import { removeRpm } from './rpm.ts'
import { listRpms, queryRpm } from './rpm-query.ts'
import { formatRpmVersion, rpmScheme } from './rpm-version.ts'
import { cacheForRun } from './run-cache.ts'
import { findNewestVersion, parseVersionRange } from './version-range.ts'
import { matchesRange } from './yum.ts'

const names = ['SuSE', 'SLES', 'SLED', 'OpenSuSE']

/** The package provider for SUSE repositories, which uses `zypper`. */
export const zypper = definePackageProvider('zypper', {
  doc: 'Support for SuSE `zypper` package manager.',
  suitable: { commands: ['zypper', 'rpm'], facts: { 'os.name': names } },
  defaultFor: { 'os.name': names },
  features: ['versionable', 'install_options', 'virtual_packages', 'installable', 'uninstallable', 'upgradeable'],
  list: listRpms,
  query: queryRpm,
  fits: matchesRange,
  install: installPackage,
  async uninstall(work) {
    const { major, minor } = await readZypperVersion(work)
    if (major < 1) return removeRpm(work)
    const force = major === 1 && minor < 6 ? ['--force-resolution'] : []
    await work.run('zypper', 'remove', '--no-confirm', ...force, work.resource.name)
  },
  async latest(work) {
    const { resource, state } = work
    const { output } = await cacheForRun(work, 'zypper list-updates', () => work.run('zypper', 'list-updates'))
    const rows = parseTable(output).filter(([status]) => status === 'v')
    const [, , , , available] = rows.findLast(([, , name]) => name === resource.name) ?? []
    return available ?? (state.seen?.['ensure'] as string | undefined)
  },
})

/** The cells of a table printed by zypper. */
function parseTable(output: string): readonly (readonly string[])[] {
  return output.split('\n').map((line) => line.split('|').map((cell) => cell.trim()))
}

async function readZypperVersion({ system }: PackageWork) {
  const { output } = await runProviderProgram(system, ['zypper', '--version'])
  const [major = 0, minor = 0, patch = 0] = (output.match(/\d+/g) ?? []).map(Number)
  return { major, minor, patch }
}

async function installPackage(work: PackageWork, should: string): Promise<void> {
  const { resource, run } = work
  const version = should === 'present' || should === 'latest' ? undefined : await selectVersion(work, should)
  const { major, minor, patch } = await readZypperVersion(work)
  const given = resource.get('install_options') ?? []
  const checks = ['--no-gpg-check', '--no-gpg-checks']
  const words = [major < 1 ? '--terse' : '--quiet', ...checks.filter((flag) => given.includes(flag)), 'install']
  if (major >= 1 || minor > 6 || patch > 13) words.push('--auto-agree-with-licenses')
  words.push('--no-confirm', ...given.filter((flag) => !checks.includes(flag)))
  if (major >= 1 && resource.get('allow_virtual') === false && version === undefined) words.push('--name')
  await run('zypper', ...words, version === undefined ? resource.name : `${resource.name}-${version}`)
  if (!(await queryRpm(work))) failWithMessage(`Could not find package ${resource.name}`)
}

/** The newest version in a range; other values are returned unchanged. */
async function selectVersion({ run, resource, log }: PackageWork, should: string): Promise<string> {
  const range = parseVersionRange(should, rpmScheme)
  if (!range || range.isExact) return should
  const search = ['search', '--match-exact', '--type', 'package', '--uninstalled-only', '-s']
  const { output } = await run('zypper', ...search, resource.name)
  const versions = parseTable(output).flatMap(([, name, , version]) => (name === resource.name ? (version ?? []) : []))
  const best = findNewestVersion(range, versions, rpmScheme)
  if (best) return formatRpmVersion(best)
  log('debug', `No available version for package ${resource.name} is included in range ${range.bounds.join(' ')}`, '')
  return should
}
