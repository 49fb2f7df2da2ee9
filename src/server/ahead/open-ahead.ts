import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { formatExactJson } from '../../base/json/json-text.ts'
import { areTracesDisabled } from '../../compiler/recall/disabled-traces.ts'
import { getTraceStoreFolder } from '../../compiler/recall/stored-traces.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { NodeStore } from '../../store/node-store.ts'
import { countAheadThreads } from '../compile-pool.ts'
import type { Services } from '../services/services.ts'
import { AheadRounds, type AheadWork } from './rounds.ts'

/**
 * Milliseconds between a deployment and the start of a round: agents that run because of the push have all processors,
 * and several pushes in a row start one round.
 */
const delayMs = 2000

/** Dependencies of compiling ahead. */
export interface AheadParts {
  readonly settings: Pick<Settings, 'server_datadir'>
  readonly services: Pick<Services, 'catalog' | 'askings'>
  readonly store: Pick<NodeStore, 'ask'> | undefined
}

/**
 * Creates the scheduler that compiles ahead. It compiles nothing until `beginCompilingAhead` is
 * called.
 */
export function createAheadRounds(settings: Settings, log: Logger): AheadRounds {
  return new AheadRounds({
    atOnce: countAheadThreads(settings),
    wait: (signal) => sleep(delayMs, undefined, { signal, ref: false }),
    say: (level, message) => log[level](message),
  })
}

/** Starts to compile ahead once the nodes' stored catalog requests are read. */
export async function beginCompilingAhead(rounds: AheadRounds, parts: AheadParts, log: Logger): Promise<void> {
  try {
    await parts.services.askings.open()
    rounds.begin(createAheadWork(parts))
  } catch (error) {
    log.error({ err: error }, 'Could not compile catalogs ahead')
  }
}

/** Compiles catalogs ahead, with the parameters of the nodes' last requests. */
function createAheadWork({ settings, services, store }: AheadParts): AheadWork {
  const { askings, catalog } = services
  return {
    listNodes: (environment) =>
      areTracesDisabled(join(getTraceStoreFolder(settings), environment)) ? [] : askings.listNodes(environment),
    async compile(node, belongsTo, signal) {
      const asking = askings.of(node, belongsTo)
      if (!asking || (store && (await isInactiveNode(store, node)))) return 'left'
      const { environment, extensions, static: isStatic, checksumTypes } = asking
      const found = await catalog.find({
        ...{
          key: node,
          node,
          environment,
          facts: await askings.getFacts(node),
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
async function isInactiveNode(store: Pick<NodeStore, 'ask'>, node: string): Promise<boolean> {
  const query = ['extract', ['certname'], ['and', ['=', 'certname', node], ['=', 'node_state', 'inactive']]]
  const answer = await store.ask({ method: 'POST', path: '/nodes', search: '', body: formatExactJson({ query }) })
  return (await text(answer!.pieces)).includes('certname')
}
