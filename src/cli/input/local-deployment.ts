import type { ResolveDeployedCommit } from '../../code/environments/git/branch-deployer.ts'
import type { GitObjectSource } from '../../code/git/git-object-source.ts'
import { openDeployments } from '../../deploy/synthesis/open-deployments.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { Io } from '../command/command.ts'
import { createModuleProgress } from './fetch-progress.ts'

/**
 * Deploys commits in this process. A commit with a Puppetfile is replaced by the commit with its modules, which is created if
 * it does not exist yet. No ref is written.
 */
export function deployLocally(
  source: GitObjectSource,
  settings: Settings,
  io: Io,
): { readonly deployed: ResolveDeployedCommit; close(): Promise<void> } {
  const { deployments, close } = openDeployments(source, settings, { progress: createModuleProgress(io) })
  return { deployed: deployments.deployed, close }
}
