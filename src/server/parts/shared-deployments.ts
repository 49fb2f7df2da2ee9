import { join } from 'node:path'
import type { Logger } from 'pino'
import type { GitObjectSource } from '../../code/git/git-object-source.ts'
import { MissingCommits } from '../../deploy/shared/missing-commits.ts'
import { type DeployLock, SharedDeployments } from '../../deploy/shared/shared-deployments.ts'
import type { CodeSources } from '../../deploy/sources/code-sources.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { withAdvisoryLock } from '../../store/database/advisory-lock.ts'
import { parseStoreSetting } from '../../store/store-location.ts'

interface SharingParts {
  readonly settings: Settings
  readonly log: Logger
  readonly source: GitObjectSource
  readonly sources: CodeSources
}

/** Code shared with other servers that have the same sources. */
interface OpenedSharing {
  readonly deployments: SharedDeployments
  readonly lacking: MissingCommits
  close(): Promise<unknown>
}

/** Opens the shared repository that the file of sources names; undefined if it names none. */
export function openSharing({ settings, log, source, sources }: SharingParts): OpenedSharing | undefined {
  let named = sources.deployed
  if (!named) return undefined
  const deployments = new SharedDeployments({
    store: { gitDir: source.path, quarantine: false },
    incoming: join(settings.vardir, 'sources', 'deployed.git'),
    // If a reload removes the shared repository from the file of sources, the server uses the previous one until it
    // stops.
    remote: () => (named = sources.deployed ?? named!),
    lock: createLock(settings, log),
    say: (level, message) => log[level](message),
  })
  const lacking = new MissingCommits({
    has: async (commit) => (await source.resolveRef(commit)) === commit,
    fetchCommits: (commits) => deployments.fetchCommits(commits),
    fetchSources: () => sources.fetch(),
    say: (level, message) => log[level](message),
  })
  return { deployments, lacking, close: () => Promise.all([lacking.close(), deployments.close()]) }
}

/** A lock in the store's PostgreSQL. Without the lock two servers may do the same work twice, without harm. */
function createLock(settings: Settings, log: Logger): DeployLock {
  const store = parseStoreSetting(settings)
  const url = store.kind === 'own' ? store.postgresql : undefined
  if (url === undefined) {
    log.warn(
      'Servers share deployments, but store is not a PostgreSQL server: several servers may deploy the same commit at the same time',
    )
    return (_, __, work) => work()
  }
  return (environment, signal, work) => {
    const unavailable = (error: unknown) =>
      log.warn(`Deploying environment ${environment} without a lock shared with other servers: ${formatError(error)}`)
    return withAdvisoryLock({ url, name: `deploy ${environment}`, signal, unavailable }, work)
  }
}
