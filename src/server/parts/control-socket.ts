import { openControl } from '../control/open-control.ts'
import { auditPart } from './audit.ts'
import { codePart } from './code.ts'
import { ordersPart } from './endpoints/orders.ts'
import { environmentsPart } from './environments.ts'
import { gatePart } from './gate.ts'
import { movedBranchesPart } from './moved-branches.ts'
import { definePart } from './part.ts'
import { reloadPart } from './reload.ts'

/** The socket for `plumb code` and the hooks. */
export const controlSocketPart = definePart(
  'control',
  [codePart, environmentsPart, auditPart, gatePart, movedBranchesPart, ordersPart, reloadPart],
  async ({ settings, log, code: { source, sources }, environments, audit, gate, movedBranches, orders, reload }) => ({
    close: await openControl({
      ...{ settings, ...environments, sources, repository: source?.path, audit, reload },
      gate: gate.asked,
      moved: movedBranches,
      run: orders.handleRequest,
      warn: (message) => log.warn(message),
    }),
  }),
)
