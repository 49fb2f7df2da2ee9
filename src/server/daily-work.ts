import type { Logger } from 'pino'
import type { AuditLog } from '../audit/audit-log.ts'
import type { CertificateAuthority } from '../ca/certificate-authority.ts'
import { pruneAnswers } from '../outside/kept-answers.ts'
import type { NodeStore } from '../store/node-store.ts'
import type { CertificateAlert } from './certificate-ends.ts'
import type { CatalogSeal } from './sealing/catalog-seal.ts'

/** Parts of a server with work that is due each day. */
export interface DailyParts {
  alerts(): readonly CertificateAlert[]
  /** The folder of answers from outside. */
  readonly answers: Parameters<typeof pruneAnswers>[0] | undefined
  readonly seal: Pick<CatalogSeal, 'renew'>
  readonly audit: Pick<AuditLog, 'prune'> | undefined
  readonly authority: Pick<CertificateAuthority, 'refreshRevocationList'> | undefined
  readonly store: Pick<NodeStore, 'reload'> | undefined
  readonly log: Logger
}

const oneDay = 24 * 3600 * 1000

/** Does each day what is due; answers how to end that. */
export function beginDailyWork(parts: DailyParts): () => Promise<void> {
  const { alerts, answers, seal, audit, store, log } = parts
  const daily = setInterval(() => {
    logAlerts(alerts(), log)
    if (answers) void pruneAnswers(answers)
    void seal.renew()
    void audit?.prune()
    void refreshRevocations(parts).then(() => store?.reload?.())
  }, oneDay).unref()
  return async () => clearInterval(daily)
}

/** Writes alerts about certificates to the log. */
export function logAlerts(alerts: readonly CertificateAlert[], log: Logger): void {
  for (const { severity, message, hint } of alerts)
    log[severity === 'error' ? 'error' : 'warn'](`${message} (hint: ${hint})`)
}

async function refreshRevocations({ authority, log }: DailyParts): Promise<void> {
  try {
    if (await authority?.refreshRevocationList()) log.info('The revocation list was issued anew')
  } catch (error) {
    log.error({ err: error }, 'The revocation list could not be issued anew')
  }
}
