import { ahead } from './ahead.ts'
import { audit } from './audit.ts'
import { authority } from './authority.ts'
import { upkeep } from './certificate-upkeep.ts'
import { clients } from './clients.ts'
import { code } from './code.ts'
import { compiling } from './compiling.ts'
import { control } from './control.ts'
import { daily } from './daily.ts'
import { adminV1 } from './endpoints/admin.ts'
import { caV1, ocsp } from './endpoints/certificates.ts'
import { codeV1, git } from './endpoints/code.ts'
import { console } from './endpoints/console.ts'
import { jolokia } from './endpoints/jolokia.ts'
import { metrics, metricsPort } from './endpoints/metrics.ts'
import { pdb, pdbPorts } from './endpoints/pdb.ts'
import { plumbV1, puppetV3, puppetV4 } from './endpoints/puppet.ts'
import { status } from './endpoints/status.ts'
import { environments } from './environments.ts'
import { following } from './following.ts'
import { gate } from './gate.ts'
import { hourlyUpkeep } from './hourly-upkeep.ts'
import { http, listening } from './http.ts'
import { identity } from './identity.ts'
import { liveSettings } from './live-settings.ts'
import { mounts } from './mounts.ts'
import { movedBranches } from './moved-branches.ts'
import { partsTable } from './open-parts.ts'
import { pool } from './pool.ts'
import { reload } from './reload.ts'
import { seal } from './seal.ts'
import { movedFiles, services } from './services.ts'
import type { Start } from './start.ts'
import { answers, exports, keptCommits, store } from './store.ts'
import { telemetry } from './telemetry.ts'
import { webhooks } from './webhooks.ts'

/** The parts of the server, each after those that it needs. They close in the reverse order. */
export const serverParts = partsTable<Start>()
  .add(liveSettings)
  .add(telemetry)
  .add(code)
  .add(audit)
  .add(ahead)
  .add(keptCommits)
  .add(movedBranches)
  .add(authority, environments)
  .add(upkeep)
  .add(seal)
  .add(store)
  .add(exports)
  .add(answers)
  .add(pool)
  .add(mounts)
  .add(identity)
  .add(clients)
  .add(services)
  .add(movedFiles)
  // Routes.
  .add(puppetV3)
  .add(puppetV4)
  .add(plumbV1)
  .add(codeV1)
  .add(git)
  .add(console)
  .add(pdb)
  .add(status)
  .add(jolokia)
  .add(adminV1)
  .add(ocsp)
  .add(caV1)
  // `metrics` collects the metrics, and `http` the routes, of the parts before it.
  .add(metrics)
  .add(pdbPorts, http)
  .add(listening)
  .add(metricsPort)
  // Work that starts when the server listens.
  .add(compiling)
  .add(webhooks)
  .add(reload)
  .add(gate)
  .add(control)
  .add(following)
  .add(daily)
  .add(hourlyUpkeep)
