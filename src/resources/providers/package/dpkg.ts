import type { System } from '../../../system/system.ts'
import { complain } from '../../issues.ts'
import { defineProvider, type Seen, type Work } from '../../provider.ts'
import { packageType } from '../../types/package.ts'

/** Attributes of the type `package`. */
export type PackageAttributes = (typeof packageType)['attributes']
/** Work on one package. */
export type PackageWork = Work<PackageAttributes, undefined>

const format = '${Status} ${Package} ${Version}\\n'

/** The state of a package by dpkg. */
export async function queryPackage({ system, resource }: PackageWork): Promise<Seen> {
  const { status, stdout } = await system.commands.run(['dpkg-query', '-W', '--showformat', format, resource.name])
  if (status !== 0) return { ensure: 'purged' }
  const seen = parseLine(stdout.trim().split('\n')[0] ?? '')
  if (!seen) return { ensure: 'absent' }
  if (seen.error !== 'ok') complain(`Package ${seen.name}, version ${seen.version} is in error state: ${seen.error}`)
  return { ensure: seen.ensure, mark: seen.desired === 'hold' ? 'hold' : 'none' }
}

function parseLine(line: string) {
  const [, desired, error, status = '', name, version = ''] = /^(\S+) +(\S+) +(\S+) (\S+) (\S*)$/.exec(line) ?? []
  if (name === undefined) return undefined
  const isAbsent = ['config-files', 'half-installed', 'unpacked', 'half-configured'].includes(status)
  const ensure = status === 'not-installed' ? 'purged' : isAbsent ? 'absent' : version
  return { desired, error, name, version, ensure }
}

/** True when the installed version will do for `ensure`. */
export async function packageInSync(
  work: PackageWork,
  is: unknown,
  choices: readonly unknown[],
  latest: (work: PackageWork) => Promise<string | undefined>,
): Promise<boolean> {
  for (const should of choices) {
    if (should === 'present' && is !== 'absent' && is !== 'purged') return true
    if (should === 'absent' && (is === 'absent' || is === 'purged')) return true
    if (should === 'latest' && is !== 'absent' && is !== 'purged' && is === (await latest(work))) return true
    if (should === is) return true
  }
  return false
}

/** `created`, `purged`, `removed`, or from which version to which. */
export function packageChangeText({ resource }: PackageWork, is: unknown): string | undefined {
  const should = resource.get('ensure')
  if (should === 'purged') return 'purged'
  if ((is === 'absent' || is === 'purged') && should !== 'absent') return 'created'
  return undefined
}

/** All installed packages. */
export async function listPackages(system: System): Promise<readonly (Seen & { readonly name: string })[]> {
  const { stdout } = await system.commands.run(['dpkg-query', '-W', '--showformat', format])
  return stdout
    .split('\n')
    .map(parseLine)
    .filter((each) => each !== undefined)
    .map(({ name, ensure, desired }) => ({ name, ensure, mark: desired === 'hold' ? 'hold' : 'none' }))
}

/** Holds a package back, or lets it go. */
export async function setMark({ resource, runWith }: PackageWork, mark: string): Promise<void> {
  const selection = `${resource.name} ${mark === 'hold' ? 'hold' : 'install'}\n`
  await runWith({ input: selection }, 'dpkg', '--set-selections')
}

/** Package files, without apt. */
export const dpkg = defineProvider(packageType, 'dpkg', {
  doc: 'Package management via `dpkg`. Because this only uses `dpkg` and not `apt`, you must specify the source of any packages you want to manage.',
  suitable: { commands: ['dpkg', 'dpkg-deb', 'dpkg-query'] },
  features: ['holdable', 'virtual_packages', 'installable', 'uninstallable', 'upgradeable', 'purgeable'],
  read: queryPackage,
  inSync: { ensure: (work, is, choices) => packageInSync(work, is, choices, latestOfSource) },
  changeText: { ensure: packageChangeText },
  set: {
    async ensure(work, should: string) {
      const { resource, run } = work
      if (should === 'absent') return void (await run('dpkg', '-r', resource.name))
      if (should === 'purged') return void (await run('dpkg', '--purge', resource.name))
      const conf = resource.get('configfiles') === 'keep' ? '--force-confold' : '--force-confnew'
      await run('dpkg', conf, '-i', sourceOf(work))
    },
    mark: setMark,
  },
  list: ({ system }) => listPackages(system),
})

function sourceOf({ resource }: PackageWork): string {
  return resource.get('source') ?? complain('You cannot install dpkg packages without a source')
}

async function latestOfSource(work: PackageWork): Promise<string | undefined> {
  const { stdout } = await work.run('dpkg-deb', '--show', sourceOf(work))
  return stdout.trim().split('\t')[1]
}
