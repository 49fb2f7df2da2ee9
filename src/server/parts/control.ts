import { openControl } from '../../deploy/control/open-control.ts'
import { audit } from './audit.ts'
import { code } from './code.ts'
import { environments } from './environments.ts'
import { gate } from './gate.ts'
import { movedBranches } from './moved-branches.ts'
import { part } from './part.ts'
import { reload } from './reload.ts'

/** The socket for `plumb code` and the hooks. */
export const control = part(
  'control',
  [code, environments, audit, gate, movedBranches, reload],
  async ({ settings, log, code: { source, sources }, environments, audit, gate, movedBranches, reload }) => ({
    close: await openControl({
      ...{ settings, ...environments, sources, repository: source?.path, audit, reload },
      gate: gate.asked,
      moved: movedBranches,
      warn: (message) => log.warn(message),
    }),
  }),
)
