import { join } from 'node:path'
import type { Logger } from 'pino'
import { getPassedFolder, PassedCommits } from '../../deploy/gate/passed-commits.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { MovedBranches } from './moved-branches.ts'

/** Detects branches of a git directory that moved without running the hooks. */
export function createMovedBranches(settings: Settings, gitDir: string, log: Logger): MovedBranches {
  const own = new PassedCommits(join(settings.server_datadir, 'passed'))
  const passed = [own, new PassedCommits(getPassedFolder(gitDir))]
  return new MovedBranches({ settings, passed, own, say: (level, message) => log[level](message) })
}
