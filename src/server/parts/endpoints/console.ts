import { openConsole } from '../../ui/console.ts'
import { codePart } from '../code.ts'
import { environmentsPart } from '../environments.ts'
import { identityPart } from '../identity.ts'
import { definePart } from '../part.ts'
import { storePart } from '../store.ts'

/** The pages of the console; empty without a store. */
export const consolePart = definePart(
  'console',
  [codePart, environmentsPart, storePart, identityPart],
  ({ settings, system, code: { source }, environments: { environments }, store, identity: { gate } }) => {
    if (!store) return {}
    const { unresponsive_after: unresponsiveAfter, node_ttl: nodeTtl } = settings
    const known = { environments, source, gate, now: () => system.now(), unresponsiveAfter, nodeTtl }
    const { routes, entrance } = openConsole({ ...known, store: store.store })
    return {
      async routes(http) {
        await http.register(routes)
      },
      entrance,
    }
  },
)
