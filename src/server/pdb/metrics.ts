import type { FastifyInstance } from 'fastify'
import { json } from '../negotiation.ts'
import type { PdbServices } from './index.ts'

const domain = 'puppetlabs.puppetdb.population'

/** A question whose answer is one count. */
type Count = (query: string) => Promise<number>

const nodesIn = (state: string) => `nodes[count()] { node_state = "${state}" }`
/** PuppetDB estimates them, of nodes that are gone, too. */
const resources = 'resources[count()] { node_state = "any" }'

/** The figures of PuppetDB that its clients show, each from the store at the time of asking. */
const figures: Readonly<Record<string, (count: Count) => Promise<number>>> = {
  'num-nodes': (count) => count(nodesIn('active')),
  'num-active-nodes': (count) => count(nodesIn('active')),
  'num-inactive-nodes': (count) => count(nodesIn('inactive')),
  'num-resources': (count) => count(resources),
  async 'avg-resources-per-node'(count) {
    const nodes = await count(nodesIn('any'))
    return nodes === 0 ? 0 : Math.floor((await count(resources)) / nodes)
  },
}

/**
 * `GET /metrics/v2/list` and `/metrics/v2/read/MBEAN`, in the form of Jolokia: so much of it as puppetboard and pypuppetdb
 * ask. Errors have status 200, and their own within. protocol.md 14.
 */
export function metricsRoutes(server: FastifyInstance, { store, now }: PdbServices): void {
  const count: Count = async (query) => {
    const found = await store.ask({ method: 'GET', path: '', search: `query=${encodeURIComponent(query)}` })
    let text = ''
    for await (const piece of found?.pieces ?? []) text += piece
    return (JSON.parse(text) as readonly { readonly count: number }[])[0]?.count ?? 0
  }
  const answer = (request: object, value: unknown) =>
    JSON.stringify({ request, value, timestamp: Math.floor(now() / 1000), status: 200 })

  server.get('/metrics/v2/list', async (_request, reply) => {
    const known = Object.fromEntries(Object.keys(figures).map((name) => [`name=${name}`, described]))
    return reply.type(json.contentType).send(answer({ type: 'list' }, { [domain]: known }))
  })

  server.get<{ Params: { mbean: string } }>('/metrics/v2/read/:mbean', async ({ params: { mbean } }, reply) => {
    const request = { mbean, type: 'read' }
    const name = mbean.startsWith(`${domain}:name=`) ? mbean.slice(`${domain}:name=`.length) : ''
    const figure = Object.hasOwn(figures, name) ? figures[name] : undefined
    void reply.type(json.contentType)
    if (figure) return reply.send(answer(request, { Value: await figure(count) }))
    const type = 'javax.management.InstanceNotFoundException'
    return reply.send(JSON.stringify({ request, error_type: type, error: `${type} : ${mbean}`, status: 404 }))
  })
}

const described = { attr: { Value: { rw: false, type: 'java.lang.Object' } } }
