import type { Logger } from 'pino'
import type { CertificateAlert } from '../../ca/certificate-ends.ts'
import { pruneAnswers } from '../../network/outside/kept-answers.ts'
import type { AuditLog } from '../../store/audit/audit-log.ts'

/** Parts of a server with work that is due each day. */
export interface DailyParts {
  alerts(): readonly CertificateAlert[]
  /** The folder of answers from outside. */
  readonly answers: Parameters<typeof pruneAnswers>[0] | undefined
  readonly audit: Pick<AuditLog, 'prune'> | undefined
  readonly log: Logger
}

const oneDay = 24 * 3600 * 1000

/** Does each day what is due; answers how to end that. */
export function beginDailyWork({ alerts, answers, audit, log }: DailyParts): () => Promise<void> {
  const daily = setInterval(() => {
    logAlerts(alerts(), log)
    if (answers) void pruneAnswers(answers)
    void audit?.prune()
  }, oneDay).unref()
  return async () => clearInterval(daily)
}

/** Writes alerts about certificates to the log. */
export function logAlerts(alerts: readonly CertificateAlert[], log: Logger): void {
  for (const { severity, message, hint } of alerts)
    log[severity === 'error' ? 'error' : 'warn'](`${message} (hint: ${hint})`)
}
