import { puppetVersion } from '../../base/puppet-version.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { HttpClient } from './http-client.ts'
import { createProxySelector, type ProxySettings } from './proxy.ts'
import type { TlsContext } from './tls.ts'

/** Settings for requests to web servers. */
export type WebClientSettings = ProxySettings &
  Pick<Settings, 'sourceaddress' | 'http_connect_timeout' | 'http_read_timeout' | 'http_user_agent'>

/** Creates a client for web servers other than Puppet servers, with or without TLS. Connections are not reused. */
export function createWebClient(settings: WebClientSettings, tls: TlsContext): HttpClient {
  return new HttpClient({
    tls,
    plain: true,
    headers: {
      'user-agent': settings.http_user_agent || `Puppet/${puppetVersion} Plumbline Node/${process.versions.node}`,
      'x-puppet-version': puppetVersion,
    },
    connectTimeout: settings.http_connect_timeout,
    readTimeout: settings.http_read_timeout,
    keepAliveTimeout: 0,
    localAddress: settings.sourceaddress || undefined,
    proxyTo: createProxySelector(settings),
  })
}
