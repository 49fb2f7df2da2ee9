import type { NodeStore, StoreUpkeep } from '../../store/node-store.ts'
import type { Alert } from './alert.ts'

/**
 * Cache lifetime of the database check, which any client may cause, and time limit of the check. Both in
 * milliseconds.
 */
const believedMs = 5000
const patienceMs = 2000

/** Status of the store in PuppetDB's format. */
export function createStoreStatus(store: Pick<NodeStore, 'ask' | 'upkeep'>): StoreHealth {
  let known: { readonly until: number; readonly isUp: Promise<boolean> } | undefined
  const canRead = () => {
    const now = performance.now()
    if (!known || known.until < now) known = { until: now + believedMs, isUp: isStoreUp(store) }
    return known.isUp
  }
  const getFigures = () => store.upkeep?.figures()
  const writes = async () => (await canRead()) && getFigures()?.stuck === undefined
  return {
    writes,
    alerts: () => (getFigures()?.stuck === undefined ? [] : [{ severity: 'warning', message: takesNothing }]),
    async details() {
      const up = await writes()
      const depth = getFigures()?.queueDepth
      return {
        'maintenance_mode?': false,
        ...(depth !== undefined && { queue_depth: depth }),
        'read_db_up?': await canRead(),
        'write_db_up?': up,
        'write_dbs_up?': up,
        write_db: { default: { 'up?': up } },
      }
    },
  }
}

/** Status of a store. */
export interface StoreHealth {
  /** True if the database responds and accepts writes. */
  writes(): Promise<boolean>
  details(): Promise<object>
  /** Alerts. They are public, so they contain no messages of the database. */
  alerts(): readonly Alert[]
}

const takesNothing = 'The database of the store rejects writes: commands are waiting on disk'

/** Figures of the built-in store, for administrators. */
export function getStoreFigures(upkeep: StoreUpkeep): object {
  const { queueDepth, queueBytes, processed, discarded, writingSeconds, stuck, replicas, replicaAnswers } =
    upkeep.figures()
  return {
    'queue-depth': queueDepth,
    'queue-bytes': queueBytes,
    'commands-processed': processed,
    'commands-discarded': discarded,
    'writing-seconds': Math.round(writingSeconds * 1000) / 1000,
    stuck: stuck ?? null,
    'queries-of-replicas': replicaAnswers,
    replicas: replicas.map(({ name, lagMs, problem }) => ({
      name,
      'lag-ms': lagMs ?? null,
      problem: problem ?? null,
    })),
  }
}

async function isStoreUp(store: Pick<NodeStore, 'ask'>): Promise<boolean> {
  const late = new Promise<boolean>((done) => setTimeout(() => done(false), patienceMs).unref())
  return Promise.race([canQuery(store), late])
}

async function canQuery(store: Pick<NodeStore, 'ask'>): Promise<boolean> {
  try {
    const found = await store.ask({ method: 'GET', path: '/environments', search: 'limit=1' })
    for await (const _ of found?.pieces ?? []);
    return true
  } catch {
    return false
  }
}
