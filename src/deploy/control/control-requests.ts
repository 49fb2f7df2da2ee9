import type { Json } from '../../base/json/json-checks.ts'
import type { Environments } from '../../code/environments/environments.ts'
import type { BranchMove } from '../../code/environments/git/git-environments-options.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { AuditLog } from '../../store/audit/audit-log.ts'
import type { AuditRecord } from '../../store/audit/record.ts'
import { createNullOid } from '../push-check.ts'
import type { CodeSources } from '../sources/code-sources.ts'
import { parseSourceFetchRequest, runFetchRequest } from '../sources/fetch-request.ts'
import { runFreezeRequest } from '../sources/freeze-request.ts'
import type { ServedDeployments } from '../synthesis/server-deployments.ts'
import { type ControlRequests, getControlPath, type ServerSources, serveControl } from './control-socket.ts'
import { createUpdateHandler } from './module-update-request.ts'
import { parsePushRecords, parseSkipRequest } from './push-record.ts'

/** Parts of a server that handle requests on its control socket. */
export interface ControlParts {
  readonly settings: Pick<Settings, 'rundir'>
  readonly environments: Environments
  readonly repository: string | undefined
  readonly sources: CodeSources | undefined
  readonly audit: AuditLog | undefined
  readonly gate: ControlRequests['gate']
  /** Deployments of branches with a Puppetfile; `undefined` if the server ignores Puppetfiles. */
  readonly deployments: ServedDeployments | undefined
  /** Records that the gate is skipped for the move of a branch. */
  readonly moved: { skip(move: BranchMove): Promise<void> } | undefined
  warn(message: string): void
  reload(): Promise<void>
}

/**
 * Opens the control socket for `plumb code` and the hooks, and returns a function that closes it. After an error, the
 * server runs without the socket.
 */
export async function openControl(parts: ControlParts): Promise<() => Promise<void>> {
  const { settings, environments, repository, sources, audit, gate, deployments, moved, warn, reload } = parts
  const getStatus = async () => ({
    environments: await environments.status(),
    repository,
    trouble: environments.trouble,
    ...(sources && { sources: describeSources(sources) }),
  })
  const createStatusHandler = (work: () => Promise<void>) => () => work().then(getStatus)
  const addAuditRecord = (record: AuditRecord) => audit?.add(record)
  const recordPushes = (push: unknown) => {
    for (const record of parsePushRecords(push)) addAuditRecord(record)
  }
  try {
    const update = deployments && createUpdateHandler({ deployments, environments })
    const skip = moved && createSkipHandler(parts, moved, getStatus)
    const refresh = createStatusHandler(async () => {
      await sources?.fetchLocal()
      await environments.refresh()
    })
    const fetch = sources && ((asked: unknown) => fetchSources(asked, sources, environments))
    const freeze =
      sources &&
      ((asked: unknown) => runFreezeRequest(asked, sources, { now: Date.now(), note: addAuditRecord }).then(getStatus))
    const requests = {
      status: getStatus,
      refresh,
      reload: createStatusHandler(reload),
      pushed: recordPushes,
      gate,
      update,
      skip,
      fetch,
      freeze,
    }
    const control = await serveControl(getControlPath(settings), requests)
    return () => control.close()
  } catch (error) {
    warn(`'plumb code' cannot ask this server: ${formatError(error)}`)
    return async () => {}
  }
}

function describeSources({ status, frozen, writeLock, warnings }: CodeSources): ServerSources {
  return { sources: status, frozen, writeLock: writeLock ?? null, warnings }
}

async function fetchSources(asked: unknown, sources: CodeSources, environments: Environments): Promise<Json> {
  return (await runFetchRequest(parseSourceFetchRequest(asked), sources, environments)) as unknown as Json
}

/** Serves a rejected commit, and records the requesting user in the audit log. */
function createSkipHandler(
  { environments, audit }: ControlParts,
  moved: NonNullable<ControlParts['moved']>,
  status: ControlRequests['status'],
): NonNullable<ControlRequests['skip']> {
  return async (asked) => {
    const { environment, pusher } = parseSkipRequest(asked)
    const found = (await environments.status()).find(({ name }) => name === environment)
    const commit = found?.refused?.commit
    if (found && commit !== undefined) {
      const { ref, commit: old } = found
      const next = found.refused?.deployed ?? commit
      await moved.skip({ environment, ref, old, new: next })
      const record = { ref, old: old ?? createNullOid(next), new: next, pusher }
      audit?.add({ kind: 'push', ...record, result: 'accepted', gate: 'skipped' })
      await environments.refresh()
    }
    return status()
  }
}
