import type { Settings } from '../../../machine/settings/settings.ts'
import type { Files } from '../../../machine/system/system.ts'
import { type HostTlsSettings, readHostTls } from '../../../network/client/host-tls.ts'
import type { HttpClient } from '../../../network/client/http-client.ts'
import { readSystemAuthorities } from '../../../network/client/system-authorities.ts'
import { createWebClient, type WebClientSettings } from '../../../network/client/web-client.ts'

/** Settings for posting reports. */
export type ReportClientSettings = WebClientSettings & HostTlsSettings & Pick<Settings, 'report_include_system_store'>

/**
 * HTTP client for posting reports. It trusts our authority and, with `report_include_system_store`, the system's
 * authorities. It presents our certificate if this host has one.
 */
export async function createReportClient(
  settings: ReportClientSettings,
  files: Pick<Files, 'readText'>,
): Promise<HttpClient> {
  const { report_include_system_store: includesSystem } = settings
  const { crl, ...own } = await readHostTls(settings, files)
  return createWebClient(settings, {
    ...own,
    ...(includesSystem && { ca: readSystemAuthorities(settings.localcacert) }),
    // If a CRL is set, OpenSSL requires a CRL for every authority; the system's authorities have none.
    ...(!includesSystem && crl !== undefined && { crl }),
  })
}
