import { createPuppetError, PuppetError, throwIssue } from '../../../base/issue.ts'
import { parseRevocationLists } from '../../../ca/x509/revocation-list.ts'
import type { LogLevel } from '../../../language/host.ts'
import type { Settings } from '../../../machine/settings/settings.ts'
import type { System } from '../../../machine/system/system.ts'
import { hasResponseStatus, ResponseError } from '../../../network/client/errors.ts'
import type { Session } from '../../../network/client/session.ts'
import type { TlsContext } from '../../../network/client/tls.ts'
import { formatErrorWithHint } from '../error-hints.ts'
import { sslIssues, wrapResponseError } from './issues.ts'
import { createCaContext } from './ssl-context.ts'
import { isRefreshDue, type SslFiles } from './ssl-files.ts'

/** An agent that stores revocation lists and downloads them from the CA. */
interface ListHolder {
  readonly settings: Pick<Settings, 'certificate_revocation' | 'crl_refresh_interval'>
  readonly files: Pick<SslFiles, 'revocationLists' | 'saveRevocationLists' | 'lastUpdate'>
  readonly system: Pick<System, 'now'>
  log(level: LogLevel, message: string): void
  /** Runs `work` in a session with these TLS settings. */
  talk<Result>(tls: TlsContext, work: (session: Session) => Promise<Result>): Promise<Result>
}

/**
 * Returns the revocation lists as PEM, downloaded from the CA if they are missing, due or expired.
 * Throws CRL_MISSING_ON_SERVER and CRL_FAILED for missing lists; if a refresh fails, returns the present lists.
 */
export async function obtainRevocationLists(agent: ListHolder, authorities: string): Promise<string> {
  const known = await agent.files.revocationLists()
  return known === undefined ? fetchFirstLists(agent, authorities) : refreshLists(agent, authorities, known)
}

async function fetchFirstLists(agent: ListHolder, authorities: string): Promise<string> {
  const { tls } = createCaContext(authorities, undefined, 'false')
  const pem = await agent.talk(tls, async ({ ca }) => {
    try {
      return (await ca.revocationList()) ?? ''
    } catch (error) {
      if (hasResponseStatus(error, 404)) throwIssue(sslIssues.CRL_MISSING_ON_SERVER, {})
      throw wrapResponseError(error, (why) => createPuppetError(sslIssues.CRL_FAILED, { why }))
    }
  })
  parseRevocationLists(pem)
  await agent.files.saveRevocationLists(pem)
  return pem
}

async function refreshLists(agent: ListHolder, authorities: string, known: string): Promise<string> {
  const { files, log, settings, system } = agent
  const last = await files.lastUpdate('hostcrl')
  const ended = parseRevocationLists(known).some(({ nextUpdate }) => nextUpdate && nextUpdate.getTime() < system.now())
  if (!ended && !isRefreshDue(last, settings.crl_refresh_interval, system.now())) return known
  log('info', 'Refreshing CRL')
  try {
    // No server can be verified with an expired list, so a host that was off for a month could
    // never download a new list. The list fetched without revocation checks must be signed by the
    // CA and current, or its use fails.
    const { tls } = createCaContext(
      authorities,
      ended ? undefined : known,
      ended ? 'false' : settings.certificate_revocation,
    )
    const since = ended ? undefined : last
    const pem = await agent.talk(tls, ({ ca }) => ca.revocationList(since))
    if (pem !== undefined) parseRevocationLists(pem)
    else log('info', 'CRL is unmodified, using existing CRL')
    await files.saveRevocationLists(pem ?? known)
    return pem ?? known
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    const level = error instanceof ResponseError ? 'info' : 'warning'
    log(level, `Failed to refresh CRL, using existing CRL: ${formatErrorWithHint(error)}`)
    return known
  }
}
