import { complain } from '../../issues.ts'
import { runProgram } from '../../provider.ts'
import { onceARun } from './once-a-run.ts'
import { type PackageWork, packageProvider } from './package-provider.ts'
import { removeRpm } from './rpm.ts'
import { listRpms, queryRpm } from './rpm-query.ts'
import { rpmScheme, rpmVersionText } from './rpm-version.ts'
import { newestWithin, versionRange } from './version-range.ts'
import { fitsRange } from './yum.ts'

const names = ['SuSE', 'SLES', 'SLED', 'OpenSuSE']

/** Packages from SUSE repositories. */
export const zypper = packageProvider('zypper', {
  doc: 'Support for SuSE `zypper` package manager.',
  suitable: { commands: ['zypper', 'rpm'], facts: { 'os.name': names } },
  defaultFor: { 'os.name': names },
  features: ['versionable', 'install_options', 'virtual_packages', 'installable', 'uninstallable', 'upgradeable'],
  list: listRpms,
  query: queryRpm,
  fits: fitsRange,
  install,
  async uninstall(work) {
    const { major, minor } = await programVersion(work)
    if (major < 1) return removeRpm(work)
    const force = major === 1 && minor < 6 ? ['--force-resolution'] : []
    await work.run('zypper', 'remove', '--no-confirm', ...force, work.resource.name)
  },
  async latest(work) {
    const { resource, state } = work
    const { output } = await onceARun(work, 'zypper list-updates', () => work.run('zypper', 'list-updates'))
    const rows = columnsOf(output).filter(([status]) => status === 'v')
    const [, , , , available] = rows.findLast(([, , name]) => name === resource.name) ?? []
    return available ?? (state.seen?.['ensure'] as string | undefined)
  },
})

/** The cells of a table printed by zypper. */
function columnsOf(output: string): readonly (readonly string[])[] {
  return output.split('\n').map((line) => line.split('|').map((cell) => cell.trim()))
}

async function programVersion({ system }: PackageWork) {
  const { output } = await runProgram(system, ['zypper', '--version'])
  const [major = 0, minor = 0, patch = 0] = (output.match(/\d+/g) ?? []).map(Number)
  return { major, minor, patch }
}

async function install(work: PackageWork, should: string): Promise<void> {
  const { resource, run } = work
  const version = should === 'present' || should === 'latest' ? undefined : await bestVersion(work, should)
  const { major, minor, patch } = await programVersion(work)
  const given = resource.get('install_options') ?? []
  const checks = ['--no-gpg-check', '--no-gpg-checks']
  const words = [major < 1 ? '--terse' : '--quiet', ...checks.filter((flag) => given.includes(flag)), 'install']
  if (major >= 1 || minor > 6 || patch > 13) words.push('--auto-agree-with-licenses')
  words.push('--no-confirm', ...given.filter((flag) => !checks.includes(flag)))
  if (major >= 1 && resource.get('allow_virtual') === false && version === undefined) words.push('--name')
  await run('zypper', ...words, version === undefined ? resource.name : `${resource.name}-${version}`)
  if (!(await queryRpm(work))) complain(`Could not find package ${resource.name}`)
}

/** The newest version in a range; other values are returned unchanged. */
async function bestVersion({ run, resource, log }: PackageWork, should: string): Promise<string> {
  const range = versionRange(should, rpmScheme)
  if (!range || range.isExact) return should
  const search = ['search', '--match-exact', '--type', 'package', '--uninstalled-only', '-s']
  const { output } = await run('zypper', ...search, resource.name)
  const versions = columnsOf(output).flatMap(([, name, , version]) => (name === resource.name ? (version ?? []) : []))
  const best = newestWithin(range, versions, rpmScheme)
  if (best) return rpmVersionText(best)
  log('debug', `No available version for package ${resource.name} is included in range ${range.bounds.join(' ')}`, '')
  return should
}
