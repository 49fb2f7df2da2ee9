import { openControl } from '../control/open-control.ts'
import { auditPart } from './audit.ts'
import { codePart } from './code.ts'
import { ordersPart } from './endpoints/orders.ts'
import { environmentsPart } from './environments.ts'
import { gatePart } from './gate/gate.ts'
import { movedBranchesPart } from './gate/moved-branches.ts'
import { reviewsPart } from './gate/reviews.ts'
import { definePart } from './part.ts'
import { reloadPart } from './reload.ts'
import { rolloutEnginePart } from './rollouts/rollout-engine.ts'

/** The socket for `plumb code` and the hooks. */
export const controlSocketPart = definePart(
  'control',
  [
    codePart,
    environmentsPart,
    auditPart,
    gatePart,
    movedBranchesPart,
    ordersPart,
    reloadPart,
    reviewsPart,
    rolloutEnginePart,
  ],
  async ({
    settings,
    log,
    code: { source, sources },
    environments,
    audit,
    gate,
    movedBranches,
    orders,
    reload,
    reviews,
    rolloutEngine,
  }) => ({
    close: await openControl({
      ...{ settings, ...environments, sources, repository: source?.path, audit, reload },
      gate: gate.asked,
      review: reviews && ((asked, _, gone) => reviews.handle(asked, gone)),
      moved: movedBranches,
      run: orders.handleRequest,
      rollouts: rolloutEngine?.service,
      warn: (message) => log.warn(message),
    }),
  }),
)
