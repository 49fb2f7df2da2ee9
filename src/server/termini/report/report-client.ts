import type { Settings } from '../../../machine/settings/settings.ts'
import type { Files } from '../../../machine/system/system.ts'
import { type HostTlsSettings, hostTls } from '../../../network/client/host-tls.ts'
import type { HttpClient } from '../../../network/client/http-client.ts'
import { authoritiesOf } from '../../../network/client/system-authorities.ts'
import { type WebClientSettings, webClient } from '../../../network/client/web-client.ts'

/** The settings that requests with reports follow. */
export type ReportClientSettings = WebClientSettings & HostTlsSettings & Pick<Settings, 'report_include_system_store'>

/**
 * A client that posts reports: its server is known by our authority, and with `report_include_system_store` by those of the
 * machine, too; it knows us by our certificate, where we have one.
 */
export async function reportClient(
  settings: ReportClientSettings,
  files: Pick<Files, 'readText'>,
): Promise<HttpClient> {
  const { report_include_system_store: includesSystem } = settings
  const { crl, ...own } = await hostTls(settings, files)
  return webClient(settings, {
    ...own,
    ...(includesSystem && { ca: authoritiesOf(settings.localcacert) }),
    // OpenSSL asks for a list of each authority: those of the machine have none here.
    ...(!includesSystem && crl !== undefined && { crl }),
  })
}
