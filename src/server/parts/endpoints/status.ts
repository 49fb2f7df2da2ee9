import type { FastifyInstance } from 'fastify'
import { Beginning } from '../../status-v1/beginning.ts'
import { Ending } from '../../status-v1/ending.ts'
import { type StatusSources, statusV1 } from '../../status-v1/index.ts'
import { authority } from '../authority.ts'
import { environments } from '../environments.ts'
import { identity } from '../identity.ts'
import { part } from '../part.ts'
import { pool } from '../pool.ts'
import { store } from '../store.ts'
import { telemetry } from '../telemetry.ts'

/** Routes of `/status/v1`, with the alerts of all parts. `ending` announces the shutdown. */
export const status = part(
  'status',
  [telemetry, authority, environments, store, pool, identity],
  ({ version, opened, telemetry, authority, environments: { environments, deployments }, store, pool, identity }) => {
    const ending = new Ending()
    const sources: StatusSources = {
      isStarting: new Beginning(environments, deployments).isUnderWay,
      isStopping: ending.isNear,
      ...{ pool, environments, version, telemetry, store: store?.store },
      authority: authority !== undefined,
      certificates: () => identity.certificates(),
      alerts: () => opened().flatMap(({ alerts }) => alerts?.() ?? []),
    }
    const routes = (http: FastifyInstance) => statusV1(http, sources)
    return { value: { ending, routes }, routes }
  },
)
