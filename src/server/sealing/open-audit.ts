import type { Logger } from 'pino'
import { budgets } from '../../base/budgets/budgets.ts'
import type { ServedChange } from '../../code/environments/git/deployment-log.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { System } from '../../machine/system/system.ts'
import type { CatalogStatement } from '../../model/catalog-signature.ts'
import { type AuditLog, openAuditLog } from '../../store/audit/audit-log.ts'
import type { ReadSecret } from '../../store/audit/record.ts'

/**
 * Opens the audit log, if enabled. If it cannot be opened, logs an error and returns undefined; the
 * server runs without it.
 */
export async function openAudit(
  settings: Settings,
  { files, now }: Pick<System, 'files' | 'now'>,
  log: Logger,
): Promise<AuditLog | undefined> {
  if (!settings.audit) return undefined
  const say = (level: 'warn' | 'error', message: string) => log[level](message)
  try {
    return await openAuditLog({ settings, files, now, say })
  } catch (error) {
    log.error(`Could not write to the audit log: ${formatError(error)}`)
    return undefined
  }
}

/** Records a deployment. */
export function recordDeployment(audit: AuditLog | undefined, { old, new: commit, ...change }: ServedChange): void {
  audit?.add({ kind: 'deploy', ...change, old: old ?? null, new: commit ?? null })
}

/**
 * Records a catalog sent to a client, and the secrets that its code read. The entry names the client only if the client
 * is not the catalog's node.
 */
export function recordCatalog(
  audit: AuditLog,
  statement: CatalogStatement,
  client: string | undefined,
  secrets: readonly ReadSecret[],
): void {
  const { node, environment, codeId, digest } = statement
  const other = client === node ? {} : { client: client ?? '' }
  const origin = { node, environment, code_id: codeId ?? null }
  audit.add({ kind: 'catalog', ...origin, digest, ...other })
  const { bound } = budgets.audit.secrets
  for (let at = 0; at < secrets.length; at += bound)
    audit.add({ kind: 'secrets', ...origin, secrets: secrets.slice(at, at + bound) })
}
