import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { budgets } from '../../base/budgets/budgets.ts'
import { fail, PuppetError } from '../../base/issue.ts'
import { isTooMuch, parseBoundedJson } from '../../base/json/bounded-json.ts'
import { bodyOf, textOf } from '../bodies/take-body.ts'
import { keyAfter } from '../http/call.ts'
import { json } from '../http/negotiation.ts'
import { answerJolokia, errorAnswer, type JolokiaAnswer, type JolokiaSources } from './answer.ts'
import { parseJsonRequest, parsePathRequest, requestIssues } from './request.ts'

const root = '/metrics/v2'
const { bulkBody, bulkRequests } = budgets.telemetry

/**
 * `GET` and `POST /metrics/v2`, with Jolokia's protocol. The HTTP status of errors is 200; the body contains the
 * status of the error. protocol.md 14.
 */
export function jolokiaRoutes(server: FastifyInstance, sources: JolokiaSources): void {
  const get = async (request: FastifyRequest, reply: FastifyReply) => {
    const path = keyAfter(request.call, root).replace(/^\//, '')
    return send(reply, await answerJolokia(() => parsePathRequest(path), sources))
  }
  const post = async (request: FastifyRequest, reply: FastifyReply) =>
    send(reply, await answerText(textOf(bodyOf(request)), sources))
  for (const url of [root, `${root}/*`]) {
    server.get(url, get)
    server.route({ method: 'POST', url, bodyLimit: bulkBody.bound, handler: post })
  }
}

/** Answers one request, or a list of them. */
async function answerText(text: string, sources: JolokiaSources): Promise<JolokiaAnswer | JolokiaAnswer[]> {
  let requests: unknown
  try {
    requests = parseBody(text)
  } catch (error) {
    return errorAnswer(error)
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

/** Throws JOLOKIA_JSON and JOLOKIA_BULK. */
function parseBody(text: string): unknown {
  const requests = parseJson(text)
  if (Array.isArray(requests) && requests.length > bulkRequests.bound)
    fail(requestIssues.JOLOKIA_BULK, { most: bulkRequests.bound })
  return requests
}

function parseJson(text: string): unknown {
  try {
    // Checks the limits only; the value comes from `JSON.parse`.
    parseBoundedJson(text, { characters: bulkBody.bound, items: bulkBody.bound })
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof PuppetError && isTooMuch(error)) throw error
    return fail(requestIssues.JOLOKIA_JSON, { what: 'that cannot be read' })
  }
}

function send(reply: FastifyReply, answer: unknown): FastifyReply {
  return reply.type(json.contentType).header('Cache-Control', 'no-cache').send(JSON.stringify(answer))
}
