import { throwIssue } from '../../base/issue.ts'
import { formatFullName } from './compact-index.ts'
import type { GemDirectory, InstalledGem } from './gem-directory.ts'
import { meetsAll, parseRequirements } from './gem-requirement.ts'
import { gemIssues as issues } from './issues.ts'

/** Options of a removal. */
export interface UninstallOptions {
  /** Versions to remove: a version or bounds. */
  readonly version?: string
  /** True to remove all versions. */
  readonly all?: boolean
  /** True to remove a gem that another gem requires. */
  readonly ignoresDependencies?: boolean
}

/** Removes versions of a gem, and returns them. Throws GEM_NOT_INSTALLED, GEM_SEVERAL, GEM_NEEDED, GEM_REQUIREMENT. */
export async function uninstallGem(
  directory: GemDirectory,
  name: string,
  { version, all = false, ignoresDependencies = false }: UninstallOptions,
): Promise<readonly InstalledGem[]> {
  const requirements = version === undefined ? undefined : parseRequirements(version)
  const remove = async (scratch: string) => {
    const installed = await directory.list()
    const named = installed.filter((each) => each.name === name)
    const chosen = requirements ? named.filter((each) => meetsAll(requirements, each.version)) : named
    const known = [...new Set(installed.map((each) => each.name))]
    if (chosen.length === 0) throwIssue(issues.GEM_NOT_INSTALLED, { name, version, known })
    if (chosen.length > 1 && !all)
      throwIssue(issues.GEM_SEVERAL, { name, versions: chosen.map((each) => each.version) })
    if (!ignoresDependencies) requireUnused(chosen, installed)
    for (const gem of chosen) await directory.remove(gem, scratch)
    return chosen
  }
  return directory.stage((scratch) => directory.lock(() => remove(scratch)))
}

/** Throws GEM_NEEDED if a gem that stays requires a gem that no remaining version provides. */
function requireUnused(chosen: readonly InstalledGem[], installed: readonly InstalledGem[]): void {
  const remaining = installed.filter((each) => !chosen.includes(each))
  for (const gem of chosen) {
    const dependents = remaining.filter(({ dependencies }) =>
      dependencies.some(
        ({ name, requirements }) =>
          name === gem.name &&
          meetsAll(requirements, gem.version) &&
          !remaining.some((each) => each.name === name && meetsAll(requirements, each.version)),
      ),
    )
    if (dependents.length > 0)
      throwIssue(issues.GEM_NEEDED, { fullName: formatFullName(gem), dependents: dependents.map(formatFullName) })
  }
}
