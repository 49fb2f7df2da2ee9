import type { FastifyInstance } from 'fastify'
import type { ExactJson } from '../../base/json/exact-json.ts'
import { formatExactJson } from '../../base/json/json-text.ts'
import { nodeToWire, type PuppetNode } from '../../model/node.ts'
import type { BodyReader } from '../bodies/body-reader.ts'
import { jsonMedia, msgpackMedia, negotiateFormat, psonMedia } from '../http/negotiation.ts'
import { createPuppetRefusal } from '../http/refusal.ts'
import { sendData } from '../sending/data-response.ts'
import type { Services } from '../services/services.ts'
import { getNodeEnvironment, getRequestEnvironment } from '../termini/request-environment.ts'
import { requireEnvironment } from './environment-parameter.ts'
import { requireCertname } from './key.ts'

/** `GET /puppet/v3/node/CERTNAME`. protocol.md 9. */
export function addNodeRoutes(
  server: FastifyInstance,
  { node, environments, bodyReader }: Services,
  settings: { readonly environmentpath: readonly string[] },
): void {
  server.get('/puppet/v3/node/*', async (request, reply) => {
    const environment = requireEnvironment(request.call.query)
    await getRequestEnvironment(environments, { key: '', environment })
    const key = requireCertname(request)
    const known = await node.find({ key, node: request.call.client.certname, environment })
    if (!known) throw createPuppetRefusal(404, `Could not find node ${key}`, 'RESOURCE_NOT_FOUND')
    const found = { ...known, environment: known.environment ?? environment }
    // If the agent received an environment that does not exist, it would request that environment
    // from now on.
    await getNodeEnvironment(environments, found.environment, settings)
    const format = negotiateFormat(request.headers.accept, [jsonMedia, psonMedia, msgpackMedia])
    return sendData(request, reply, { pieces: await formatNode(found, bodyReader), format }, bodyReader)
  })
}

/**
 * Returns the node as pieces of JSON, with its facts among the parameters. The text of the facts is parsed only if
 * the node has parameters to merge.
 */
async function formatNode({ facts, ...node }: PuppetNode, reader: BodyReader): Promise<readonly Uint8Array[]> {
  const wire = nodeToWire(node)
  if (facts === undefined) return [Buffer.from(formatExactJson(wire))]
  const none = Object.keys(node.parameters).length === 0
  const all = none
    ? facts
    : (await reader.read('merged', Buffer.from(facts), formatExactJson(node.parameters), node.name)).value
  const { name, environment, parameters: _, ...others } = wire as Record<string, ExactJson>
  const before = formatExactJson({ name, environment }).slice(0, -1)
  const after = formatExactJson(others).slice(1)
  return [Buffer.from(`${before},"parameters":`), all, Buffer.from(after === '}' ? after : `,${after}`)]
}
