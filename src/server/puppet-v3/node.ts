import type { FastifyInstance } from 'fastify'
import type { ExactJson } from '../../base/json/exact-json.ts'
import { printJson } from '../../base/json/json-text.ts'
import { type Node, nodeToWire } from '../../model/node.ts'
import type { BodyReader } from '../bodies/body-reader.ts'
import { json, msgpack, negotiate, pson } from '../http/negotiation.ts'
import { puppetRefusal } from '../http/refusal.ts'
import { sendData } from '../sending/send-data.ts'
import type { Services } from '../services/services.ts'
import { environmentOf, environmentOfNode } from '../termini/environment-of.ts'
import { requireEnvironment } from './environment-parameter.ts'
import { requireCertname } from './key.ts'

/** `GET /puppet/v3/node/CERTNAME`. protocol.md 9. */
export function nodeRoutes(
  server: FastifyInstance,
  { node, environments, bodyReader }: Services,
  settings: { readonly environmentpath: readonly string[] },
): void {
  server.get('/puppet/v3/node/*', async (request, reply) => {
    const environment = requireEnvironment(request.call.query)
    await environmentOf(environments, { key: '', environment })
    const key = requireCertname(request)
    const known = await node.find({ key, node: request.call.client.certname, environment })
    if (!known) throw puppetRefusal(404, `Could not find node ${key}`, 'RESOURCE_NOT_FOUND')
    const found = { ...known, environment: known.environment ?? environment }
    // If the agent received an environment that does not exist, it would request that environment
    // from now on.
    await environmentOfNode(environments, found.environment, settings)
    const format = negotiate(request.headers.accept, [json, pson, msgpack])
    return sendData(request, reply, { pieces: await nodeText(found, bodyReader), format }, bodyReader)
  })
}

/**
 * Returns the node as pieces of JSON, with its facts among the parameters. The text of the facts is parsed only if
 * the node has parameters to merge.
 */
async function nodeText({ facts, ...node }: Node, reader: BodyReader): Promise<readonly Uint8Array[]> {
  const wire = nodeToWire(node)
  if (facts === undefined) return [Buffer.from(printJson(wire))]
  const none = Object.keys(node.parameters).length === 0
  const all = none
    ? facts
    : (await reader.read('merged', Buffer.from(facts), printJson(node.parameters), node.name)).value
  const { name, environment, parameters: _, ...others } = wire as Record<string, ExactJson>
  const before = printJson({ name, environment }).slice(0, -1)
  const after = printJson(others).slice(1)
  return [Buffer.from(`${before},"parameters":`), all, Buffer.from(after === '}' ? after : `,${after}`)]
}
