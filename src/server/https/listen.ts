import { lookup } from 'node:dns/promises'
import { createServer } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { budgets } from '../../base/budgets/budgets.ts'
import { createPuppetError, defineIssues } from '../../base/issue.ts'
import { getSystemErrorCode } from '../../base/system-error.ts'
import type { Settings } from '../../machine/settings/settings.ts'

interface Place {
  /** Address and port in the syntax of URLs. */
  readonly place: string
  readonly port: number
  readonly bindaddress: string
  readonly setting: string
}

const issues = defineIssues({
  PORT_IN_USE: {
    text: (a: Place) => `Could not listen on ${a.place}: another program already listens there`,
    hint: (a) => `Run 'ss -ltnp sport = :${a.port}' as root to find the program. Stop it, or change ${a.setting}.`,
  },
  PORT_FORBIDDEN: {
    text: (a: Place) => `Could not listen on ${a.place}: permission denied`,
    hint: (a) =>
      `Ports below 1024 require root. Set ${a.setting} to another port, or add AmbientCapabilities=CAP_NET_BIND_SERVICE to the systemd unit.`,
  },
  NOT_OUR_ADDRESS: {
    text: (a: Place) => `Could not listen on ${a.place}: this machine has no such address`,
    hint: (a) =>
      `Run 'ip address' to list the addresses of this machine. bindaddress is ${a.bindaddress}; set it to * for all addresses.`,
  },
  UNKNOWN_ADDRESS: {
    text: (a: { bindaddress: string }) => `Could not resolve ${a.bindaddress}, the value of bindaddress`,
    hint: () => 'Set bindaddress to an address of this machine, or to * for all of them.',
  },
})

/** Issues by system error code. */
const refusals = new Map([
  ['EADDRINUSE', issues.PORT_IN_USE],
  ['EACCES', issues.PORT_FORBIDDEN],
  ['EADDRNOTAVAIL', issues.NOT_OUR_ADDRESS],
])

/** Listens on the configured address and port. Throws an issue with a hint if that fails. */
export function listenOnServerPort(
  http: FastifyInstance,
  { bindaddress, serverport: port }: Pick<Settings, 'bindaddress' | 'serverport'>,
): Promise<void> {
  return listenOnPort(http, { bindaddress, port, setting: 'serverport' })
}

/** Listens on a port that is not set by `serverport`; `setting` names its setting for messages. */
export async function listenOnPort(
  http: FastifyInstance,
  { bindaddress, port, setting }: { readonly bindaddress: string; readonly port: number; readonly setting: string },
): Promise<void> {
  await bindToAddress({ bindaddress, port, setting }, async (host) => {
    await http.listen({ port, host, backlog: budgets.connection.unaccepted.bound })
  })
}

/**
 * Checks that the server can listen on its port before it opens anything else. Throws the issue if
 * it cannot.
 */
export async function checkPortAvailable({
  bindaddress,
  serverport: port,
}: Pick<Settings, 'bindaddress' | 'serverport'>): Promise<void> {
  if (port === 0) return
  await bindToAddress({ bindaddress, port, setting: 'serverport' }, async (host) => {
    const probe = createServer()
    await new Promise<void>((done, fail) => {
      probe.once('error', fail)
      probe.listen({ port, host }, done)
    })
    await new Promise((done) => probe.close(done))
  })
}

/** Calls `bind` with the resolved address and converts a system error to an issue with a hint. */
async function bindToAddress(
  { bindaddress, port, setting }: { readonly bindaddress: string; readonly port: number; readonly setting: string },
  bind: (host: string) => Promise<void>,
): Promise<void> {
  const host = await resolveAddress(bindaddress)
  try {
    await bind(host)
  } catch (error) {
    const refusal = refusals.get(getSystemErrorCode(error) ?? '')
    const place = `${host.includes(':') ? `[${host}]` : host}:${port}`
    throw refusal ? createPuppetError(refusal, { place, port, bindaddress, setting }) : error
  }
}

/**
 * Resolves the name to one address. If it got a name with several addresses, Fastify would create a further server
 * for each of them, and these servers would lack our limits.
 */
async function resolveAddress(bindaddress: string): Promise<string> {
  if (bindaddress === '*') return '::'
  const found = await lookup(bindaddress).catch(() => undefined)
  if (!found) throw createPuppetError(issues.UNKNOWN_ADDRESS, { bindaddress })
  return found.address
}
