import type { AuditLog } from '../audit/audit-log.ts'
import type { Environments } from '../environments/environments.ts'
import { errorText } from '../ruby-semantics/errno.ts'
import type { Settings } from '../settings/settings.ts'
import { type ControlRequests, controlPath, serveControl } from './control.ts'
import { pushRecordsFromWire } from './push-record.ts'

/** Parts of a server that are asked over its control socket. */
export interface ControlParts {
  readonly settings: Pick<Settings, 'rundir'>
  readonly environments: Environments
  readonly repository: string | undefined
  readonly audit: AuditLog | undefined
  readonly gate: ControlRequests['gate']
  warn(message: string): void
  reload(): Promise<void>
}

/** The socket for `plumb code` and the hooks; we serve without it, too. Answers how to close it. */
export async function openControl(parts: ControlParts): Promise<() => Promise<void>> {
  const { settings, environments, repository, audit, gate, warn, reload } = parts
  const status = async () => ({ environments: await environments.status(), repository, trouble: environments.trouble })
  const after = (work: () => Promise<void>) => () => work().then(status)
  const pushed = (push: unknown) => {
    for (const record of pushRecordsFromWire(push)) audit?.add(record)
  }
  try {
    const requests = { status, refresh: after(() => environments.refresh()), reload: after(reload), pushed, gate }
    const control = await serveControl(controlPath(settings), requests)
    return () => control.close()
  } catch (error) {
    warn(`'plumb code' cannot ask this server: ${errorText(error)}`)
    return async () => {}
  }
}
