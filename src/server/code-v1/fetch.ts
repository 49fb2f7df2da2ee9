import type { FastifyInstance, FastifyRequest } from 'fastify'
import { budgets } from '../../base/budgets/budgets.ts'
import { isIssue, PuppetError } from '../../base/issue.ts'
import { parseBoundedJson } from '../../base/json/bounded-json.ts'
import type { Environments } from '../../code/environments/environments.ts'
import { type AskedFetch, askedFetchFromWire, fetchAsked } from '../../deploy/sources/asked-fetch.ts'
import type { CodeSources } from '../../deploy/sources/code-sources.ts'
import { sourceIssues } from '../../deploy/sources/source-issues.ts'
import { reasonText } from '../../language/ruby-semantics/errno.ts'
import { bodyOf, textOf } from '../bodies/take-body.ts'
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
export function codeV1(server: FastifyInstance, { sources, environments }: CodeV1Parts): void {
  server.post('/code/v1/fetch', { bodyLimit: budgets.request.fetchOrder.bound }, async (request, reply) => {
    const asked = readAsked(request)
    try {
      if (asked.wait) {
        const answer = await fetchAsked(asked, sources, environments)
        const isFailed = answer.fetches.some(({ result }) => result === 'failed')
        return reply
          .code(isFailed ? 502 : 200)
          .type('application/json')
          .send(JSON.stringify(answer))
      }
      sources.require(asked.sources ?? [])
      void fetchAsked(asked, sources, environments).catch((error) => request.log.warn(reasonText(error)))
      return reply
        .code(202)
        .type('application/json')
        .send(JSON.stringify({ queued: asked.sources ?? sources.names }))
    } catch (error) {
      if (isIssue(error, sourceIssues.UNKNOWN_SOURCE)) throw refusal(404, 'unknown-source', error)
      if (isIssue(error, sourceIssues.NO_SOURCE_OF_ENVIRONMENT)) throw refusal(404, 'unknown-environment', error)
      throw error
    }
  })
}

function readAsked(request: FastifyRequest): AskedFetch {
  const text = textOf(bodyOf(request))
  try {
    return askedFetchFromWire(text.trim() === '' ? {} : parseBoundedJson(text, bounds))
  } catch (error) {
    throw refusal(400, 'malformed-request', error)
  }
}

function refusal(status: number, kind: string, error: unknown): Refusal {
  const hint = error instanceof PuppetError ? error.diagnostic.hint : undefined
  return new Refusal(status, 'application/json', JSON.stringify({ kind, msg: reasonText(error), hint }))
}
