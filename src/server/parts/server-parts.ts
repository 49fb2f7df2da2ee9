import { aheadPart } from './ahead.ts'
import { auditPart } from './audit.ts'
import { authorityPart, trustCopiesPart } from './authority.ts'
import { sealPart } from './catalog-seal.ts'
import { upkeepPart } from './certificate-upkeep.ts'
import { clientsPart } from './client-options.ts'
import { codePart } from './code.ts'
import { compileAheadPart } from './compile-ahead.ts'
import { controlSocketPart } from './control-socket.ts'
import { dailyWorkPart } from './daily-work.ts'
import { adminV1Part } from './endpoints/admin.ts'
import { caV1Part, ocspPart } from './endpoints/certificates.ts'
import { codeV1Part, gitPart } from './endpoints/code.ts'
import { consolePart } from './endpoints/console.ts'
import { jolokiaPart } from './endpoints/jolokia.ts'
import { metricsPart, metricsPortPart } from './endpoints/metrics.ts'
import { orderHandoverPart, ordersPart } from './endpoints/orders.ts'
import { pdbPart, pdbPortsPart } from './endpoints/pdb.ts'
import { plumbV1Part, puppetV3Part, puppetV4Part } from './endpoints/puppet.ts'
import { statusPart } from './endpoints/status.ts'
import { environmentsPart } from './environments.ts'
import { approvalsPart } from './gate/approvals.ts'
import { gatePart } from './gate/gate.ts'
import { movedBranchesPart } from './gate/moved-branches.ts'
import { reviewsPart, rolloutStatusesPart } from './gate/reviews.ts'
import { hourlyUpkeepPart } from './hourly-upkeep.ts'
import { httpPart, listeningPart } from './http.ts'
import { identityPart } from './identity.ts'
import { liveSettingsPart } from './live-settings.ts'
import { mountsPart } from './mounts.ts'
import { createPartsTable } from './open-parts.ts'
import { poolPart } from './pool.ts'
import { reloadPart } from './reload.ts'
import { defaultRolloutPart } from './rollouts/default-rollout.ts'
import { rolloutEnginePart, rolloutWorkPart } from './rollouts/rollout-engine.ts'
import { rolloutStatesPart, rolloutsPart } from './rollouts/rollouts.ts'
import { movedFilesPart, servicesPart } from './services.ts'
import { sourcePollingPart } from './source-polling.ts'
import type { StartParameters } from './start-parameters.ts'
import { answersPart, exportsPart, storedCommitsPart, storePart } from './store.ts'
import { telemetryPart } from './telemetry.ts'
import { webhooksPart } from './webhooks.ts'

/** The parts of the server, each after those that it needs. They close in the reverse order. */
export const serverParts = createPartsTable<StartParameters>()
  .add(liveSettingsPart)
  .add(defaultRolloutPart)
  .add(telemetryPart)
  .add(codePart)
  .add(auditPart)
  .add(aheadPart)
  .add(storedCommitsPart)
  .add(approvalsPart)
  .add(movedBranchesPart)
  .add(rolloutsPart)
  .add(authorityPart, environmentsPart)
  .add(upkeepPart, trustCopiesPart)
  .add(sealPart)
  .add(storePart)
  .add(rolloutStatesPart)
  .add(exportsPart)
  .add(answersPart)
  .add(poolPart)
  .add(mountsPart)
  .add(identityPart)
  .add(clientsPart)
  .add(servicesPart)
  .add(movedFilesPart)
  .add(rolloutEnginePart)
  // Parts that add routes.
  .add(puppetV3Part)
  .add(puppetV4Part)
  .add(plumbV1Part)
  .add(ordersPart)
  .add(codeV1Part)
  .add(gitPart)
  .add(consolePart)
  .add(pdbPart)
  .add(statusPart)
  .add(jolokiaPart)
  .add(adminV1Part)
  .add(ocspPart)
  .add(caV1Part)
  // `metrics` collects the metrics, and `http` the routes, of the parts before it.
  .add(metricsPart)
  .add(pdbPortsPart, httpPart)
  .add(listeningPart)
  // Closes before the port: it tells the nodes when to reconnect.
  .add(orderHandoverPart)
  .add(metricsPortPart)
  // Work that starts when the server listens.
  .add(compileAheadPart)
  .add(gatePart)
  .add(reviewsPart, rolloutStatusesPart)
  .add(webhooksPart)
  .add(reloadPart)
  .add(rolloutWorkPart)
  .add(controlSocketPart)
  .add(sourcePollingPart)
  .add(dailyWorkPart)
  .add(hourlyUpkeepPart)
