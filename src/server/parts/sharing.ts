import { join } from 'node:path'
import type { Logger } from 'pino'
import type { GitObjectSource } from '../../code/git/git-object-source.ts'
import { LackingCommits } from '../../deploy/shared/lacking-commits.ts'
import { type DeployLock, SharedDeployments } from '../../deploy/shared/shared-deployments.ts'
import type { CodeSources } from '../../deploy/sources/code-sources.ts'
import { errorText } from '../../language/ruby-semantics/errno.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { withAdvisoryLock } from '../../store/database/advisory-lock.ts'
import { namedStore } from '../../store/named-store.ts'

/** Parts of a server that may share its code with others. */
export interface SharingParts {
  readonly settings: Settings
  readonly log: Logger
  readonly source: GitObjectSource
  readonly sources: CodeSources
}

/** Sharing of code with other servers of the same sources. */
export interface OpenedSharing {
  readonly deployments: SharedDeployments
  readonly lacking: LackingCommits
  close(): Promise<unknown>
}

/** The sharing that the file of sources asks for; `undefined` where a server is alone. */
export function openSharing({ settings, log, source, sources }: SharingParts): OpenedSharing | undefined {
  let named = sources.deployed
  if (!named) return undefined
  const deployments = new SharedDeployments({
    store: { gitDir: source.path, quarantine: false },
    incoming: join(settings.vardir, 'sources', 'deployed.git'),
    // Servers that share do so until they end.
    remote: () => (named = sources.deployed ?? named!),
    lock: lockOf(settings, log),
    say: (level, message) => log[level](message),
  })
  const lacking = new LackingCommits({
    has: async (commit) => (await source.resolveRef(commit)) === commit,
    fetchCommits: (commits) => deployments.fetchCommits(commits),
    fetchSources: () => sources.fetch(),
    say: (level, message) => log[level](message),
  })
  return { deployments, lacking, close: () => Promise.all([lacking.close(), deployments.close()]) }
}

/** A lock in the PostgreSQL of the store: two servers that deploy the same at once do no harm, but twice the work. */
function lockOf(settings: Settings, log: Logger): DeployLock {
  const store = namedStore(settings)
  const url = store.kind === 'own' ? store.postgresql : undefined
  if (url === undefined) {
    log.warn(
      'Servers share what they deploy without a PostgreSQL in the setting store: several may deploy the same at once',
    )
    return (_, __, work) => work()
  }
  return (environment, signal, work) => {
    const unavailable = (error: unknown) =>
      log.warn(`Environment ${environment} is deployed without asking other servers: ${errorText(error)}`)
    return withAdvisoryLock({ url, name: `deploy ${environment}`, signal, unavailable }, work)
  }
}
