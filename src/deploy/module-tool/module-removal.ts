import { throwIssue } from '../../base/issue.ts'
import { acceptsVersion } from './dependency-resolution.ts'
import { getVersion, type InstalledModule, type InstalledModules } from './installed-modules.ts'
import { moduleToolIssues as issues } from './issues.ts'
import { ModuleDirectory } from './module-directory.ts'
import { hasChanges, requireRange } from './module-installation.ts'

/** Options of an uninstallation. */
export interface UninstallRequest {
  readonly name: string
  readonly version: string | undefined
  readonly force: boolean
  readonly ignoresChanges: boolean
}

/** Uninstalls a module. Puppet: applications/uninstaller.rb. Throws MODULE_…. */
export async function uninstallModule(
  installed: InstalledModules,
  request: UninstallRequest,
): Promise<InstalledModule> {
  const { force, version: requested } = request
  const name = request.name.replace('/', '-')
  if (requested !== undefined) requireRange(requested)
  const module = findInstalled(installed, name, requested)
  if (!force && !request.ignoresChanges && module.forgeName !== undefined && (await hasChanges(module)))
    throwIssue(issues.MODULE_LOCAL_CHANGES, { action: 'uninstall', name, requested, installed: module.version })
  const requiredBy = force ? [] : installed.listDependents(name)
  if (requiredBy.length > 0)
    throwIssue(issues.MODULE_REQUIRED, { name, requested, installed: module.version, requiredBy })
  const directory = new ModuleDirectory(module.directory)
  await directory.change((scratch) => directory.remove(module.folderName, scratch))
  return module
}

function findInstalled(installed: InstalledModules, name: string, requested: string | undefined): InstalledModule {
  const named = installed.all.filter((each) => each.name === name)
  const found = named.filter(
    (each) => requested === undefined || each.version === undefined || acceptsVersion(requested, getVersion(each)),
  )
  const action = 'uninstall'
  const toShown = (modules: readonly InstalledModule[]) => modules.map((each) => ({ ...each, folder: each.directory }))
  if (found.length > 1) throwIssue(issues.MODULE_TWICE, { name, action, modules: toShown(found) })
  if (named.length === 0) {
    const suggestions = installed.all.map((each) => each.name).filter((each) => each.includes(name))
    throwIssue(issues.MODULE_NOT_INSTALLED, { name, action, suggestions })
  }
  return (
    found[0] ?? throwIssue(issues.MODULE_NO_VERSION_MATCHES, { name, range: requested ?? '', modules: toShown(named) })
  )
}
