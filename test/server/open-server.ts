import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import type { Rule } from '../../src/server/auth/rule.ts'
import { createUnauthenticatedClient } from '../../src/server/http/client.ts'
import { createHttpServer } from '../../src/server/https/http.ts'
import type { TlsOptions } from '../../src/server/https/tls-context.ts'

const everyone: Rule = {
  name: 'everyone',
  sortOrder: 1,
  path: { kind: 'prefix', prefix: '/' },
  methods: undefined,
  query: new Map(),
  allowUnauthenticated: true,
  deny: [],
  allow: [],
  allowTokens: new Set<string>(),
}

/** The server in front of the routes, as it is, but that it lets everyone in. */
export function openServer(tls?: TlsOptions): FastifyInstance {
  return createHttpServer({
    ...(tls && { tls }),
    log: pino({ level: 'silent' }),
    puppetVersion: '8.0.0',
    rules: () => [everyone],
    identify: (request) => createUnauthenticatedClient(request.ip),
  })
}
