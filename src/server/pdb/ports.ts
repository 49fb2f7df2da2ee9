import type { Server } from 'node:tls'
import type { FastifyInstance } from 'fastify'
import { budgets } from '../../base/budgets/budgets.ts'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { getDescriptorLimit } from '../../machine/system/descriptor-limit.ts'
import type { Files } from '../../machine/system/system.ts'
import type { NodeStore } from '../../store/node-store.ts'
import type { Rule } from '../auth/rule.ts'
import { createConnectionBounds } from '../https/connections.ts'
import { createHttpServer, type HttpOptions } from '../https/http.ts'
import { listenOnPort } from '../https/listen.ts'
import { identifyLoopbackClient } from '../https/loopback.ts'
import { createServerCloser } from '../https/server-shutdown.ts'
import { getSecureContextOptions, type TlsOptions } from '../https/tls-context.ts'
import { formatAllowlistDenial, readAllowlist } from './certificate-allowlist.ts'

const issues = defineIssues({
  PORT_WITHOUT_STORE: {
    text: (a: { setting: string }) => `${a.setting} is set, but this server has no store`,
    hint: (a) => `Set 'store' to sqlite or to the URL of a PostgreSQL server, or set ${a.setting} to 0.`,
  },
})

/** Dependencies that PuppetDB's ports share with the server's own port. */
export interface PdbPortParts {
  readonly settings: Pick<
    Settings,
    'bindaddress' | 'puppetdb_port' | 'puppetdb_plain_port' | 'puppetdb_certificate_allowlist'
  >
  readonly files: Pick<Files, 'readText'>
  readonly http: Omit<HttpOptions, 'connections' | 'tls'> & { readonly tls: TlsOptions }
  readonly store: NodeStore | undefined
  /** Adds the routes of the store and the status. */
  routes(http: FastifyInstance): void
}

/** PuppetDB's ports, created but not yet listening. */
export interface PdbPorts {
  listen(): Promise<void>
  /**
   * Reads the allow-list again; returns a function that activates it with a renewed certificate.
   * Throws if the list cannot be read.
   */
  prepare(tls: TlsOptions): Promise<() => void>
  close(): Promise<void>
}

/** Share of the process's file descriptors for connections on PuppetDB's ports. */
const share = 0.25

/** Share of the file descriptors that the server's own port leaves to PuppetDB's ports. */
export function computePdbShare({ puppetdb_port: port }: Pick<Settings, 'puppetdb_port'>): number {
  return port === 0 ? 0 : share
}

/** One PuppetDB port. */
interface Port {
  readonly http: FastifyInstance
  readonly bindaddress: string
  readonly port: number
  readonly setting: 'puppetdb_port' | 'puppetdb_plain_port'
}

/** Creates the ports set in the settings. Throws PORT_WITHOUT_STORE and ALLOWLIST_MISSING. */
export async function openPdbPorts(parts: PdbPortParts): Promise<PdbPorts> {
  const { settings, files, store } = parts
  for (const setting of ['puppetdb_port', 'puppetdb_plain_port'] as const)
    if (settings[setting] !== 0 && !store) throwIssue(issues.PORT_WITHOUT_STORE, { setting })
  const { puppetdb_port, puppetdb_plain_port, puppetdb_certificate_allowlist: list } = settings
  const readRules = async () => (list === '' ? undefined : await readAllowlist(list, files))
  let allowed = puppetdb_port === 0 ? undefined : await readRules()
  const secure = puppetdb_port === 0 ? undefined : createSecurePort(parts, () => allowed)
  const plain = puppetdb_plain_port === 0 ? undefined : createPlainPort(parts)
  const ports = [secure, plain].filter((each) => each !== undefined)
  const closers = ports.map(({ http }) => createServerCloser(http))
  return {
    async listen() {
      for (const { http, ...where } of ports) await listenOnPort(http, where)
    },
    async prepare(tls) {
      if (secure === undefined) return () => {}
      const list = await readRules()
      return () => {
        allowed = list
        const { server } = secure.http as unknown as { server: Server }
        server.setSecureContext(getSecureContextOptions(tls))
      }
    },
    async close() {
      await Promise.all(closers.map((close) => close()))
    },
  }
}

function createSecurePort(
  { settings, http: shared, routes }: PdbPortParts,
  allowed: () => readonly Rule[] | undefined,
): Port {
  const { bound } = budgets.connection.store
  const http = createHttpServer({
    ...shared,
    rules: () => allowed() ?? shared.rules(),
    ...(settings.puppetdb_certificate_allowlist !== '' && { forbidden: formatAllowlistDenial }),
    connections: createConnectionBounds(
      { max_connections: bound, max_connections_per_address: bound },
      (getDescriptorLimit() ?? Number.POSITIVE_INFINITY) * share,
    ),
  })
  routes(http)
  return { http, bindaddress: settings.bindaddress, port: settings.puppetdb_port, setting: 'puppetdb_port' }
}

function createPlainPort({ settings, http: { tls: _, ...shared }, routes }: PdbPortParts): Port {
  const http = createHttpServer({ ...shared, identify: identifyLoopbackClient })
  http.server.maxConnections = budgets.connection.plain.bound
  routes(http)
  return { http, bindaddress: '127.0.0.1', port: settings.puppetdb_plain_port, setting: 'puppetdb_plain_port' }
}
