import { failWithMessage } from '../../issues.ts'
import { type PropertyValues, type ProviderServices, runProviderProgram } from '../../provider.ts'
import { definePackageProvider, type FoundPackage, type PackageWork } from './package-provider.ts'

const format = '${Status} ${Package} ${Version}\\n'
const formatWithProvided = '${Status} ${Package} ${Version} [${Provides}]\\n'

/** The state of a package in dpkg. */
export async function queryPackage(work: PackageWork): Promise<PropertyValues> {
  const { system, resource, log } = work
  const provider = resource.get('allow_virtual') === true ? await findProvidingPackage(work) : undefined
  if (provider !== undefined) {
    log('info', `Package ${resource.name} is virtual, defaulting to ${provider}`, '')
    resource.put('name', provider)
  }
  const { status, stdout } = await runProviderProgram(system, [
    'dpkg-query',
    '-W',
    '--showformat',
    format,
    resource.name,
  ])
  if (status !== 0) return { ensure: 'purged' }
  const seen = parseLine(stdout.split('\n')[0] ?? '')
  if (!seen) return { ensure: 'absent' }
  if (seen.error !== 'ok')
    failWithMessage(`Package ${seen.name}, version ${seen.version} is in error state: ${seen.error}`)
  return { ensure: seen.ensure, mark: seen.desired === 'hold' ? 'hold' : 'none' }
}

/** The first package that has this name or provides it. */
async function findProvidingPackage({ run, resource }: PackageWork): Promise<string | undefined> {
  const { stdout } = await run('dpkg-query', '-W', '--showformat', formatWithProvided)
  const splitParts = (line: string) => line.split(/[[ \],]/)
  const line = stdout
    .split('\n')
    .find((each) => splitParts(each).slice(1).includes(resource.name) && each.includes('['))
  return line === undefined ? undefined : parseLine(line.slice(0, line.indexOf(' [')))?.name
}

function parseLine(line: string) {
  const [, desired, error, status = '', name, version = ''] = /^'?(\S+) +(\S+) +(\S+) (\S+) (\S*)$/.exec(line) ?? []
  if (name === undefined) return undefined
  const isAbsent = ['config-files', 'half-installed', 'unpacked', 'half-configured'].includes(status)
  const ensure = status === 'not-installed' ? 'purged' : isAbsent ? 'absent' : version
  return { desired, error, name, version, ensure }
}

/** All packages known to dpkg. */
export async function listPackages({ system }: ProviderServices): Promise<readonly FoundPackage[]> {
  const { stdout } = await runProviderProgram(system, ['dpkg-query', '-W', '--showformat', format])
  return stdout.split('\n').flatMap((line) => {
    const seen = parseLine(line)
    return seen ? [{ name: seen.name, ensure: seen.ensure, mark: seen.desired === 'hold' ? 'hold' : 'none' }] : []
  })
}

/** Holds or unholds a package. A failure is ignored. */
export async function setMark({ resource, system }: PackageWork, mark: string): Promise<void> {
  const input = `${resource.name} ${mark === 'hold' ? 'hold' : 'install'}\n`
  await runProviderProgram(system, ['dpkg', '--set-selections'], { input })
}

/** Unholds a package during the installation; holds it afterwards, if desired. */
export async function withHoldReleased(work: PackageWork, install: () => Promise<void>): Promise<void> {
  const { resource, state } = work
  if ((state.seen ?? (await queryPackage(work)))['mark'] === 'hold') await setMark(work, 'none')
  try {
    await install()
  } finally {
    if (resource.get('mark') === 'hold') await setMark(work, 'hold')
  }
}

/** The package provider for package files, which are installed with `dpkg` and without apt. */
export const dpkg = definePackageProvider('dpkg', {
  doc: 'Package management via `dpkg`. Because this only uses `dpkg` and not `apt`, you must specify the source of any packages you want to manage.',
  suitable: { commands: ['dpkg', 'dpkg-deb', 'dpkg-query'] },
  features: ['holdable', 'virtual_packages', 'installable', 'uninstallable', 'upgradeable', 'purgeable'],
  list: listPackages,
  query: queryPackage,
  async install(work) {
    const { resource, run } = work
    const source = resource.get('source')
    if (source === undefined) throw new Error('You cannot install dpkg packages without a source')
    const conf = resource.get('configfiles') === 'keep' ? '--force-confold' : '--force-confnew'
    await withHoldReleased(work, async () => void (await run('dpkg', conf, '-i', source)))
  },
  uninstall: async ({ resource, run }) => void (await run('dpkg', '-r', resource.name)),
  purge: async ({ resource, run }) => void (await run('dpkg', '--purge', resource.name)),
  async latest({ resource, run, log }) {
    const missing = 'Could not update: You cannot install dpkg packages without a source'
    const { stdout } = await run('dpkg-deb', '--show', resource.get('source') ?? resource.fail(missing))
    const [name = '', version] = stdout.trim().split('\t')
    if (!name.includes(resource.name)) log('warning', `source doesn't contain named package, but ${name}`, 'provider')
    return version
  },
  set: { mark: setMark },
})
