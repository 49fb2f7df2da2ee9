import { findOwnEnvironments, type OwnEnvironment } from '../../../store/node-environments.ts'
import { createRowReader } from '../../../store/node-rows.ts'
import type { PageSources } from '../page.ts'
import type { StoreQuery } from './store-query.ts'

/** Cache lifetime of the environments of all nodes in milliseconds. */
const rememberedMs = 20_000

type OwnEnvironments = ReadonlyMap<string, OwnEnvironment>

/**
 * Environments of the nodes that do not belong to the environment of their last report. `only` restricts the nodes to
 * check.
 */
export async function readOwnEnvironments(sources: PageSources, only?: readonly string[]): Promise<OwnEnvironments> {
  if (only?.length === 0) return new Map()
  const served = new Set((await sources.environments()).map(({ name }) => name))
  const options = { now: sources.now(), ttl: sources.nodeTtl, served: served.size > 0 ? served : undefined, only }
  const askEnvironments = () => findOwnEnvironments(createRowReader(sources.store), options)
  return only === undefined ? sources.remembered('own environments', rememberedMs, askEnvironments) : askEnvironments()
}

/** Query condition on `nodes` for the nodes of an environment. */
export function createEnvironmentCondition(environment: string, own: OwnEnvironments): StoreQuery {
  const here = [...own].filter(([, each]) => each.environment === environment).map(([name]) => name)
  const isOther = ['in', 'certname', ['array', [...own.keys()]]]
  const reported: StoreQuery = ['=', 'report_environment', environment]
  if (own.size === 0) return reported
  return ['or', ['and', reported, ['not', isOther]], ['in', 'certname', ['array', here]]]
}
