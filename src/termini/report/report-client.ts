import type { HttpClient } from '../../client/http-client.ts'
import { authoritiesOf } from '../../client/system-authorities.ts'
import { type WebClientSettings, webClient } from '../../client/web-client.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Files } from '../../system/system.ts'

/** The settings that requests with reports follow. */
export type ReportClientSettings = WebClientSettings &
  Pick<
    Settings,
    'hostcert' | 'hostprivkey' | 'hostcrl' | 'localcacert' | 'certificate_revocation' | 'report_include_system_store'
  >

/**
 * A client that posts reports: its server is known by our authority, and with `report_include_system_store` by those of the
 * machine, too; it knows us by our certificate, where we have one.
 */
export async function reportClient(
  settings: ReportClientSettings,
  files: Pick<Files, 'readText'>,
): Promise<HttpClient> {
  const { localcacert, hostcert, hostprivkey, hostcrl } = settings
  const own = (await files.readText(localcacert)) ?? ''
  const [cert, key] = [await files.readText(hostcert), await files.readText(hostprivkey)]
  // OpenSSL asks for a list of each authority: those of the machine have none here.
  const isChecked = settings.certificate_revocation !== 'false' && !settings.report_include_system_store
  const crl = isChecked ? await files.readText(hostcrl) : undefined
  return webClient(settings, {
    ca: settings.report_include_system_store ? authoritiesOf(localcacert) : own,
    ...(cert !== undefined && key !== undefined && { cert, key }),
    ...(crl !== undefined && { crl }),
  })
}
