import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { PuppetError } from '../../base/issue.ts'
import type { GitObjectSource } from '../../code/git/git-object-source.ts'
import { removeAbandonedQuarantines } from '../../code/git/quarantine.ts'
import type { CodeSources } from '../../deploy/sources/code-sources.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { AuditLog } from '../../store/audit/audit-log.ts'
import type { Rule } from '../auth/rule.ts'
import { createPushHooks } from './push-hooks.ts'
import { createRepositoryTable, type Repositories, toRepositoryName } from './repositories.ts'
import { addGitRoutes } from './routes.ts'
import { openSourceRepositories } from './source-repositories.ts'

/** Dependencies of git over HTTPS. */
export interface GitParts {
  readonly settings: Pick<
    Settings,
    'code_repo' | 'git_repositories' | 'vardir' | 'confdir' | 'rundir' | 'max_push_bytes'
  >
  /** Settings from the command line, passed on to the hooks' program. */
  readonly given: Readonly<Record<string, string>>
  readonly source: GitObjectSource | undefined
  readonly sources: Pick<CodeSources, 'all'> | undefined
  readonly audit: AuditLog | undefined
  readonly log: Logger
  rules(): readonly Rule[]
}

/** Serves the repositories over HTTPS. Throws GIT_REPOSITORY_…, REPOSITORY_…. */
export async function openGitServer(http: FastifyInstance, parts: GitParts): Promise<void> {
  const { settings, given, audit, log, rules } = parts
  const { vardir, confdir, rundir } = settings
  const hooks = createPushHooks(settings, { confdir, vardir, rundir, ...given })
  const repositories = await openRepositories(parts)
  if (repositories.size > 0) await hooks.write()
  for (const gitDir of repositories.values()) {
    const dead = await removeAbandonedQuarantines(gitDir, Date.now())
    if (dead > 0) log.info(`Removed the temporary files of ${dead} interrupted pushes in ${gitDir}`)
  }
  addGitRoutes(http, { repositories, maxBytes: settings.max_push_bytes, hooks, audit, rules })
}

/** The code repository, and the source repositories that the settings name. */
async function openRepositories(parts: GitParts): Promise<Repositories> {
  const { settings, source, sources } = parts
  const named = await openSourceRepositories(settings.git_repositories, sources?.all ?? [])
  return createRepositoryTable([...(source ? getCodeRepository(source, parts) : []), ...named])
}

/**
 * Returns the code repository with its name. If the name is not allowed in a URL, logs a warning
 * and does not serve the repository.
 */
function getCodeRepository({ path }: GitObjectSource, { settings, log }: GitParts) {
  const named = [[toRepositoryName(settings.code_repo), path]] as const
  try {
    createRepositoryTable(named)
    return named
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    log.warn(`The repository is not served over HTTPS: ${error.message}`)
    return []
  }
}
