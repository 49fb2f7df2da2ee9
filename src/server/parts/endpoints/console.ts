import { openConsole } from '../../ui/console.ts'
import { codePart } from '../code.ts'
import { environmentsPart } from '../environments.ts'
import { identityPart } from '../identity.ts'
import { definePart } from '../part.ts'
import { rolloutEnginePart } from '../rollouts/rollout-engine.ts'
import { storePart } from '../store.ts'

/** The pages of the console; empty without a store. */
export const consolePart = definePart(
  'console',
  [codePart, environmentsPart, storePart, identityPart, rolloutEnginePart],
  ({
    settings,
    system,
    code: { source },
    environments: { environments },
    store,
    identity: { gate },
    rolloutEngine,
  }) => {
    if (!store) return {}
    const { unresponsive_after: unresponsiveAfter, node_ttl: nodeTtl } = settings
    const rollouts = rolloutEngine?.service
    const known = { environments, rollouts, source, gate, now: () => system.now(), unresponsiveAfter, nodeTtl }
    const { routes, entrance } = openConsole({ ...known, store: store.store })
    return {
      async routes(http) {
        await http.register(routes)
      },
      entrance,
    }
  },
)
