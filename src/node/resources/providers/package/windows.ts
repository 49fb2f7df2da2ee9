import { dirname } from 'node:path/win32'
import type { CommandOptions } from '../../../../machine/system/system.ts'
import { isAbsolutePath, toBackslashes } from '../../../../machine/windows/machine-path.ts'
import { getSystemProgram } from '../../../../machine/windows/system-programs.ts'
import { failWithMessage } from '../../issues.ts'
import type { PropertyValues } from '../../provider.ts'
import { runProviderProgram } from '../../provider.ts'
import { definePackageProvider, type PackageWork } from './package-provider.ts'
import { findPackageCode, type InstalledProgram, listInstalledPrograms } from './windows-programs.ts'

const rebootInitiated = 1641
const rebootRequired = 3010

/** Messages of Windows and of its installer for exit codes. */
const exitMessages: Readonly<Record<number, string>> = {
  2: 'The system cannot find the file specified.',
  5: 'Access is denied.',
  87: 'The parameter is incorrect.',
  1601: 'The Windows Installer Service could not be accessed. This can occur if the Windows Installer is not correctly installed. Contact your support personnel for assistance.',
  1602: 'User cancelled installation.',
  1603: 'Fatal error during installation.',
  1605: 'This action is only valid for products that are currently installed.',
  1612: 'The installation source for this product is not available. Verify that the source exists and that you can access it.',
  1618: 'Another installation is already in progress. Complete that installation before proceeding with this install.',
  1619: 'This installation package could not be opened. Verify that the package exists and that you can access it, or contact the application vendor to verify that this is a valid Windows Installer package.',
  1620: 'This installation package could not be opened. Contact the application vendor to verify that this is a valid Windows Installer package.',
  1625: 'This installation is forbidden by system policy. Contact your system administrator.',
  1638: 'Another version of this product is already installed. Installation of this version cannot continue. To configure or remove the existing version of this product, use Add/Remove Programs on the Control Panel.',
  1639: 'Invalid command line argument. Consult the Windows Installer SDK for detailed command line help.',
}

const guid = /^\{[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\}$/i

/** The package provider for MSI packages and self-extracting installers. */
export const windows = definePackageProvider('windows', {
  doc: 'Windows package management: MSI packages and self-extracting installers.',
  suitable: { facts: { kernel: ['windows'] } },
  defaultFor: { kernel: ['windows'] },
  features: ['installable', 'uninstallable', 'install_options', 'uninstall_options', 'versionable'],
  validate(resource) {
    if (resource.get('source') === '')
      resource.failAttribute('source', 'The source parameter cannot be empty when using the Windows provider.')
  },
  list: async ({ system }) =>
    (await listInstalledPrograms(system)).map((program) => ({ name: program.name, ...toProperties(program) })),
  async query(work) {
    const found = await findProgram(work)
    return found && toProperties(found)
  },
  async install(work) {
    const { resource, system } = work
    const source = resource.get('source')
    if (source === undefined) failWithMessage('The source parameter is required when using the Windows provider.')
    const options = resource.get('install_options') ?? []
    const bare = source.replace(/^"|"$/g, '')
    const folder = dirname(bare)
    const cwd = (await system.files.stat(folder)) === undefined ? undefined : folder
    if (/\.msi"?$/i.test(source))
      await runInstaller(work, msiexec, ['/qn', '/norestart', '/i', munge(source), ...options], cwd)
    else if (!/\.exe"?$/i.test(source)) failWithMessage(`Don't know how to install '${source}'`)
    else if ((await system.files.stat(bare)) === undefined) failWithMessage(`The source does not exist: '${source}'`)
    else await runInstaller(work, { file: toBackslashes(bare), shown: munge(source) }, options, cwd)
  },
  async uninstall(work) {
    const found = await findProgram(work)
    const options = work.resource.get('uninstall_options') ?? []
    if (!found) return
    if (found.productCode !== undefined)
      await runInstaller(work, msiexec, ['/qn', '/norestart', '/x', found.productCode, ...options])
    else {
      const { file, shown, rest } = await splitUninstallString(work, found.uninstallString)
      await runInstaller(work, { file, shown }, [...(rest === '' ? [] : [rest]), ...options])
    }
  },
})

interface Installer {
  readonly file: string
  /** The program as written in the command line. */
  readonly shown: string
}

const msiexec: Installer = { file: getSystemProgram('msiexec.exe'), shown: 'msiexec.exe' }

function toProperties({ version }: InstalledProgram): PropertyValues {
  return { ensure: version ?? 'present' }
}

/** The installed program of a resource, which names it by its display name, its product code or its package code. */
async function findProgram({ system, resource }: PackageWork): Promise<InstalledProgram | undefined> {
  const { name } = resource
  const all = await listInstalledPrograms(system)
  const code = name.toUpperCase()
  const found = all.find((each) => each.name === name || each.productCode?.toUpperCase() === code)
  if (found || !guid.test(name)) return found
  for (const each of all)
    if (each.productCode !== undefined && (await findPackageCode(system, each.productCode))?.toUpperCase() === code)
      return each
  return undefined
}

/** A path with backslashes, in quotes if it has a space. */
function munge(source: string): string {
  const path = toBackslashes(source)
  return path.includes(' ') && !path.startsWith('"') ? `"${path}"` : path
}

/**
 * The program and the arguments of a command that uninstalls a program. Without quotes, CreateProcess would try each part
 * before a space as a program (`C:\Program.exe`); here, the program is the shortest part that is a file.
 */
async function splitUninstallString(
  { system }: PackageWork,
  line: string,
): Promise<{ readonly file: string; readonly shown: string; readonly rest: string }> {
  const [, quoted, after = ''] = /^\s*"([^"]+)"(.*)$/s.exec(line) ?? []
  if (quoted !== undefined) return { file: await locate(quoted), shown: `"${quoted}"`, rest: after.trim() }
  for (const { index, 0: end } of line.matchAll(/\.exe(?=\s|$)/gi)) {
    const file = line.slice(0, index + end.length).trim()
    if (isAbsolutePath(file, true) && (await system.files.stat(file)) === undefined) continue
    return { file: await locate(file), shown: `"${file}"`, rest: line.slice(index + end.length).trim() }
  }
  const [first = '', ...others] = line.trim().split(/\s+/)
  return { file: await locate(first), shown: first, rest: others.join(' ') }

  /** Programs without a folder are those of Windows, such as `MsiExec.exe` and `rundll32.exe`. */
  async function locate(file: string): Promise<string> {
    if (isAbsolutePath(file, true)) return file
    const own = getSystemProgram(file)
    return (await system.files.stat(own)) === undefined ? ((await system.commands.find(file)) ?? file) : own
  }
}

async function runInstaller(
  work: PackageWork,
  { file, shown }: Installer,
  words: readonly string[],
  cwd?: string,
): Promise<void> {
  const { resource, system } = work
  const operation = resource.get('ensure') === 'absent' ? 'uninstall' : 'install'
  const commandLine = [shown, ...words].join(' ')
  work.log('debug', `Executing: '${resource.hasSecrets ? '[redacted]' : commandLine}'`, '')
  const options: CommandOptions = { commandLine, ...(cwd !== undefined && { cwd }), merged: true }
  const { status } = await runProviderProgram(system, [file], options)
  if (status === 0) return
  if (status === rebootInitiated)
    work.log('warning', `The package ${operation}ed successfully and the system is rebooting now.`, 'provider')
  else if (status === rebootRequired)
    work.log('warning', `The package ${operation}ed successfully, but the system must be rebooted.`, 'provider')
  else failWithMessage(`Failed to ${operation}:  ${exitMessages[status] ?? `exit code ${status}`}`)
}
