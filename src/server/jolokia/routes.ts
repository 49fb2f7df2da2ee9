import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { budgets } from '../../base/budgets/budgets.ts'
import { PuppetError, throwIssue } from '../../base/issue.ts'
import { isJsonLimitError, parseBoundedJson } from '../../base/json/bounded-json.ts'
import { getBody, getBodyText } from '../bodies/request-body.ts'
import { getIndirectionKey } from '../http/call.ts'
import { jsonMedia } from '../http/negotiation.ts'
import { answerJolokia, createErrorAnswer, type JolokiaAnswer, type JolokiaSources } from './answer.ts'
import { jolokiaIssues, parseJsonRequest, parsePathRequest } from './request.ts'

const root = '/metrics/v2'
const { bulkBody, bulkRequests } = budgets.telemetry

/**
 * `GET` and `POST /metrics/v2`, with Jolokia's protocol. The HTTP status of errors is 200; the body contains the
 * status of the error. protocol.md 14.
 */
export function addJolokiaRoutes(server: FastifyInstance, sources: JolokiaSources): void {
  const handleGet = async (request: FastifyRequest, reply: FastifyReply) => {
    const path = getIndirectionKey(request.call, root).replace(/^\//, '')
    return sendJson(reply, await answerJolokia(() => parsePathRequest(path), sources))
  }
  const handlePost = async (request: FastifyRequest, reply: FastifyReply) =>
    sendJson(reply, await answerRequests(getBodyText(getBody(request)), sources))
  for (const url of [root, `${root}/*`]) {
    server.get(url, handleGet)
    server.route({ method: 'POST', url, bodyLimit: bulkBody.bound, handler: handlePost })
  }
}

/** Answers one request, or a list of them. */
async function answerRequests(text: string, sources: JolokiaSources): Promise<JolokiaAnswer | JolokiaAnswer[]> {
  let requests: unknown
  try {
    requests = parseBody(text)
  } catch (error) {
    return createErrorAnswer(error)
  }
  if (!Array.isArray(requests)) return answerJolokia(() => parseJsonRequest(requests), sources)
  const answers: JolokiaAnswer[] = []
  for (const each of requests) {
    answers.push(await answerJolokia(() => parseJsonRequest(each), sources))
    // Yields to the event loop between requests, each of which takes a few milliseconds at most.
    await new Promise((done) => setImmediate(done))
  }
  return answers
}

/** Parses the body of a request. Throws JOLOKIA_JSON and JOLOKIA_BULK. */
function parseBody(text: string): unknown {
  const requests = parseJson(text)
  if (Array.isArray(requests) && requests.length > bulkRequests.bound)
    throwIssue(jolokiaIssues.JOLOKIA_BULK, { most: bulkRequests.bound })
  return requests
}

function parseJson(text: string): unknown {
  try {
    // Checks the limits only; the value comes from `JSON.parse`.
    parseBoundedJson(text, { characters: bulkBody.bound, items: bulkBody.bound })
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof PuppetError && isJsonLimitError(error)) throw error
    return throwIssue(jolokiaIssues.JOLOKIA_JSON, { what: 'that cannot be read' })
  }
}

function sendJson(reply: FastifyReply, answer: unknown): FastifyReply {
  return reply.type(jsonMedia.contentType).header('Cache-Control', 'no-cache').send(JSON.stringify(answer))
}
