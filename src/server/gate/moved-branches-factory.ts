import { join } from 'node:path'
import type { Logger } from 'pino'
import type { BranchMove } from '../../code/environments/git/git-environments-options.ts'
import { getPassedFolder, PassedCommits } from '../../deploy/gate/passed-commits.ts'
import type { ApprovalGate } from '../../deploy/review/approval-gate.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { MovedBranches } from './moved-branches.ts'

/** Detects branches of a git directory that moved without running the hooks. */
export function createMovedBranches(
  settings: Settings,
  gitDir: string,
  { log, approvals }: { readonly log: Logger; readonly approvals: Pick<ApprovalGate, 'hasRules'> | undefined },
): MovedBranches {
  const own = new PassedCommits(join(settings.server_datadir, 'passed'))
  const passed = [own, new PassedCommits(getPassedFolder(gitDir))]
  const hasApprovalRules = approvals && ((move: BranchMove) => approvals.hasRules(move))
  return new MovedBranches({ settings, passed, own, hasApprovalRules, say: (level, message) => log[level](message) })
}
