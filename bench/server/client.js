// An agent's requests, timed.

import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { gunzipSync } from 'node:zlib'
import { puppetVersion } from '#built/base/puppet-version.js'
import { certname } from './control-repository.js'

const recorded = JSON.parse(readFileSync(new URL('../../test/oracle/facts.json', import.meta.url), 'utf8'))
let requests = 0

/** Facts as a node sends them: some change from run to run, as uptime, load and free memory do. */
export function factsNow(name = certname) {
  const count = ++requests
  const names = { hostname: name.split('.')[0], domain: 'example.test', fqdn: name }
  const seconds = 86_400 + 1800 * count
  const values = {
    ...recorded,
    ...names,
    networking: { ...recorded.networking, ...names },
    clientcert: name,
    load_averages: { '1m': count / 100, '5m': count / 200, '15m': count / 300 },
    memoryfree_mb: 20_000 - count / 7,
    system_uptime: { seconds, hours: Math.floor(seconds / 3600), days: Math.floor(seconds / 86_400), uptime: '1 day' },
  }
  return { name, values, timestamp: new Date().toISOString(), expiration: new Date().toISOString() }
}

/** An agent that keeps its connection, or makes a new one for each request. */
export function agentOf({ key, cert, ca, inline = false }, { keepAlive = true } = {}) {
  const files = inline ? { key, cert, ca } : { key: readFileSync(key), cert: readFileSync(cert), ca: readFileSync(ca) }
  // No session is resumed: each agent is a process of its own.
  const agent = new Agent({
    ...files,
    keepAlive,
    maxSockets: keepAlive ? 1 : Number.POSITIVE_INFINITY,
    maxCachedSessions: 0,
  })
  /** @type {(server: any, asked: { method: string, path: string, body?: string, type?: string }) => Promise<any>} */
  const call = (server, asked) =>
    new Promise((done, fail) => {
      const { method, path, body = '', type } = asked
      const started = performance.now()
      const headers = {
        Accept: 'application/vnd.puppet.rich+json, application/json',
        'Accept-Encoding': 'gzip',
        'X-Puppet-Version': puppetVersion,
        ...(type ? { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body) } : {}),
      }
      const sent = request({ host: 'localhost', port: server.port, method, path, headers, agent }, (answer) => {
        const parts = []
        answer.on('data', (part) => parts.push(part))
        answer.once('end', () => {
          const milliseconds = performance.now() - started
          const raw = Buffer.concat(parts)
          const bytes = answer.headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw
          if ((answer.statusCode ?? 500) >= 300)
            fail(new Error(`${server.name} answers ${answer.statusCode}: ${bytes}`))
          else done({ milliseconds, bytes, origin: answer.headers['x-plumb-catalog'] })
        })
        answer.once('error', fail)
      })
      // A server may end a kept connection in the moment in which it is used again.
      sent.once('error', (error) =>
        sent.reusedSocket && error['code'] === 'ECONNRESET' ? call(server, asked).then(done, fail) : fail(error),
      )
      sent.end(body)
    })
  return { call, close: () => agent.destroy() }
}

/** The request for a node's catalog with facts of this moment; of the node that is measured as a rule. */
export function catalogRequest(facts = factsNow(), environment = 'production') {
  const form = {
    environment,
    configured_environment: environment,
    facts_format: 'application/json',
    // Encoded twice: as a value and as a field of the form.
    facts: encodeURIComponent(JSON.stringify(facts)),
    transaction_uuid: randomUUID(),
    static_catalog: 'true',
    checksum_type: 'sha256.sha384.sha512.sha224.md5',
    check_environment: 'true',
  }
  return {
    method: 'POST',
    path: `/puppet/v3/catalog/${facts.name}?environment=${environment}`,
    body: new URLSearchParams(form).toString(),
    type: 'application/x-www-form-urlencoded',
  }
}

/** Forgets the cached code of the environment, as r10k's and Code Manager's hooks ask it of Puppet Server. */
export const flushRequest = {
  method: 'DELETE',
  path: '/puppet-admin-api/v1/environment-cache?environment=production',
}

/** Whether a server is well: what a load balancer asks. */
export const statusRequest = { method: 'GET', path: '/status/v1/simple' }
