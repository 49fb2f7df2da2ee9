import type { Server } from 'node:tls'
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import { budgets } from '../../base/budgets/budgets.ts'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { puppetVersion } from '../../base/puppet-version.ts'
import { checkSecretFile } from '../../code/git/remotes/secret-file.ts'
import type { CodeSources } from '../../deploy/sources/code-sources.ts'
import { formatErrorReason } from '../../language/ruby-semantics/errno.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { Files } from '../../machine/system/system.ts'
import type { Rule } from '../auth/rule.ts'
import { createUnauthenticatedClient } from '../http/client.ts'
import { createHttpServer } from '../https/http.ts'
import { listenOnPort } from '../https/listen.ts'
import { isLoopbackHost } from '../https/loopback.ts'
import { createServerCloser } from '../https/server-shutdown.ts'
import { getSecureContextOptions, readTlsOptions, type TlsOptions } from '../https/tls-context.ts'
import type { Reloadable } from '../reloader.ts'
import type { HookResult, SourceFigures } from '../telemetry/source-tallies.ts'
import { vendors } from './vendors.ts'
import { HookReceiver } from './webhook-receiver.ts'

/** Dependencies of the webhook listener. */
export interface WebhookParts {
  readonly settings: Pick<Settings, 'webhook_port' | 'webhook_bindaddress' | 'webhook_cert' | 'webhook_key'>
  readonly sources: CodeSources | undefined
  /** Reviews merge requests; undefined without code sources. */
  readonly reviews: { add(source: string, number: number): void } | undefined
  readonly files: Pick<Files, 'readText'>
  readonly log: FastifyBaseLogger
  readonly figures: Pick<SourceFigures, 'hooked'>
}

/** The webhook listener, if enabled. */
export interface Webhooks extends Reloadable {
  close(): Promise<void>
}

const issues = defineIssues({
  WEBHOOKS_WITHOUT_SOURCES: {
    text: (_: object) => 'webhook_port is set, but there are no code sources to fetch',
    hint: () => 'Set code_sources, or webhook_port to 0.',
  },
  WEBHOOKS_WITHOUT_SECRET: {
    text: (_: object) => 'webhook_port is set, but no source has a secret: webhooks cannot be authenticated',
    hint: () =>
      "Write a secret ('openssl rand -hex 32') to a file with mode 0600, set webhook_secret to the file, and add the secret to the Git host.",
  },
  WEBHOOKS_UNPROTECTED: {
    text: (a: { address: string }) => `Webhooks on ${a.address} would use plain HTTP over the network`,
    hint: () =>
      'Set webhook_cert and webhook_key, or set webhook_bindaddress to 127.0.0.1 behind a proxy that has a certificate.',
  },
})

/** The only rule of the port. It allows all clients, since the signature authenticates the sender. */
const rules: readonly Rule[] = [
  {
    name: 'webhooks',
    sortOrder: 500,
    path: { kind: 'prefix', prefix: '/webhooks/' },
    methods: new Set(['post']),
    query: new Map(),
    allowUnauthenticated: true,
    deny: [],
    allow: [],
    allowTokens: new Set(),
  },
]

/**
 * Opens `POST /webhooks/github|gitlab|gitea|bitbucket` on a separate port: Git hosts trust other
 * authorities than agents do and need no access to the agents' port. Throws WEBHOOKS_…, SECRET_…,
 * TLS_….
 */
export async function openWebhooks(parts: WebhookParts): Promise<Webhooks> {
  const { settings, sources, reviews, log, figures } = parts
  const { webhook_port: port, webhook_bindaddress: bindaddress } = settings
  if (port === 0) return { prepare: async () => () => {}, close: async () => {} }
  if (!sources) return throwIssue(issues.WEBHOOKS_WITHOUT_SOURCES, {})
  await checkSecrets(sources)
  const tls = await readWebhookTls(parts)
  if (!tls && !isLoopbackHost(bindaddress.includes(':') ? `[${bindaddress}]` : bindaddress))
    throwIssue(issues.WEBHOOKS_UNPROTECTED, { address: bindaddress })
  const http = createHttpServer({
    ...(tls && { tls }),
    log,
    rules: () => rules,
    identify: ({ ip }) => createUnauthenticatedClient(ip),
    puppetVersion,
  })
  http.server.maxConnections = budgets.connection.plain.bound
  addWebhookRoutes(
    http,
    new HookReceiver({ ...createReceiverParts(sources, reviews, log), countsAddresses: tls !== undefined }),
    figures,
  )
  const close = createServerCloser(http)
  await listenOnPort(http, { bindaddress, port, setting: 'webhook_port' })
  return {
    async prepare() {
      await checkSecrets(sources)
      const renewed = await readWebhookTls(parts)
      const { server } = http as unknown as { server: Server }
      return () => {
        if (renewed) server.setSecureContext(getSecureContextOptions(renewed))
      }
    },
    close,
  }
}

function addWebhookRoutes(http: FastifyInstance, receiver: HookReceiver, figures: WebhookParts['figures']): void {
  http.addHook('onRequest', async (request) => receiver.admit(request))
  const results = new WeakMap<FastifyRequest, HookResult>()
  http.addHook('onResponse', async (request, { elapsedTime }) => {
    const vendor = request.routeOptions.url?.replace('/webhooks/', '')
    if (vendor !== undefined) figures.hooked(vendor, results.get(request) ?? 'refused', elapsedTime / 1000)
  })
  for (const [name, vendor] of Object.entries(vendors))
    http.post(`/webhooks/${name}`, { bodyLimit: budgets.request.webhook.bound }, async (request, reply) => {
      const { status, result, body } = await receiver.receive(vendor, request)
      results.set(request, result)
      return reply.code(status).type('application/json').send(JSON.stringify(body))
    })
}

function createReceiverParts(sources: CodeSources, reviews: WebhookParts['reviews'], log: FastifyBaseLogger) {
  return {
    sources: () => sources.all,
    fetch: (names: readonly string[]) => {
      // A source may have been deleted since the webhook was received.
      void sources.fetch(names).catch((error) => log.warn(formatErrorReason(error)))
    },
    review: (source: string, number: number) => reviews?.add(source, number),
    log: (level: 'info' | 'warn', message: string) => log[level](message),
  }
}

async function checkSecrets(sources: CodeSources): Promise<void> {
  const files = new Set(sources.all.flatMap(({ webhookSecretFile }) => webhookSecretFile ?? []))
  if (files.size === 0) throwIssue(issues.WEBHOOKS_WITHOUT_SECRET, {})
  for (const file of files) await checkSecretFile(file)
}

/** The certificate of the server is also its authority here, because this port accepts no client certificate. */
async function readWebhookTls({ settings, files }: WebhookParts): Promise<TlsOptions | undefined> {
  const { webhook_cert: cert, webhook_key: key } = settings
  if (cert === '') return undefined
  return readTlsOptions({ hostcert: cert, hostprivkey: key, localcacert: cert }, files)
}
