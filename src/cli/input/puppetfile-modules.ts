import { defineIssues, throwIssue } from '../../base/issue.ts'
import { toEnvironmentName } from '../../code/environments/environment-name.ts'
import { resolveCommit } from '../../code/environments/git/commit-resolution.ts'
import { runGit } from '../../code/git/git-command.ts'
import type { GitObjectSource } from '../../code/git/git-object-source.ts'
import type { FetchedModule } from '../../deploy/modules/fetched-module.ts'
import { type DescribedContent, describeModules, listUnmetDependencies } from '../../deploy/modules/module-metadata.ts'
import { readCommittedLock, resolveModules } from '../../deploy/synthesis/commit-deployment.ts'
import { getBranchName } from '../../deploy/synthesis/deployments.ts'
import { openDeployments } from '../../deploy/synthesis/open-deployments.ts'
import type { Lock } from '../../deploy/synthesis/puppetfile-lock.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { Io } from '../command/command.ts'
import { printMessage } from '../command/messages.ts'
import { readBranchNaming } from './branch-naming.ts'
import { createModuleProgress } from './fetch-progress.ts'

const issues = defineIssues({
  NO_PUPPETFILE: { text: (a: { ref: string }) => `'${a.ref}' has no Puppetfile` },
})

/** Selects modules in the Puppetfile of a ref. */
export interface ModuleRequest {
  readonly source: GitObjectSource
  readonly ref: string
  /** Modules that are resolved again, although they are locked. */
  readonly anew?: 'all' | ReadonlySet<string> | undefined
  /** True to resolve the versions in the Puppetfile instead of using the locked versions. */
  readonly withoutLock?: boolean
}

/** The modules of a Puppetfile, fetched and described. */
export interface PuppetfileModules {
  readonly environment: string
  readonly commit: string
  readonly lock: Lock
  readonly modules: readonly DescribedContent[]
}

/** Fetches the modules of a Puppetfile, and warns about unmet dependencies. Throws NO_PUPPETFILE, and errors of modules. */
export async function fetchPuppetfileModules(
  asked: ModuleRequest,
  settings: Settings,
  io: Io,
): Promise<PuppetfileModules> {
  const { source, ref, anew, withoutLock = false } = asked
  const commit = await resolveCommit(source, ref)
  const branch = await resolveBranch(source, ref)
  const naming = await readBranchNaming(source.path, settings, io)
  const [environment = toEnvironmentName(branch)] = naming(branch)
  const { deployments, close } = openDeployments(source, settings, { naming })
  try {
    const lock = await readCommittedLock(source, commit)
    const resolved = await resolveModules(deployments.parts, {
      ...{ commit, branch, environment, anew, withoutLock },
      known: lock && { source: commit, lock },
      progress: createModuleProgress(io),
    })
    if (!resolved) return throwIssue(issues.NO_PUPPETFILE, { ref })
    const entries = new Map(resolved.lock.modules.map((entry) => [entry.path, entry]))
    const fetched = resolved.puppetfile.modules.flatMap((module): FetchedModule[] => {
      const { tree, resolved, sha256 } = entries.get(module.path) ?? {}
      return tree === undefined || resolved === undefined ? [] : [{ module, tree, resolved, sha256 }]
    })
    const modules = await describeModules(deployments.parts.place, fetched)
    printUnmetDependencies(modules, io)
    return { environment, commit, lock: resolved.lock, modules }
  } finally {
    await close()
  }
}

function printUnmetDependencies(modules: readonly DescribedContent[], io: Io): void {
  for (const { parent, dependency, installed } of listUnmetDependencies(modules)) {
    const there = installed === undefined ? 'not in the Puppetfile' : `the Puppetfile has ${installed}`
    printMessage(
      'Warning',
      `${parent.fetched.module.title} needs ${dependency.name} (${dependency.range}): ${there}`,
      io,
    )
  }
}

/** The branch of a ref; for HEAD, the checked-out branch. */
async function resolveBranch({ path: gitDir }: GitObjectSource, ref: string): Promise<string> {
  if (getBranchName(ref) !== 'HEAD') return getBranchName(ref)
  const name = await runGit({ gitDir, quarantine: false }, ['symbolic-ref', '--short', '-q', 'HEAD']).catch(() => ref)
  return name.toString().trim()
}
