import { join } from 'node:path'
import type { Logger } from 'pino'
import { printJson } from '../../base/json/json-text.ts'
import { tracesFolder } from '../../compiler/recall/kept-traces.ts'
import { isOff } from '../../compiler/recall/traces-off.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { NodeStore } from '../../store/node-store.ts'
import { threadsAhead } from '../open-pool.ts'
import type { Services } from '../services/services.ts'
import { AheadRounds, type AheadWork } from './rounds.ts'

/** Dependencies of compiling ahead. */
export interface AheadParts {
  readonly settings: Pick<Settings, 'server_datadir'>
  readonly services: Pick<Services, 'catalog' | 'askings'>
  readonly store: Pick<NodeStore, 'ask'> | undefined
}

/** Creates the object that compiles ahead. Nothing is compiled until `beginAhead`. */
export function roundsFrom(settings: Settings, log: Logger): AheadRounds {
  return new AheadRounds({ atOnce: threadsAhead(settings), say: (level, message) => log[level](message) })
}

/** Starts the rounds after the stored requests of the nodes are read. */
export async function beginAhead(rounds: AheadRounds, parts: AheadParts, log: Logger): Promise<void> {
  try {
    await parts.services.askings.open()
    rounds.begin(aheadWork(parts))
  } catch (error) {
    log.error({ err: error }, 'Nothing is compiled ahead')
  }
}

/** Compiles catalogs ahead, with the parameters of the nodes' last requests. */
function aheadWork({ settings, services, store }: AheadParts): AheadWork {
  const { askings, catalog } = services
  return {
    nodesOf: (environment) => (isOff(join(tracesFolder(settings), environment)) ? [] : askings.nodesOf(environment)),
    async compile(node, belongsTo, signal) {
      const asking = askings.of(node, belongsTo)
      if (!asking || (store && (await isInactive(store, node)))) return 'left'
      const { environment, extensions, static: isStatic, checksumTypes } = asking
      const found = await catalog.find({
        ...{
          key: node,
          node,
          environment,
          facts: await askings.factsOf(node),
          ignoreCache: true,
          ignoreCacheSave: true,
          ahead: true,
        },
        ...{ trusted: { authenticated: 'remote', extensions }, static: isStatic, checksumTypes },
        ...{ checkEnvironment: false, rich: true, asking: { background: true, signal } },
      })
      const { origin } = found ?? {}
      return origin === 'compiled' || origin === 'recalled' ? origin : 'left'
    },
  }
}

/** True if the node is deactivated or expired in the store. */
async function isInactive(store: Pick<NodeStore, 'ask'>, node: string): Promise<boolean> {
  const query = ['extract', ['certname'], ['and', ['=', 'certname', node], ['=', 'node_state', 'inactive']]]
  const answer = await store.ask({ method: 'POST', path: '/nodes', search: '', body: printJson({ query }) })
  let text = ''
  for await (const piece of answer!.pieces) text += piece
  return text.includes('certname')
}
