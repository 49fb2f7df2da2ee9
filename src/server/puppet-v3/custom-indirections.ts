import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { budgets } from '../../base/budgets/budgets.ts'
import type { ExactJson } from '../../base/json/exact-json.ts'
import { formatExactJson } from '../../base/json/json-text.ts'
import { getBody, getBodyText, joinBody } from '../bodies/request-body.ts'
import { jsonMedia, negotiateFormat, requireContentType } from '../http/negotiation.ts'
import { createPuppetRefusal } from '../http/refusal.ts'
import type { Services } from '../services/services.ts'
import type { CustomIndirection, CustomRequest } from '../termini/plug-ins/custom-indirections.ts'
import { getRequestEnvironment } from '../termini/request-environment.ts'
import { requireEnvironment } from './environment-parameter.ts'
import { requireKey } from './key.ts'

const bodyLimit = budgets.plugIn.body.bound

/**
 * `/puppet/v3/NAME/KEY` for custom indirections: GET and POST find, PUT saves, DELETE destroys; GET
 * of `NAMEs` searches. Puppet: network/http/api/indirected_routes.rb. Access needs a rule in
 * auth.conf.
 */
export function addCustomIndirectionRoutes(server: FastifyInstance, { plugIns, environments }: Services): void {
  const toCustomRequest = async (request: FastifyRequest): Promise<CustomRequest> => {
    const environment = requireEnvironment(request.call.query)
    await getRequestEnvironment(environments, { key: '', environment })
    return { key: requireKey(request), node: request.call.client.certname, environment }
  }
  for (const own of plugIns.indirections) {
    const { name, models } = own
    const handleFind = async (request: FastifyRequest, reply: FastifyReply) => {
      const body = request.method === 'POST' ? { body: joinBody(getBody(request)) } : {}
      const query = { ...(await toCustomRequest(request)), ...body }
      const found = await models.find(query)
      if (found === undefined)
        throw createPuppetRefusal(404, `Could not find ${name} ${query.key}`, 'RESOURCE_NOT_FOUND')
      return sendModel(request, reply, own, found)
    }
    server.get(`/puppet/v3/${name}/*`, handleFind)
    server.post(`/puppet/v3/${name}/*`, { bodyLimit }, handleFind)
    server.get(`/puppet/v3/${name}s/*`, async (request, reply) => {
      const query = await toCustomRequest(request)
      const found = await models.search(query)
      if (found === undefined)
        throw createPuppetRefusal(404, `Could not find instances in ${name} with '${query.key}'`, 'RESOURCE_NOT_FOUND')
      return sendModel(request, reply, { ...own, type: undefined }, found)
    })
    server.put(`/puppet/v3/${name}/*`, { bodyLimit }, async (request, reply) => {
      const query = await toCustomRequest(request)
      await models.save(parseModel(request, own), query)
      return reply.type(jsonMedia.contentType).send('null')
    })
    server.delete(`/puppet/v3/${name}/*`, async (request, reply) => {
      await models.destroy(await toCustomRequest(request))
      return reply.type(jsonMedia.contentType).send('null')
    })
  }
}

/**
 * The model in a request body: bytes if the indirection has its own media type, otherwise JSON.
 * Throws 400 and 415.
 */
function parseModel(request: FastifyRequest, { type }: CustomIndirection): unknown {
  requireContentType(request.headers['content-type'], type ?? jsonMedia.mime)
  if (type !== undefined) return joinBody(getBody(request))
  try {
    return JSON.parse(getBodyText(getBody(request)))
  } catch (error) {
    throw createPuppetRefusal(
      400,
      `The request body is invalid: Could not intern from json: ${error instanceof Error ? error.message : ''}`,
    )
  }
}

function sendModel(
  request: FastifyRequest,
  reply: FastifyReply,
  { name, type }: CustomIndirection,
  model: unknown,
): FastifyReply {
  if (type === undefined) {
    negotiateFormat(request.headers.accept, [jsonMedia])
    return reply.type(jsonMedia.contentType).send(formatExactJson(model as ExactJson))
  }
  // Clients of other protocols may omit the Accept header.
  if (request.headers.accept !== undefined) negotiateFormat(request.headers.accept, [{ mime: type, contentType: type }])
  if (typeof model !== 'string' && !(model instanceof Uint8Array))
    throw createPuppetRefusal(500, `The indirection ${name} returned no ${type}: it must be a string or bytes`)
  return reply.type(type).send(typeof model === 'string' ? model : Buffer.from(model))
}
