import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { AuditLog } from '../../audit/audit-log.ts'
import { PuppetError } from '../../base/issue.ts'
import type { GitObjectSource } from '../../git/git-object-source.ts'
import { removeDeadQuarantines } from '../../git/quarantine.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Rule } from '../auth/rule.ts'
import { pushHooks } from './push-hooks.ts'
import { nameByPath, type Repositories, repositoriesOf } from './repositories.ts'
import { gitRoutes } from './routes.ts'

/** Parts of git over HTTPS, as a server has them. */
export interface GitParts {
  readonly settings: Pick<Settings, 'code_repo' | 'vardir' | 'confdir' | 'rundir' | 'max_push_bytes'>
  /** Settings of the command line, which the hooks' program gets, too. */
  readonly given: Readonly<Record<string, string>>
  readonly source: GitObjectSource | undefined
  readonly audit: AuditLog | undefined
  readonly log: Logger
  rules(): readonly Rule[]
}

/** Serves the repositories of a server over HTTPS. */
export async function openGit(http: FastifyInstance, parts: GitParts): Promise<void> {
  const { settings, given, source, audit, log, rules } = parts
  const { vardir, confdir, rundir } = settings
  const hooks = pushHooks(settings, { confdir, vardir, rundir, ...given })
  if (source) {
    await hooks.write()
    const dead = await removeDeadQuarantines(source.path, Date.now())
    if (dead > 0) log.info(`Removed what ${dead} broken pushes left in ${source.path}`)
  }
  const repositories = source ? repositoryHere(source, parts) : new Map()
  gitRoutes(http, { repositories, maxBytes: settings.max_push_bytes, hooks, audit, rules })
}

/** The code repository by its name; without one that an address can have it is not served. */
function repositoryHere({ path }: GitObjectSource, { settings, log }: GitParts): Repositories {
  try {
    return repositoriesOf([[nameByPath(settings.code_repo), path]])
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    log.warn(`The repository is not served over HTTPS: ${error.message}`)
    return new Map()
  }
}
