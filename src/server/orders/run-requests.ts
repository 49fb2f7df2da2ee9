import type { FastifyInstance, FastifyRequest } from 'fastify'
import { budgets } from '../../base/budgets/budgets.ts'
import { PuppetError, throwIssue } from '../../base/issue.ts'
import { parseBoundedJson } from '../../base/json/bounded-json.ts'
import { checkJsonObject, checkJsonString, type Json, wireIssues } from '../../base/json/json-checks.ts'
import { formatErrorReason } from '../../language/ruby-semantics/errno.ts'
import { isOrderId, parseOrderId, parseRunInstructions } from '../../model/orders/order.ts'
import type { BatchProgress } from '../../model/orders/order-state.ts'
import { getBody, getBodyText } from '../bodies/request-body.ts'
import { formatClientName } from '../http/client.ts'
import { createPuppetRefusal } from '../http/refusal.ts'
import { parseNodeSelection, type SelectionSources, selectNodes } from './node-selection.ts'
import type { RunOrders } from './run-orders.ts'
import { type AllowedRuns, limitRuns } from './run-rights.ts'

/** Dependencies of the requests. */
export interface RunRequestParts extends SelectionSources {
  readonly orders: RunOrders
}

const bounds = { characters: budgets.order.request.bound, items: budgets.order.nodes.bound + 1000, depth: 4 }

/** Handles a request for a batch of runs: `nodes`, `query`, `wave`, `environment`, `noop`, `tags`, `commit`, `at_once`. */
async function startRuns(
  { request, keepsEnvironment }: AllowedRuns,
  person: string,
  parts: RunRequestParts,
): Promise<{ id: string }> {
  const { at_once: atOnce, environment, ...instructions } = request
  if (atOnce !== undefined && typeof atOnce !== 'number')
    throwIssue(wireIssues.WIRE_SHAPE, { what: 'at_once', expected: 'a number' })
  const run = parseRunInstructions(keepsEnvironment ? instructions : { ...instructions, environment })
  const nodes = await selectNodes(parseNodeSelection(request), parts)
  return parts.orders.run({ nodes, person, ...run, maxAtOnce: atOnce })
}

function toProgressJson({ atOnce, ...batch }: BatchProgress): Json {
  return { ...batch, ...(atOnce !== undefined && { at_once: atOnce }) } as unknown as Json
}

/**
 * Handles the requests of `plumb run` on the control socket, with an `action`: `start`, `read` or `stop`. Returns `null`
 * for an unknown batch.
 */
export function createRunHandler(parts: RunRequestParts): (asked: unknown) => Promise<Json> {
  const { orders } = parts
  return async (asked) => {
    const { action, id, since, person, request } = checkJsonObject(asked, 'request')
    if (action === 'start') {
      const asked = { request: checkJsonObject(request, 'request'), keepsEnvironment: false }
      return startRuns(asked, checkJsonString(person, 'person'), parts)
    }
    const batch = parseOrderId(id)
    if (action === 'stop') return (await orders.stop(batch, checkJsonString(person, 'person'))) ?? null
    const found = await orders.progress(batch, typeof since === 'number' ? since : 0)
    return found ? toProgressJson(found) : null
  }
}

/** Path of the requests for batches of runs. */
const runsPath = '/plumb/v1/runs'

/**
 * `POST /plumb/v1/runs` starts a batch of runs, `GET /plumb/v1/runs/ID` returns its progress, and `DELETE` stops the
 * orders that were not sent. Errors have Puppet's format.
 */
export function addRunRoutes(server: FastifyInstance, parts: RunRequestParts): void {
  const { orders } = parts
  server.post(runsPath, { bodyLimit: bounds.characters }, async (request, reply) => {
    const { client } = request.call
    try {
      const allowed = limitRuns(checkJsonObject(parseRequestBody(request), 'request'), client)
      const started = await startRuns(allowed, formatClientName(client), parts)
      return sendJson(reply.code(201), started)
    } catch (error) {
      throw error instanceof PuppetError ? createRunRefusal(error) : error
    }
  })
  server.get(`${runsPath}/:id`, async (request, reply) => {
    const since = Number(request.call.query.get('since')?.at(0) ?? 0)
    const found = await orders.progress(getBatchId(request), Number.isSafeInteger(since) ? since : 0)
    return sendJson(reply, found ? toProgressJson(found) : throwUnknownBatch())
  })
  server.delete(`${runsPath}/:id`, async (request, reply) => {
    const stopped = await orders.stop(getBatchId(request), formatClientName(request.call.client))
    return sendJson(reply, { stopped: stopped ?? throwUnknownBatch() })
  })
}

function getBatchId({ params }: FastifyRequest): string {
  const { id } = params as { readonly id: string }
  return isOrderId(id) ? id : throwUnknownBatch()
}

function throwUnknownBatch(): never {
  throw createPuppetRefusal(404, 'There is no such batch', 'RESOURCE_NOT_FOUND')
}

function sendJson(reply: { type(text: string): { send(body: string): unknown } }, value: Json): unknown {
  return reply.type('application/json').send(JSON.stringify(value))
}

function parseRequestBody(request: FastifyRequest): unknown {
  const text = getBodyText(getBody(request))
  try {
    return parseBoundedJson(text, bounds)
  } catch (error) {
    throw createRunRefusal(error)
  }
}

function createRunRefusal(error: unknown): Error {
  const hint = error instanceof PuppetError ? error.diagnostic.hint : undefined
  return createPuppetRefusal(400, formatErrorReason(error), 'RUNTIME_ERROR', hint)
}
