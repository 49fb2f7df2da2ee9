import { openDirectoryEnvironments } from '../../code/environments/directory-environments.ts'
import type { Environments } from '../../code/environments/environments.ts'
import { openGitEnvironments } from '../../code/environments/git/git-environments.ts'
import type { GitObjectSource } from '../../code/git/git-object-source.ts'
import { CodeChecker } from '../../deploy/code-checker.ts'
import type { CodeSources } from '../../deploy/sources/code-sources.ts'
import { openServedDeployments } from '../../deploy/synthesis/open-deployments.ts'
import type { ServedDeployments } from '../../deploy/synthesis/served-deployments.ts'
import type { AuditLog } from '../../store/audit/audit-log.ts'
import type { KeptCommits } from '../../store/kept-commits.ts'
import type { AheadRounds } from '../ahead/rounds.ts'
import type { MovedBranches } from '../gate/moved-branches.ts'
import { pinoLevel } from '../logger.ts'
import { noteChange } from '../sealing/open-audit.ts'
import { openSharing } from './open-sharing.ts'
import type { ServerParts } from './server-parts.ts'

/** Parts of a server that have a word on what is served. */
export interface EnvironmentParts {
  readonly source: GitObjectSource | undefined
  readonly sources: CodeSources | undefined
  readonly audit: AuditLog | undefined
  readonly ahead: AheadRounds
  readonly kept: KeptCommits
  readonly moved: MovedBranches | undefined
}

/** The environments of a server. */
export interface OpenedEnvironments {
  readonly environments: Environments
  /** Deployments of branches with a Puppetfile; `undefined` where Puppetfiles are not read. */
  readonly deployments: ServedDeployments | undefined
  close(): Promise<unknown>
}

/** Opens the environments of the settings: branches of a repository, or folders. */
export async function openEnvironments(
  { settings, log, telemetry }: Pick<ServerParts, 'settings' | 'log' | 'telemetry'>,
  { source, sources, audit, ahead, kept, moved }: EnvironmentParts,
): Promise<OpenedEnvironments> {
  if (!source) {
    const environments = openDirectoryEnvironments(settings)
    return { environments, deployments: undefined, close: () => environments.close() }
  }
  const checker = new CodeChecker(source, settings)
  const sharing = sources && openSharing({ settings, log, source, sources })
  const deployer = openServedDeployments(source, settings, {
    shared: sharing?.deployments,
    sourceBranch: (environment) => sources?.branchOf(environment),
    say: (level, message) => log[level](message),
    decided: () => void opened?.refresh().catch(() => {}),
  })
  let opened: Environments | undefined
  const environments = await openGitEnvironments({
    ...{ source, settings, deployer: deployer?.served },
    check: (code, served) => checker.check(code, served),
    ...(moved && { gate: (move) => moved.pass(move) }),
    changed(change) {
      noteChange(audit, change)
      telemetry.deployed(change)
      if (change.result !== 'refused') ahead.served(change.environment, change.new)
    },
    ahead: (environment) => ahead.progressOf(environment),
    ...(sharing && { lacking: sharing.lacking.find, unpinned: (commit) => void sharing.deployments.release(commit) }),
    named: (commits) => kept.among(commits),
    pinnedFor: settings.code_pin_ttl * 1000,
    log: (level, message) => log[pinoLevel(level)](message),
  })
  opened = environments
  // All at once: the load of a commit waits for the checker's answer, and for modules.
  const close = () => Promise.all([environments.close(), checker.close(), deployer?.close(), sharing?.close()])
  return { environments, deployments: deployer?.served, close }
}
