import type { FastifyInstance } from 'fastify'
import { addStatusV1Routes, type StatusSources } from '../../status-v1/index.ts'
import { Shutdown } from '../../status-v1/shutdown.ts'
import { Startup } from '../../status-v1/startup.ts'
import { authorityPart } from '../authority.ts'
import { environmentsPart } from '../environments.ts'
import { identityPart } from '../identity.ts'
import { definePart } from '../part.ts'
import { poolPart } from '../pool.ts'
import { storePart } from '../store.ts'
import { telemetryPart } from '../telemetry.ts'

/** Routes of `/status/v1`, with the alerts of all parts. `ending` announces the shutdown. */
export const statusPart = definePart(
  'status',
  [telemetryPart, authorityPart, environmentsPart, storePart, poolPart, identityPart],
  ({ version, opened, telemetry, authority, environments: { environments, deployments }, store, pool, identity }) => {
    const ending = new Shutdown()
    const sources: StatusSources = {
      isStarting: new Startup(environments, deployments).isUnderWay,
      isStopping: ending.isNear,
      ...{ pool, environments, version, telemetry, store: store?.store },
      authority: authority !== undefined,
      certificates: () => identity.certificates(),
      alerts: () => opened().flatMap(({ alerts }) => alerts?.() ?? []),
    }
    const routes = (http: FastifyInstance) => addStatusV1Routes(http, sources)
    return { value: { ending, routes }, routes }
  },
)
