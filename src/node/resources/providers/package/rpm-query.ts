import { compareVersions } from '../../../../language/values/compare-versions.ts'
import { failWithFormError } from '../../issues.ts'
import { type PropertyValues, type ProviderServices, runProviderProgram } from '../../provider.ts'
import type { FoundPackage, PackageWork } from './package-provider.ts'

const format = '%{NAME} %|EPOCH?{%{EPOCH}}:{0}| %{VERSION} %{RELEASE} %{ARCH}\\n'

/** Separator between versions of a package that are installed side by side. */
export const betweenVersions = '; '

/** True if rpm works on this machine. */
export async function hasRpm({ system }: ProviderServices): Promise<boolean> {
  const { status } = await runProviderProgram(system, ['rpm', '--version'])
  return status === 0
}

/** Flags that disable unneeded signature and digest checks. */
async function getFastFlags(services: ProviderServices): Promise<readonly string[]> {
  const version = await readRpmProgramVersion(services)
  const selectFlag = (first: string, flag: string) => (compareVersions(version, first) < 0 ? '' : flag)
  return [selectFlag('4.1', '--nosignature'), selectFlag('4.0.2', '--nodigest')]
}

/** The version of the program `rpm` itself. */
export async function readRpmProgramVersion({ system }: ProviderServices): Promise<string> {
  const { stdout } = await runProviderProgram(system, ['rpm', '--version'])
  return stdout.replaceAll('RPM version ', '').trim()
}

/** All installed packages. */
export async function listRpms(services: ProviderServices): Promise<readonly FoundPackage[]> {
  const flags = (await getFastFlags(services)).filter((flag) => flag !== '')
  const { status, stdout } = await runProviderProgram(services.system, ['rpm', '-qa', ...flags, '--qf', format])
  if (status !== 0) failWithFormError('Failed to list packages')
  return parseRpmLines(stdout.split('\n').sort())
}

/** Finds one package by its name or by a capability that it provides. */
export async function queryRpm(work: PackageWork): Promise<PropertyValues | undefined> {
  const { resource, system } = work
  const words = ['rpm', '-q', resource.name, ...(await getFastFlags(work)), '--qf', format]
  let asked = await runProviderProgram(system, words)
  if (asked.status !== 0 && resource.get('allow_virtual') !== false)
    asked = await runProviderProgram(system, [...words, '--whatprovides'])
  return asked.status === 0 ? parseRpmLines(asked.stdout.split('\n'))[0] : undefined
}

/** The version in a package file. */
export async function readPackageFileVersion({ run }: PackageWork, source: string): Promise<string | undefined> {
  const { stdout } = await run('rpm', '-q', '--qf', format, '-p', source)
  return parseRpmLines(stdout.split('\n'))[0]?.['ensure'] as string | undefined
}

/** Parses rpm's lines into packages; versions installed side by side are joined. */
function parseRpmLines(lines: readonly string[]): readonly FoundPackage[] {
  const found: (Record<string, string> & { name: string })[] = []
  for (const line of lines) {
    const [, name, epoch, version, release, arch = ''] = /^'?(\S+) (\S+) (\S+) (\S+) (\S+)$/.exec(line.trim()) ?? []
    if (name === undefined || version === undefined || release === undefined) continue
    const full = `${epoch === '0' ? '' : `${epoch}:`}${version}-${release}`
    const last = found.at(-1)
    if (last?.name !== name) found.push({ name, ensure: full, version, release, arch })
    else if (!last['ensure']!.includes(full)) last['ensure'] += `${betweenVersions}${full}`
  }
  return found
}
