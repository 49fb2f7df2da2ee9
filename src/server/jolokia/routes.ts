import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { budgets } from '../../base/budgets/budgets.ts'
import { fail, PuppetError } from '../../base/issue.ts'
import { isTooMuch, parseBoundedJson } from '../../base/json/bounded-json.ts'
import { bodyOf, textOf } from '../bodies/take-body.ts'
import { keyAfter } from '../http/call.ts'
import { json } from '../http/negotiation.ts'
import { Refusal } from '../http/refusal.ts'
import { answerJolokia, badRequest, type JolokiaAnswer, type JolokiaSources } from './answer.ts'
import { requestIssues, requestOfJson, requestOfPath } from './request.ts'

const root = '/metrics/v2'
const { bulkBody, bulkRequests } = budgets.telemetry

/** `GET` and `POST /metrics/v2`, in the form of Jolokia. Errors have status 200, and their own within. protocol.md 14. */
export function jolokiaRoutes(server: FastifyInstance, sources: JolokiaSources): void {
  const get = async (request: FastifyRequest, reply: FastifyReply) => {
    const path = keyAfter(request.call, root).replace(/^\//, '')
    return send(reply, await answerTo(() => requestOfPath(path), sources))
  }
  const post = async (request: FastifyRequest, reply: FastifyReply) => {
    let asked: unknown
    try {
      asked = jsonOf(textOf(bodyOf(request)))
    } catch (error) {
      return send(reply, badRequest(error))
    }
    if (!Array.isArray(asked)) return send(reply, await answerTo(() => requestOfJson(asked), sources))
    const answers: JolokiaAnswer[] = []
    for (const each of asked) {
      answers.push(await answerTo(() => requestOfJson(each), sources))
      // Each takes a few milliseconds at most: others have their turn in between.
      await new Promise((done) => setImmediate(done))
    }
    return send(reply, answers)
  }
  const none = async () => {
    throw new Refusal(405, undefined, '')
  }
  for (const url of [root, `${root}/*`]) {
    server.get(url, get)
    server.route({ method: 'POST', url, bodyLimit: bulkBody.bound, handler: post })
    server.route({ method: ['PUT', 'DELETE'], url, handler: none })
  }
}

function answerTo(read: () => Parameters<typeof answerJolokia>[0], sources: JolokiaSources): Promise<JolokiaAnswer> {
  try {
    return answerJolokia(read(), sources)
  } catch (error) {
    return Promise.resolve(badRequest(error))
  }
}

function send(reply: FastifyReply, answer: unknown): FastifyReply {
  return reply.type(json.contentType).header('Cache-Control', 'no-cache').send(JSON.stringify(answer))
}

function jsonOf(text: string): unknown {
  const asked = parsed(text)
  if (Array.isArray(asked) && asked.length > bulkRequests.bound)
    fail(requestIssues.JOLOKIA_BULK, { most: bulkRequests.bound })
  return asked
}

function parsed(text: string): unknown {
  try {
    // For its bounds; plain data are enough of what it says.
    parseBoundedJson(text, { characters: bulkBody.bound, items: bulkBody.bound })
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof PuppetError && isTooMuch(error)) throw error
    return fail(requestIssues.JOLOKIA_JSON, { what: 'that cannot be read' })
  }
}
