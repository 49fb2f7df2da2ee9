import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { budgets } from '../../base/budgets/budgets.ts'
import type { ExactJson } from '../../base/json/exact-json.ts'
import { printJson } from '../../base/json/json-text.ts'
import { bodyOf, textOf, wholeBody } from '../bodies/take-body.ts'
import { json, negotiate, requireContentType } from '../http/negotiation.ts'
import { puppetRefusal } from '../http/refusal.ts'
import type { Services } from '../services/services.ts'
import { environmentOf } from '../termini/environment-of.ts'
import type { OwnIndirection, OwnRequest } from '../termini/plug-ins/own-indirections.ts'
import { requireEnvironment } from './environment-parameter.ts'
import { requireKey } from './key.ts'

const bodyLimit = budgets.plugIn.body.bound

/**
 * `/puppet/v3/NAME/KEY` for custom indirections: GET and POST find, PUT saves, DELETE destroys; GET
 * of `NAMEs` searches. Puppet: network/http/api/indirected_routes.rb. Access needs a rule in
 * auth.conf.
 */
export function ownIndirectionRoutes(server: FastifyInstance, { plugIns, environments }: Services): void {
  const asked = async (request: FastifyRequest): Promise<OwnRequest> => {
    const environment = requireEnvironment(request.call.query)
    await environmentOf(environments, { key: '', environment })
    return { key: requireKey(request), node: request.call.client.certname, environment }
  }
  for (const own of plugIns.indirections) {
    const { name, models } = own
    const find = async (request: FastifyRequest, reply: FastifyReply) => {
      const body = request.method === 'POST' ? { body: wholeBody(bodyOf(request)) } : {}
      const query = { ...(await asked(request)), ...body }
      const found = await models.find(query)
      if (found === undefined) throw puppetRefusal(404, `Could not find ${name} ${query.key}`, 'RESOURCE_NOT_FOUND')
      return sent(request, reply, own, found)
    }
    server.get(`/puppet/v3/${name}/*`, find)
    server.post(`/puppet/v3/${name}/*`, { bodyLimit }, find)
    server.get(`/puppet/v3/${name}s/*`, async (request, reply) => {
      const query = await asked(request)
      const found = await models.search(query)
      if (found === undefined)
        throw puppetRefusal(404, `Could not find instances in ${name} with '${query.key}'`, 'RESOURCE_NOT_FOUND')
      return sent(request, reply, { ...own, type: undefined }, found)
    })
    server.put(`/puppet/v3/${name}/*`, { bodyLimit }, async (request, reply) => {
      const query = await asked(request)
      await models.save(modelIn(request, own), query)
      return reply.type(json.contentType).send('null')
    })
    server.delete(`/puppet/v3/${name}/*`, async (request, reply) => {
      await models.destroy(await asked(request))
      return reply.type(json.contentType).send('null')
    })
  }
}

/**
 * The model in a request body: bytes if the indirection has its own media type, otherwise JSON.
 * Throws 400 and 415.
 */
function modelIn(request: FastifyRequest, { type }: OwnIndirection): unknown {
  requireContentType(request.headers['content-type'], type ?? json.mime)
  if (type !== undefined) return wholeBody(bodyOf(request))
  try {
    return JSON.parse(textOf(bodyOf(request)))
  } catch (error) {
    throw puppetRefusal(
      400,
      `The request body is invalid: Could not intern from json: ${error instanceof Error ? error.message : ''}`,
    )
  }
}

function sent(
  request: FastifyRequest,
  reply: FastifyReply,
  { name, type }: OwnIndirection,
  model: unknown,
): FastifyReply {
  if (type === undefined) {
    negotiate(request.headers.accept, [json])
    return reply.type(json.contentType).send(printJson(model as ExactJson))
  }
  // Clients of other protocols may omit the Accept header.
  if (request.headers.accept !== undefined) negotiate(request.headers.accept, [{ mime: type, contentType: type }])
  if (typeof model !== 'string' && !(model instanceof Uint8Array))
    throw puppetRefusal(500, `The indirection ${name} gave no ${type}: it has to be text or bytes`)
  return reply.type(type).send(typeof model === 'string' ? model : Buffer.from(model))
}
