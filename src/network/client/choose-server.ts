import { fail, PuppetError } from '../../base/issue.ts'
import { hasStatus, issues, ResponseError } from './errors.ts'
import type { HttpClient } from './http-client.ts'

/** Host and port of a server. */
export interface ServerAddress {
  readonly host: string
  readonly port: number
}

/** `host` or `host:port`, as in `server_list`. */
export function parseAddress(text: string, port: number): ServerAddress {
  const match = /^(.*?)(?::(\d+))?$/.exec(text.trim())
  return { host: match?.[1] ?? text, port: match?.[2] === undefined ? port : Number(match[2]) }
}

/** `https://host:port` */
export function originOf({ host, port }: ServerAddress): URL {
  return new URL(`https://${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`)
}

/** The first server that says it is running. Throws NO_SERVER. */
export async function chooseServer(
  http: HttpClient,
  servers: readonly ServerAddress[],
  warn: (message: string) => void,
): Promise<ServerAddress> {
  for (const server of servers) {
    try {
      await askWhetherRunning(http, server)
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
  return fail(issues.NO_SERVER, { list: servers.map(({ host, port }) => `${host}:${port}`) })
}

/** The first server that can be connected to; `undefined` when none can, or there is none. */
export async function chooseConnected(
  http: HttpClient,
  servers: readonly ServerAddress[],
  warn: (message: string) => void,
): Promise<ServerAddress | undefined> {
  for (const server of servers) {
    try {
      await askWhetherRunning(http, server)
      return server
    } catch (error) {
      if (error instanceof ResponseError) return server
      if (!(error instanceof PuppetError)) throw error
      const message = `Connection to ${originOf(server).href} failed, trying next route: ${error.message}`
      warn(message)
    }
  }
  return undefined
}

/** Older servers call the service `master`. */
async function askWhetherRunning(http: HttpClient, server: ServerAddress): Promise<void> {
  const origin = originOf(server)
  try {
    await http.send(new URL('/status/v1/simple/server', origin))
  } catch (error) {
    if (!hasStatus(error, 404)) throw error
    await http.send(new URL('/status/v1/simple/master', origin))
  }
}
