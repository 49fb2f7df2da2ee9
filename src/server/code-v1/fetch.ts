import type { FastifyInstance, FastifyRequest } from 'fastify'
import { budgets } from '../../base/budgets/budgets.ts'
import { isIssue, PuppetError } from '../../base/issue.ts'
import { parseBoundedJson } from '../../base/json/bounded-json.ts'
import type { Environments } from '../../code/environments/environments.ts'
import type { CodeSources } from '../../deploy/sources/code-sources.ts'
import {
  parseSourceFetchRequest,
  runFetchRequest,
  type SourceFetchRequest,
} from '../../deploy/sources/fetch-request.ts'
import { sourceIssues } from '../../deploy/sources/source-issues.ts'
import { formatErrorReason } from '../../language/ruby-semantics/errno.ts'
import { getBody, getBodyText } from '../bodies/request-body.ts'
import { Refusal } from '../http/refusal.ts'

/** Dependencies of the route. */
export interface CodeV1Parts {
  readonly sources: CodeSources
  readonly environments: Pick<Environments, 'status'>
}

const bounds = { characters: budgets.request.fetchOrder.bound, items: 1000 }

/**
 * `POST /code/v1/fetch`: fetches from sources and returns the changes and the deployed commits;
 * with `wait: false`, returns 202 at once. 502 if a fetch failed. Errors are JSON with `kind` and
 * `msg`, as in the status service.
 */
export function addCodeV1Routes(server: FastifyInstance, { sources, environments }: CodeV1Parts): void {
  server.post('/code/v1/fetch', { bodyLimit: budgets.request.fetchOrder.bound }, async (request, reply) => {
    const asked = parseFetchRequest(request)
    try {
      if (asked.wait) {
        const answer = await runFetchRequest(asked, sources, environments)
        const isFailed = answer.fetches.some(({ result }) => result === 'failed')
        return reply
          .code(isFailed ? 502 : 200)
          .type('application/json')
          .send(JSON.stringify(answer))
      }
      sources.require(asked.sources ?? [])
      void runFetchRequest(asked, sources, environments).catch((error) => request.log.warn(formatErrorReason(error)))
      return reply
        .code(202)
        .type('application/json')
        .send(JSON.stringify({ queued: asked.sources ?? sources.names }))
    } catch (error) {
      if (isIssue(error, sourceIssues.UNKNOWN_SOURCE)) throw createFetchRefusal(404, 'unknown-source', error)
      if (isIssue(error, sourceIssues.NO_SOURCE_OF_ENVIRONMENT))
        throw createFetchRefusal(404, 'unknown-environment', error)
      throw error
    }
  })
}

function parseFetchRequest(request: FastifyRequest): SourceFetchRequest {
  const text = getBodyText(getBody(request))
  try {
    return parseSourceFetchRequest(text.trim() === '' ? {} : parseBoundedJson(text, bounds))
  } catch (error) {
    throw createFetchRefusal(400, 'malformed-request', error)
  }
}

function createFetchRefusal(status: number, kind: string, error: unknown): Refusal {
  const hint = error instanceof PuppetError ? error.diagnostic.hint : undefined
  return new Refusal(status, 'application/json', JSON.stringify({ kind, msg: formatErrorReason(error), hint }))
}
