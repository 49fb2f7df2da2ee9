import type { Settings } from '../settings/settings.ts'
import { type CaV1, caV1 } from './ca-v1.ts'
import { chooseServer, originOf, parseAddress, type ServerAddress } from './choose-server.ts'
import { HttpClient } from './http-client.ts'
import { type PuppetV3, puppetV3 } from './puppet-v3.ts'
import type { TlsContext } from './tls.ts'

/** The settings that a session follows. */
export type SessionSettings = Pick<
  Settings,
  | 'server'
  | 'serverport'
  | 'server_list'
  | 'ca_server'
  | 'ca_port'
  | 'report_server'
  | 'report_port'
  | 'http_connect_timeout'
  | 'http_read_timeout'
  | 'http_keepalive_timeout'
  | 'http_user_agent'
  | 'http_extra_headers'
  | 'runinterval'
>

/** Settings and identity of a session. */
export interface SessionOptions {
  readonly settings: SessionSettings
  readonly tls: TlsContext
  /** Sent as `X-Puppet-Version`. */
  readonly puppetVersion: string
  readonly warn?: (message: string) => void
}

/** A run's conversation: one TLS context, one chosen server, connections that are kept. */
export interface Session {
  readonly puppet: PuppetV3
  readonly report: Pick<PuppetV3, 'report'>
  readonly ca: CaV1
  readonly http: HttpClient
  /** The server of this session, chosen from `server_list` when it is first needed. Throws NO_SERVER. */
  server(): Promise<ServerAddress>
  close(): Promise<void>
}

/** Starts a session. Nothing is sent before the first call. */
export function createSession({ settings, tls, puppetVersion, warn = () => {} }: SessionOptions): Session {
  const http = new HttpClient({
    tls,
    warn,
    headers: headersOf(settings, puppetVersion),
    connectTimeout: settings.http_connect_timeout,
    readTimeout: settings.http_read_timeout,
    keepAliveTimeout: settings.http_keepalive_timeout,
    longestRetryDelay: settings.runinterval,
  })
  let chosen: Promise<ServerAddress> | undefined
  const choose = async () => {
    const { server, serverport, server_list: servers } = settings
    if (servers.length === 0) return { host: server, port: serverport }
    return chooseServer(
      http,
      servers.map((each) => parseAddress(each, serverport)),
      warn,
    )
  }
  const server = () => {
    chosen ??= choose()
    return chosen
  }
  /** A service with a server of its own is asked there, any other where everything is. */
  const originFor = (host: string, port: number) => async () =>
    originOf(host === settings.server && port === settings.serverport ? await server() : { host, port })

  const origin = originFor(settings.server, settings.serverport)
  return {
    puppet: puppetV3(http, origin),
    report: puppetV3(http, originFor(settings.report_server, settings.report_port)),
    ca: caV1(http, originFor(settings.ca_server, settings.ca_port)),
    http,
    server,
    close: () => http.close(),
  }
}

function headersOf(settings: SessionSettings, version: string): Record<string, string> {
  const extra = settings.http_extra_headers.map((each): [string, string] => {
    const colon = each.indexOf(':')
    return [each.slice(0, colon).trim().toLowerCase(), each.slice(colon + 1).trim()]
  })
  return {
    'user-agent': settings.http_user_agent || `Puppet/${version} Plumbline Node/${process.versions.node}`,
    'x-puppet-version': version,
    ...Object.fromEntries(extra.filter(([name]) => name !== '')),
  }
}
