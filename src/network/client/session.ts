import type { Settings } from '../../machine/settings/settings.ts'
import { type CaV1, createCaV1Client } from './ca-v1.ts'
import { type ClientSettings, createClientOptions } from './client-options.ts'
import { createFileBucketClient, type FileBucket } from './file-bucket.ts'
import { HttpClient } from './http-client.ts'
import { createPlumbV1Client, type PlumbV1 } from './plumb-v1.ts'
import { createPuppetV3Client, type PuppetV3 } from './puppet-v3.ts'
import { chooseReachableServer, chooseServer, formatOrigin, parseAddress, type ServerAddress } from './server-choice.ts'
import { type LookUpSrv, resolveSrvAddresses, type SrvService } from './srv-records.ts'
import type { TlsContext } from './tls.ts'

/** The settings that determine the connections of a session. */
export type SessionSettings = ClientSettings &
  Pick<
    Settings,
    | 'server'
    | 'serverport'
    | 'server_list'
    | 'ca_server'
    | 'ca_port'
    | 'report_server'
    | 'report_port'
    | 'use_srv_records'
    | 'srv_domain'
    | 'http_read_timeout'
    | 'http_keepalive_timeout'
    | 'http_extra_headers'
    | 'runinterval'
  >

/** Settings and identity of a session. */
export interface SessionOptions {
  readonly settings: SessionSettings
  readonly tls: TlsContext
  /** Value of the header `X-Puppet-Version`. */
  readonly puppetVersion: string
  readonly warn?: (message: string) => void
  /** Looks up SRV records; if undefined, this machine's DNS is used. */
  readonly lookUpSrv?: LookUpSrv
}

/** The clients that a run uses: they share one TLS context, one selected server, and keep-alive connections. */
export interface Session {
  readonly puppet: PuppetV3
  readonly plumb: PlumbV1
  readonly report: Pick<PuppetV3, 'report'>
  readonly ca: CaV1
  readonly bucket: FileBucket
  readonly http: HttpClient
  /** Returns a client for another server, for `puppet://HOST/…`; the default port is `serverport`, as in Puppet. */
  at(host: string, port?: number): PuppetV3
  /**
   * Returns the server of this session. On first use, the server is selected by SRV records or from `server_list`.
   * Throws NO_SERVER.
   */
  server(): Promise<ServerAddress>
  close(): Promise<void>
}

/** Creates a session; sends no requests. */
export function createSession({ settings, tls, puppetVersion, warn = () => {}, lookUpSrv }: SessionOptions): Session {
  const options = createClientOptions(settings, puppetVersion)
  const http = new HttpClient({
    ...{ ...options, tls, warn, originHeaders: parseExtraHeaders(settings) },
    readTimeout: settings.http_read_timeout,
    keepAliveTimeout: settings.http_keepalive_timeout,
    longestRetryDelay: settings.runinterval,
  })
  const byDns = cachePerService(async (service) => {
    if (!settings.use_srv_records) return undefined
    return chooseReachableServer(http, await resolveSrvAddresses(settings.srv_domain, service, lookUpSrv), warn)
  })
  const server = cachePerService(async (service) => {
    const { server: host, serverport: port, server_list: servers } = settings
    const found = await byDns(service)
    if (found) return found
    if (servers.length === 0) return { host, port }
    const addresses = servers.map((each) => parseAddress(each, port))
    return chooseServer(http, addresses, warn)
  })
  /**
   * If the settings contain a separate server for a service, the service uses this server; other services use the
   * session's server.
   */
  const chooseOrigin = (service: SrvService, host: string, port: number) => async () => {
    const isOwn = host !== settings.server || port !== settings.serverport
    return formatOrigin((await byDns(service)) ?? (isOwn ? { host, port } : await server('puppet')))
  }
  const origin = chooseOrigin('puppet', settings.server, settings.serverport)
  return {
    puppet: createPuppetV3Client(http, origin),
    plumb: createPlumbV1Client(http, origin),
    report: createPuppetV3Client(http, chooseOrigin('report', settings.report_server, settings.report_port)),
    ca: createCaV1Client(http, chooseOrigin('ca', settings.ca_server, settings.ca_port)),
    bucket: createFileBucketClient(http, origin),
    http,
    at: (host, port = settings.serverport) => createPuppetV3Client(http, async () => formatOrigin({ host, port })),
    server: () => server('puppet'),
    close: () => http.close(),
  }
}

function parseExtraHeaders({ http_extra_headers: lines }: SessionSettings): Record<string, string> {
  const pairs = lines.map((each): [string, string] => {
    const colon = each.indexOf(':')
    return [each.slice(0, colon).trim().toLowerCase(), each.slice(colon + 1).trim()]
  })
  return Object.fromEntries(pairs.filter(([name]) => name !== ''))
}

/** Returns a function that calls `work` once for each service, and caches the result. */
function cachePerService<Answer>(
  work: (service: SrvService) => Promise<Answer>,
): (service: SrvService) => Promise<Answer> {
  const known = new Map<SrvService, Promise<Answer>>()
  return (service) => {
    const answer = known.get(service) ?? work(service)
    known.set(service, answer)
    return answer
  }
}
