import { toEnvironmentName } from '../../../code/environments/environment-name.ts'
import { branches } from '../../../code/environments/git/branch-choice.ts'
import { lastServedPrefix } from '../../../code/git/ref-names.ts'
import { openRepository } from '../../../code/git/repository-opener.ts'
import { getControlPath, sendControlRequest } from '../../../deploy/control/control-socket.ts'
import { checkCommit, formatFirstError } from '../../../deploy/push-check.ts'
import type { Settings } from '../../../machine/settings/settings.ts'
import { type DoctorFinding, defineFaults } from '../finding.ts'
import type { Check } from '../installation.ts'

const faults = defineFaults('code', {
  ENVIRONMENT_NOT_SERVED: {
    severity: 'error',
    what: (a: { environment: string; commit: string | undefined; reason: string; served: string | undefined }) =>
      `Environment ${a.environment}: ${a.commit === undefined ? 'its code' : `commit ${a.commit}`} cannot be served: ${a.reason}`,
    why: 'Nodes receive catalogs of the last valid commit of the environment, or none if there is no such commit.',
    fix: (a) =>
      `Correct the code and push it${a.served === undefined ? '' : `; until then commit ${a.served} is served`}.`,
  },
})

/** Reports environments whose newest code the server rejects. Queries the running server, or checks the repository itself. */
export const repositoryCodeCheck: Check = {
  name: 'code',
  doc: 'environments whose newest code cannot be served',
  async run({ server }) {
    if (!server) return []
    const running = await sendControlRequest(getControlPath(server), 'status').catch(() => undefined)
    if (!running) return server.code_repo === '' ? [] : checkRepositoryCode(server)
    return running.environments.flatMap(({ name: environment, commit: served, refused }) =>
      refused ? [faults.ENVIRONMENT_NOT_SERVED({ environment, served, ...refused })] : [],
    )
  },
}

async function checkRepositoryCode(settings: Settings): Promise<DoctorFinding[]> {
  // Another check reports a repository that cannot be opened.
  const source = await openRepository(settings.code_repo).catch(() => undefined)
  if (!source) return []
  try {
    const findings: DoctorFinding[] = []
    const lastServed = (await source.listRefs(lastServedPrefix)).commits
    for (const [ref, commit] of (await source.listRefs(branches)).commits) {
      const environment = toEnvironmentName(ref.slice(branches.length))
      const served = lastServed.get(`${lastServedPrefix}${environment}`)
      if (served === commit) continue
      const problems = await checkCommit(source, commit, settings, served === undefined ? [] : [served])
      const reason = formatFirstError(problems)
      if (reason !== undefined) findings.push(faults.ENVIRONMENT_NOT_SERVED({ environment, commit, served, reason }))
    }
    return findings
  } finally {
    await source.close()
  }
}
