import { failWithFormError, failWithMessage } from '../../issues.ts'
import { type PropertyValues, type ProviderServices, runProviderProgram } from '../../provider.ts'
import { definePackageProvider, type FoundPackage, type PackageWork } from './package-provider.ts'

const names = ['Archlinux', 'Manjarolinux']
const quiet = ['--noconfirm', '--noprogressbar']

/** The package provider for packages and groups of Arch Linux. */
export const pacman = definePackageProvider('pacman', {
  doc: 'Support for the Package Manager Utility (pacman) used in Archlinux.',
  suitable: { commands: ['pacman'], facts: { 'os.name': names } },
  defaultFor: { 'os.name': names },
  features: ['install_options', 'uninstall_options', 'upgradeable', 'virtual_packages', 'installable', 'uninstallable'],
  async list(services) {
    const packages = await listInstalledPackages(services)
    const groups = await listInstalledGroups(services, packages)
    const toPackages = (entries: Iterable<[string, string]>): FoundPackage[] =>
      [...entries].map(([name, ensure]) => ({ name, ensure }))
    return [...toPackages([...packages].sort(([a], [b]) => (a < b ? -1 : 1))), ...toPackages(groups)]
  },
  query: queryPackage,
  async install(work) {
    const { resource } = work
    if (resource.has('source')) await installFromFile(work, String(resource.get('source')))
    else await installFromRepository(work)
    if (!(await queryPackage(work))) failWithMessage(`Could not find package '${resource.name}'`)
  },
  async uninstall(work) {
    const { resource } = work
    const group = await isGroup(work)
    if (group && resource.get('allow_virtual') === false)
      failWithMessage(`Refusing to uninstall package group ${resource.name}, because allow_virtual is false.`)
    const options = resource.get('uninstall_options') ?? []
    await runPackageManager(work, [...quiet, ...options, '-R', ...(group ? ['-s'] : []), resource.name])
  },
  async latest(work) {
    const { resource, run } = work
    if (await isGroup(work)) {
      const { output } = await run('pacman', '-Sp', '--print-format', '%n %v', resource.name)
      return splitLines(output).sort().join(', ')
    }
    const words = ['-Sp', '--print-format', '%v', resource.name]
    if (!(await hasYaourt(work))) return parseTargetVersion((await run('pacman', ...words)).output)
    const asked = await runProviderProgram(work.system, ['pacman', ...words])
    if (asked.status === 0) return parseTargetVersion(asked.output)
    const { output } = await run('yaourt', '-Qma', resource.name)
    return splitLines(output)
      .find((line) => line.startsWith('aur'))
      ?.split(/\s+/)[1]
  },
})

/** The version of the package itself, which follows those of the dependencies that an installation would add. */
function parseTargetVersion(output: string): string | undefined {
  return splitLines(output).at(-1)
}

function splitLines(output: string): string[] {
  return output.split('\n').filter((line) => line !== '')
}

async function hasYaourt({ system }: ProviderServices): Promise<boolean> {
  return (await system.files.stat('/usr/bin/yaourt')) !== undefined
}

/** Runs yaourt if installed, otherwise pacman. */
async function runPackageManager(work: PackageWork, words: readonly string[]): Promise<void> {
  await work.run((await hasYaourt(work)) ? 'yaourt' : 'pacman', ...words)
}

async function isGroup({ system, resource }: PackageWork): Promise<boolean> {
  const { status, output } = await runProviderProgram(system, ['pacman', '-Sg', resource.name])
  return status === 0 && output !== ''
}

async function listInstalledPackages({ system }: ProviderServices): Promise<ReadonlyMap<string, string>> {
  const { status, stdout } = await runProviderProgram(system, ['pacman', '-Q'])
  if (status !== 0) failWithFormError('Error getting installed packages')
  const pairs = splitLines(stdout).flatMap((line) => {
    const [, name, version] = /^(\S+)\s(\S+)/.exec(line) ?? []
    return name === undefined || version === undefined ? [] : [[name, version] as const]
  })
  return new Map(pairs)
}

/** Groups whose packages are all installed, with their versions; only the group `name`, if given. */
async function listInstalledGroups(
  { system }: ProviderServices,
  installed: ReadonlyMap<string, string>,
  name?: string,
): Promise<ReadonlyMap<string, string>> {
  const { status, stdout } = await runProviderProgram(system, ['pacman', '-Sgg', ...(name === undefined ? [] : [name])])
  if (status !== 0) return name === undefined ? failWithFormError('Error getting installed packages') : new Map()
  const groups = new Map<string, string[]>()
  for (const line of splitLines(stdout)) {
    const [group = '', member = ''] = line.split(/\s+/)
    groups.set(group, [...(groups.get(group) ?? []), member])
  }
  const whole = [...groups].filter(([, members]) => members.every((member) => installed.has(member)))
  const formatVersions = (members: string[]) => members.sort().map((member) => `${member} ${installed.get(member)}`)
  return new Map(whole.map(([group, members]) => [group, formatVersions(members).join(', ')]))
}

async function queryPackage(work: PackageWork): Promise<PropertyValues | undefined> {
  const { resource, log } = work
  const { name } = resource
  const installed = await listInstalledPackages(work)
  const group = (await listInstalledGroups(work, installed, name)).get(name)
  if (group !== undefined && resource.get('allow_virtual') === false) {
    log('warning', `${name} is a group, but allow_virtual is false.`, 'provider')
    return undefined
  }
  const version = group ?? installed.get(name)
  return version === undefined ? undefined : { ensure: version }
}

async function installFromRepository(work: PackageWork): Promise<void> {
  const { resource } = work
  if ((await isGroup(work)) && resource.get('allow_virtual') === false)
    failWithMessage(`Refusing to install package group ${resource.name}, because allow_virtual is false.`)
  const options = resource.get('install_options') ?? []
  await runPackageManager(work, ['--noconfirm', '--needed', '--noprogressbar', ...options, '-S', resource.name])
}

async function installFromFile({ run }: PackageWork, source: string): Promise<void> {
  const [, scheme] = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(source) ?? []
  if (scheme !== undefined && /puppet/i.test(scheme)) failWithFormError('puppet:// URL is not supported by pacman')
  if (scheme !== undefined && !/https?|ftp|file/i.test(scheme))
    failWithMessage(`Source ${source} is not supported by pacman`)
  const path = scheme !== undefined && /file/i.test(scheme) ? new URL(source).pathname : source
  await run('pacman', ...quiet, '-U', path)
}
