import type { AuditLog } from '../audit/audit-log.ts'
import { CodeChecker } from '../deploy/code-checker.ts'
import { openDirectoryEnvironments } from '../environments/directory-environments.ts'
import type { Environments } from '../environments/environments.ts'
import { openGitEnvironments } from '../environments/git/git-environments.ts'
import type { GitObjectSource } from '../git/git-object-source.ts'
import type { KeptCommits } from '../store/kept-commits.ts'
import type { AheadRounds } from './ahead/rounds.ts'
import type { ServerParts } from './code-server.ts'
import type { MovedBranches } from './gate/moved-branches.ts'
import { pinoLevel } from './logger.ts'
import { noteChange } from './sealing/open-audit.ts'

/** Parts of a server that its environments need. */
export interface EnvironmentParts {
  readonly source: GitObjectSource | undefined
  readonly audit: AuditLog | undefined
  readonly ahead: AheadRounds
  readonly kept: KeptCommits
  readonly moved: MovedBranches | undefined
}

/** Environments, and the way to let go of them. */
export interface OpenedEnvironments {
  readonly environments: Environments
  close(): Promise<unknown>
}

/** The environments of the repository, or of folders where there is none. */
export async function openEnvironments(
  { settings, log, telemetry }: ServerParts,
  { source, audit, ahead, kept, moved }: EnvironmentParts,
): Promise<OpenedEnvironments> {
  if (!source) {
    const environments = openDirectoryEnvironments(settings)
    return { environments, close: () => environments.close() }
  }
  const checker = new CodeChecker(source, settings)
  const environments = await openGitEnvironments({
    source,
    settings,
    check: (code, served) => checker.check(code, served),
    ...(moved && { gate: (move) => moved.pass(move) }),
    changed(change) {
      noteChange(audit, change)
      telemetry.deployed(change)
      if (change.result !== 'refused') ahead.served(change.environment, change.new)
    },
    ahead: (environment) => ahead.progressOf(environment),
    named: (commits) => kept.among(commits),
    pinnedFor: settings.code_pin_ttl * 1000,
    log: (level, message) => log[pinoLevel(level)](message),
  })
  // Both at once: the load of a commit waits for the checker's answer.
  return { environments, close: () => Promise.all([environments.close(), checker.close()]) }
}
