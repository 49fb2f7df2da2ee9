import type { Settings } from '../../machine/settings/settings.ts'
import { createProxySelector, type ProxySettings } from './proxy.ts'

/** Settings of all HTTP clients. */
export type ClientSettings = ProxySettings &
  Pick<Settings, 'sourceaddress' | 'http_connect_timeout' | 'http_user_agent'>

/** Returns the options of an HTTP client that the settings determine, with the headers of a Puppet agent. */
export function createClientOptions(settings: ClientSettings, puppetVersion: string) {
  return {
    headers: {
      'user-agent': settings.http_user_agent || `Puppet/${puppetVersion} Plumbline Node/${process.versions.node}`,
      'x-puppet-version': puppetVersion,
    },
    connectTimeout: settings.http_connect_timeout,
    localAddress: settings.sourceaddress || undefined,
    proxyTo: createProxySelector(settings),
  }
}
