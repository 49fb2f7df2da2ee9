import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { PuppetError, throwIssue } from '../../base/issue.ts'
import { toPrintable } from '../../base/text/printable.ts'
import { joinPath } from '../../code/environments/modules.ts'
import { ForgeModules } from '../../deploy/module-tool/forge-modules.ts'
import { InstalledModules } from '../../deploy/module-tool/installed-modules.ts'
import { moduleToolIssues } from '../../deploy/module-tool/issues.ts'
import type { ModuleToolContext } from '../../deploy/module-tool/module-installation.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { CommandInvocation, Io } from '../command/command.ts'
import { printMessage } from '../command/messages.ts'
import type { MayHave, Option } from '../command/options.ts'
import { loadCodeSettings, openCodeWithOverrides } from '../input/code-source.ts'

/** Option for the directory of the installation. */
export const targetDirOption = {
  flags: '-i, --target-dir <dir>',
  doc: 'Directory of the modules. Default: the first directory of the modulepath.',
} as const satisfies Option

/** Option for changes without dependencies. */
export const ignoreDependenciesOption = {
  flags: '--ignore-dependencies',
  doc: 'Change only this module, not its dependencies. Implied by --force.',
} as const satisfies Option

/** Option for changes without the Forge. */
export const offlineOption = {
  flags: '--offline',
  doc: 'Send no request; use only releases that were downloaded before.',
} as const satisfies Option

/** Option for changes of modules with changed files. */
export const ignoreChangesOption = {
  flags: '-c, --ignore-changes',
  doc: 'Discard local changes of the module. Implied by --force.',
} as const satisfies Option

type Asked = Pick<CommandInvocation, 'settings' | 'io'> & {
  readonly options: MayHave<
    readonly [typeof targetDirOption, typeof offlineOption, { flags: '--render-as <format>'; doc: '' }]
  >
}

/** The settings and directories of a change. */
export interface ModulePlaces {
  readonly settings: Settings
  /** The first directory receives new modules. */
  readonly modulepath: readonly string[]
}

/** Reads the settings and the modulepath of a change. Throws MODULE_IN_REPOSITORY. */
export async function readModulePlaces(asked: Asked): Promise<ModulePlaces> {
  const settings = loadCodeSettings({ options: {}, settings: asked.settings }, 'user')
  return { settings, modulepath: await listDirectories(asked, settings) }
}

async function listDirectories(
  { options, settings: given, io }: Asked,
  settings: Settings,
): Promise<readonly string[]> {
  const asked = { options: {}, settings: given, io }
  const target = options.targetDir === undefined ? [] : [resolve(options.targetDir)]
  if (settings.code_repo !== '' && settings.modulepath.length === 0)
    return target.length > 0
      ? target
      : throwIssue(moduleToolIssues.MODULE_IN_REPOSITORY, { repository: settings.code_repo })
  if (settings.modulepath.length > 0) return [...target, ...settings.modulepath.map((path) => resolve(path))]
  const { modulepath } = await openCodeWithOverrides(asked, settings, { mayBeAbsent: true })
  const own = modulepath.map(({ tree, path }) => joinPath(tree.root, path))
  const all = [...target, ...own]
  return all.length > 0 ? all : settings.basemodulepath.map((path) => resolve(path))
}

/** Returns the closest directory with a metadata.json: the path, or a directory above. Throws MODULE_NO_ROOT. */
export function findModuleRoot(path: string): string {
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    if (existsSync(resolve(folder, 'metadata.json'))) return folder
    if (folder === dirname(folder)) return throwIssue(moduleToolIssues.MODULE_NO_ROOT, { path })
  }
}

/**
 * Opens the installed modules and the Forge for a command, and closes the Forge afterwards. Throws MODULE_NOT_CACHED if
 * the command fails offline.
 */
export async function withModuleTool<Result>(
  { io, options }: Asked,
  { settings, modulepath }: ModulePlaces,
  work: (context: ModuleToolContext) => Promise<Result>,
): Promise<Result> {
  const warn = (message: string) => printMessage('Warning', message, io)
  const forge = new ForgeModules(settings, warn, options.offline === true)
  try {
    const notice = (message: string) => printNotice(message, io, options.renderAs === 'json')
    const installed = new InstalledModules(modulepath.filter((path) => existsSync(path)))
    return await work({ installed, forge, maxBytes: settings.max_module_bytes, notice, warn })
  } catch (error) {
    if (error instanceof PuppetError && forge.uncached.size > 0)
      throwIssue(moduleToolIssues.MODULE_NOT_CACHED, { names: [...forge.uncached].sort(), folder: forge.place })
    throw error
  } finally {
    await forge.close()
  }
}

/** Prints a notice as Puppet does: on standard output, or on standard error beside JSON. */
export function printNotice(message: string, io: Io, isJson: boolean): void {
  const text = `Notice: ${message.split('\n').map(toPrintable).join('\n')}`
  const shown = `${io.color ? `\u001b[mNotice: ${text.slice('Notice: '.length)}\u001b[0m` : text}\n`
  if (isJson) io.err(shown)
  else io.out(shown)
}
