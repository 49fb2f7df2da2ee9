import { readFileSync } from 'node:fs'
import type { Settings } from '../../machine/settings/settings.ts'
import { createProxySelector, type ProxySettings } from '../../network/client/proxy.ts'
import { readSystemAuthorities } from '../../network/client/system-authorities.ts'
import { readModuleSources } from '../puppetfile/allowed-sources.ts'
import { ModuleWeb } from './module-http-client.ts'
import type { ServerForge } from './server-forge.ts'

/** Settings of requests to module hosts. */
export type ModuleWebSettings = ProxySettings & Pick<Settings, 'puppetfile_sources' | 'module_ca_file'>

/** Opens the client for a Forge and the other allowed hosts. Throws PUPPETFILE_SOURCES. */
export function openModuleWeb(settings: ModuleWebSettings, forge: Pick<ServerForge, 'url' | 'proxy'>): ModuleWeb {
  const { module_ca_file: caFile } = settings
  const trusted = new URL(forge.url)
  return new ModuleWeb({
    sources: readModuleSources(settings.puppetfile_sources),
    trusted,
    authorities: caFile === '' ? readSystemAuthorities('') : readFileSync(caFile, 'latin1'),
    proxyTo: createProxyChoice(trusted, forge.proxy, createProxySelector(settings)),
  })
}

type ProxyChoice = ReturnType<typeof createProxySelector>

/** Uses the Forge's own proxy for the Forge, and the proxy of the settings for all other hosts. */
function createProxyChoice(forge: URL, own: ServerForge['proxy'], others: ProxyChoice): ProxyChoice {
  const ofForge = Number(forge.port || (forge.protocol === 'https:' ? 443 : 80))
  return (host, port) => (own && host === forge.hostname && port === ofForge ? own : others(host, port))
}
