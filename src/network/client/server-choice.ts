import { PuppetError, throwIssue } from '../../base/issue.ts'
import { hasResponseStatus, httpIssues, ResponseError } from './errors.ts'
import type { HttpClient } from './http-client.ts'

/** Host and port of a server. */
export interface ServerAddress {
  readonly host: string
  readonly port: number
}

/** Parses `host` or `host:port`, the format of the setting `server_list`. */
export function parseAddress(text: string, port: number): ServerAddress {
  const match = /^(.*?)(?::(\d+))?$/.exec(text.trim())
  return { host: match?.[1] ?? text, port: match?.[2] === undefined ? port : Number(match[2]) }
}

/** Formats `https://host:port`. */
export function formatOrigin({ host, port }: ServerAddress): URL {
  return new URL(`https://${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`)
}

/** Returns the first server whose status service responds that the server is running. Throws NO_SERVER. */
export async function chooseServer(
  http: HttpClient,
  servers: readonly ServerAddress[],
  warn: (message: string) => void,
): Promise<ServerAddress> {
  for (const server of servers) {
    try {
      await checkServerRunning(http, server)
      return server
    } catch (error) {
      if (!(error instanceof PuppetError)) throw error
      const why =
        error instanceof ResponseError
          ? `Puppet server ${server.host}:${server.port} is unavailable: ${error.status} ${error.reason}`
          : `Unable to connect to server from server_list setting: ${error.message}`
      warn(`${why} Trying with next server from server_list.`)
    }
  }
  return throwIssue(httpIssues.NO_SERVER, { list: servers.map(({ host, port }) => `${host}:${port}`) })
}

/**
 * Returns the first server that accepts a connection; `undefined` if no server accepts a connection or the list is
 * empty.
 */
export async function chooseReachableServer(
  http: HttpClient,
  servers: readonly ServerAddress[],
  warn: (message: string) => void,
): Promise<ServerAddress | undefined> {
  for (const server of servers) {
    try {
      await checkServerRunning(http, server)
      return server
    } catch (error) {
      if (error instanceof ResponseError) return server
      if (!(error instanceof PuppetError)) throw error
      const message = `Connection to ${formatOrigin(server).href} failed, trying next route: ${error.message}`
      warn(message)
    }
  }
  return undefined
}

/**
 * Requests the status of a server; throws unless the server is running. In older servers, the service has the name
 * `master`.
 */
async function checkServerRunning(http: HttpClient, server: ServerAddress): Promise<void> {
  const origin = formatOrigin(server)
  try {
    await http.send(new URL('/status/v1/simple/server', origin))
  } catch (error) {
    if (!hasResponseStatus(error, 404)) throw error
    await http.send(new URL('/status/v1/simple/master', origin))
  }
}
