import { puppetVersion } from '../../base/puppet-version.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { type ClientSettings, createClientOptions } from './client-options.ts'
import { HttpClient, type HttpClientOptions } from './http-client.ts'
import type { TlsContext } from './tls.ts'

/** Settings for requests to web servers. */
export type WebClientSettings = ClientSettings & Pick<Settings, 'http_read_timeout'>

/** Creates a client for web servers other than Puppet servers, with or without TLS. Connections are not reused. */
export function createWebClient(
  settings: WebClientSettings,
  tls: TlsContext,
  more: Pick<HttpClientOptions, 'approve'> = {},
): HttpClient {
  const options = { ...createClientOptions(settings, puppetVersion), readTimeout: settings.http_read_timeout }
  return new HttpClient({ ...options, ...more, tls, plain: true, keepAliveTimeout: 0 })
}
