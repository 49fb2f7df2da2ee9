import type { Json } from '../../base/json/json-checks.ts'
import type { Environments } from '../../code/environments/environments.ts'
import type { BranchMove } from '../../code/environments/git/git-environments-options.ts'
import { type ControlRequests, getControlPath, type ServerSources } from '../../deploy/control/control-socket.ts'
import { createUpdateHandler } from '../../deploy/control/module-update-request.ts'
import { parsePushRecords, parseSkipRequest } from '../../deploy/control/push-record.ts'
import { parseRolloutRequest } from '../../deploy/control/rollout-request.ts'
import { createNullOid } from '../../deploy/push-check.ts'
import type { CodeSources } from '../../deploy/sources/code-sources.ts'
import { parseSourceFetchRequest, runFetchRequest } from '../../deploy/sources/fetch-request.ts'
import { runFreezeRequest } from '../../deploy/sources/freeze-request.ts'
import type { ServedDeployments } from '../../deploy/synthesis/server-deployments.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { AuditLog } from '../../store/audit/audit-log.ts'
import type { AuditRecord } from '../../store/audit/record.ts'
import type { RolloutService } from '../rollouts/rollout-service.ts'
import { serveControl } from './control-server.ts'

/** Parts of a server that handle requests on its control socket. */
export interface ControlParts {
  readonly settings: Pick<Settings, 'rundir'>
  readonly environments: Environments
  readonly repository: string | undefined
  readonly sources: CodeSources | undefined
  readonly audit: AuditLog | undefined
  readonly gate: ControlRequests['gate']
  readonly review: ControlRequests['review']
  /** Deployments of branches with a Puppetfile; `undefined` if the server ignores Puppetfiles. */
  readonly deployments: ServedDeployments | undefined
  /** Records that the gate is skipped when a branch moves to a commit. */
  readonly moved: { skip(move: BranchMove): Promise<void> } | undefined
  /** Handles requests for runs. */
  readonly run: ControlRequests['run']
  /** The rollouts of the server; `undefined` without a store. */
  readonly rollouts: Pick<RolloutService, 'list' | 'get' | 'act'> | undefined
  warn(message: string): void
  reload(): Promise<void>
}

/**
 * Opens the control socket for `plumb code` and the hooks, and returns a function that closes it. After an error, the
 * server runs without the socket.
 */
export async function openControl(parts: ControlParts): Promise<() => Promise<void>> {
  const {
    settings,
    environments,
    repository,
    sources,
    audit,
    gate,
    review,
    deployments,
    moved,
    rollouts,
    run,
    warn,
    reload,
  } = parts
  const status = async () => ({
    environments: await environments.status(),
    repository,
    trouble: environments.trouble,
    ...(sources && { sources: toServerSources(sources) }),
  })
  const after = (work: () => Promise<void>) => () => work().then(status)
  const note = (record: AuditRecord) => audit?.add(record)
  const pushed = (push: unknown) => {
    for (const record of parsePushRecords(push)) note(record)
  }
  try {
    const update = deployments && createUpdateHandler({ deployments, environments })
    const skip = moved && createSkipHandler(parts, moved, status)
    const refresh = after(async () => {
      await sources?.fetchLocal()
      await environments.refresh()
    })
    const fetch = sources && ((asked: unknown) => fetchSources(asked, sources, environments))
    const freeze =
      sources && ((asked: unknown) => runFreezeRequest(asked, sources, { now: Date.now(), note }).then(status))
    const rollout = rollouts && createRolloutHandler(rollouts)
    const requests = {
      status,
      refresh,
      reload: after(reload),
      pushed,
      gate,
      review,
      update,
      skip,
      fetch,
      freeze,
      rollout,
      run,
    }
    const control = await serveControl(getControlPath(settings), requests)
    return () => control.close()
  } catch (error) {
    warn(`'plumb code' cannot connect to this server: ${formatError(error)}`)
    return async () => {}
  }
}

function toServerSources({ status, frozen, writeLock, warnings }: CodeSources): ServerSources {
  return { sources: status, frozen, writeLock: writeLock ?? null, warnings }
}

function createRolloutHandler(rollouts: NonNullable<ControlParts['rollouts']>) {
  return async (asked: unknown): Promise<Json> => {
    const request = parseRolloutRequest(asked)
    if ('action' in request) return (await rollouts.act(request)) as unknown as Json
    const { show } = request
    return (await (show === null ? rollouts.list() : rollouts.get(show))) as unknown as Json
  }
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
