import { openConsole } from '../../ui/open-console.ts'
import { code } from '../code.ts'
import { environments } from '../environments.ts'
import { identity } from '../identity.ts'
import { part } from '../part.ts'
import { store } from '../store.ts'

/** The pages of the console; empty without a store. */
export const console = part(
  'console',
  [code, environments, store, identity],
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
