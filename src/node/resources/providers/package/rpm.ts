import { compareVersions } from '../../../../language/values/compare-versions.ts'
import { definePackageProvider, type PackageWork } from './package-provider.ts'
import {
  betweenVersions,
  hasRpm,
  listRpms,
  queryRpm,
  readPackageFileVersion,
  readRpmProgramVersion,
} from './rpm-query.ts'
import { compareWithDesired } from './rpm-version.ts'

/**
 * The package provider for package files, which are installed with `rpm` and without a repository.
 */
export const rpm = definePackageProvider('rpm', {
  doc: 'RPM packaging support; should work anywhere with a working `rpm` binary.',
  suitable: { commands: ['rpm'], when: hasRpm },
  features: [
    'versionable',
    'install_options',
    'uninstall_options',
    'virtual_packages',
    'install_only',
    'installable',
    'uninstallable',
    'upgradeable',
  ],
  list: listRpms,
  query: queryRpm,
  fits: matchesVersion,
  async install(work, should) {
    const { resource, state, run } = work
    const source = getSource(work)
    const version = state.seen?.['ensure']
    if (should === version || (should === 'latest' && version === (await readPackageFileVersion(work, source)))) return
    const isThere = version !== undefined && version !== 'absent' && version !== 'purged'
    const flags = isThere ? ['-U', '--oldpackage'] : ['-i']
    await run('rpm', ...flags, ...(resource.get('install_options') ?? []), source)
  },
  uninstall: removeRpm,
  latest: (work) => readPackageFileVersion(work, getSource(work)),
})

function getSource({ resource }: PackageWork): string {
  return resource.get('source') ?? resource.fail('RPMs must specify a package source')
}

/** True if the desired version is installed; with `install_only`, as one of several installed versions. */
export function matchesVersion({ resource }: PackageWork, is: string | readonly string[], should: string): boolean {
  const text = String(is)
  if (text === 'purged' || text === 'absent') return false
  if (text.includes(betweenVersions) && resource.get('install_only') !== true) return false
  return text.split(betweenVersions).some((version) => compareWithDesired(should, version) === 0)
}

/** Removes a package, with its version if the name contains one. */
export async function removeRpm(work: PackageWork): Promise<void> {
  const { resource, run } = work
  const seen = (await queryRpm(work)) ?? work.state.seen ?? {}
  const { name: found } = seen
  const getPart = (key: string) => String(seen[key] ?? 'absent')
  const name = String(found ?? 'absent')
  const [withVersion, withRelease] = [
    `${name}-${getPart('version')}`,
    `${name}-${getPart('version')}-${getPart('release')}`,
  ]
  let words: string[]
  if (resource.name.startsWith(withRelease)) words = [withRelease]
  else if (resource.name.startsWith(withVersion)) words = [withVersion]
  else if (resource.get('install_only') === true)
    words = getPart('ensure')
      .split(betweenVersions)
      .map((version) => `${name}-${version}`)
  else words = [name]
  const arch = `.${getPart('arch')}`
  if (compareVersions(await readRpmProgramVersion(work), '4.2.1') >= 0 && resource.name.endsWith(arch))
    words = words.length === 1 ? [`${words[0]}${arch}`] : [...words, arch]
  await run('rpm', '-e', ...(resource.get('uninstall_options') ?? []), ...words)
}
