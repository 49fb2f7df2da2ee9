import type { FastifyBaseLogger } from 'fastify'
import type { Registry } from 'prom-client'
import { budgets } from '../../base/budgets/budgets.ts'
import { puppetVersion } from '../../base/puppet-version.ts'
import { compileBuiltInPattern } from '../../base/text/linear-pattern.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { Rule } from '../auth/rule.ts'
import { createHttpServer } from '../https/http.ts'
import { listenOnPort } from '../https/listen.ts'
import { identifyLoopbackClient } from '../https/loopback.ts'
import { createServerCloser } from '../https/server-shutdown.ts'
import { addPrometheusRoute } from './prometheus.ts'

/** A rule that allows every client, because `identifyLoopbackClient` admits only this machine. */
const figuresForAll: Rule = {
  name: 'metrics_plain_port',
  sortOrder: 1,
  path: { kind: 'pattern', pattern: compileBuiltInPattern(/^\/metrics$/) },
  methods: new Set(['get', 'head']),
  query: new Map(),
  allowUnauthenticated: true,
  deny: [],
  allow: [],
  allowTokens: new Set(),
}

/**
 * Opens `metrics_plain_port`: `/metrics` over plain HTTP on the loopback interface. Returns a
 * function that closes it.
 */
export async function openMetricsPort(
  { metrics_plain_port: port }: Pick<Settings, 'metrics_plain_port'>,
  { log, registry }: { readonly log: FastifyBaseLogger; readonly registry: Registry },
): Promise<() => Promise<void>> {
  if (port === 0) return async () => {}
  const http = createHttpServer({ log, puppetVersion, rules: () => [figuresForAll], identify: identifyLoopbackClient })
  http.server.maxConnections = budgets.telemetry.plainConnections.bound
  addPrometheusRoute(http, registry)
  const close = createServerCloser(http)
  await listenOnPort(http, { bindaddress: '127.0.0.1', port, setting: 'metrics_plain_port' })
  return close
}
