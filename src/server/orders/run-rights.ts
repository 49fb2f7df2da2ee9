import type { Client } from '../http/client.ts'
import { createPuppetRefusal } from '../http/refusal.ts'

/** A request for a batch of runs that its client may make. */
export interface AllowedRuns {
  readonly request: Readonly<Record<string, unknown>>
  /** True if `environment` only names the rollout of the wave, and the runs have the own environment of each node. */
  readonly keepsEnvironment: boolean
}

/**
 * Limits a request to the rights of its client, which the rules of auth.conf allowed to order runs. A token needs the
 * scope `query` besides `run` for a query, as for any other query. Only a client certificate may choose the environment
 * of the runs: nodes apply its code as root, so that a right to push any branch would lead past the rollout of another
 * environment. Throws a refusal.
 */
export function limitRuns(request: Readonly<Record<string, unknown>>, { certname, token }: Client): AllowedRuns {
  if (token && isGiven(request['query']) && !token.scopes.includes('query'))
    throw createPuppetRefusal(403, `The token '${token.name}' needs the scope query besides run for a query`)
  const keepsEnvironment = token !== undefined || certname === undefined
  if (keepsEnvironment && isGiven(request['environment']) && !isGiven(request['wave']))
    throw createPuppetRefusal(
      403,
      'Only a client certificate may choose the environment of runs; without it, each node uses its own',
    )
  return { request, keepsEnvironment }
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null
}
