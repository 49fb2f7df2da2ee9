import type { NodeStore, StoreUpkeep } from '../../store/node-store.ts'
import type { Alert } from './alert.ts'

/** The time for which an answer of the database is believed, for anybody may ask; and for which it is waited. Milliseconds. */
const believedMs = 5000
const patienceMs = 2000

/** The status of the store in the words of PuppetDB's own, whose clients ask for it. */
export function storeStatus(store: Pick<NodeStore, 'ask' | 'upkeep'>): StoreStatus {
  let known: { readonly until: number; readonly isUp: Promise<boolean> } | undefined
  const reads = () => {
    const now = performance.now()
    if (!known || known.until < now) known = { until: now + believedMs, isUp: isUp(store) }
    return known.isUp
  }
  const figures = () => store.upkeep?.figures()
  const writes = async () => (await reads()) && figures()?.stuck === undefined
  return {
    writes,
    alerts: () => (figures()?.stuck === undefined ? [] : [{ severity: 'warning', message: takesNothing }]),
    async details() {
      const up = await writes()
      const depth = figures()?.queueDepth
      return {
        'maintenance_mode?': false,
        ...(depth !== undefined && { queue_depth: depth }),
        'read_db_up?': await reads(),
        'write_db_up?': up,
        'write_dbs_up?': up,
        write_db: { default: { 'up?': up } },
      }
    },
  }
}

/** The status of a store. */
export interface StoreStatus {
  /** True when it answers, and takes what it is told. */
  writes(): Promise<boolean>
  details(): Promise<object>
  /** Its trouble, without what a database says of it: anybody may read this. */
  alerts(): readonly Alert[]
}

const takesNothing = 'The database of the store takes nothing now: commands wait on disk'

/** Figures of a store of our own, for administrators. */
export function storeFigures(upkeep: StoreUpkeep): object {
  const { queueDepth, queueBytes, processed, discarded, writingSeconds, stuck } = upkeep.figures()
  return {
    'queue-depth': queueDepth,
    'queue-bytes': queueBytes,
    'commands-processed': processed,
    'commands-discarded': discarded,
    'writing-seconds': Math.round(writingSeconds * 1000) / 1000,
    stuck: stuck ?? null,
  }
}

async function isUp(store: Pick<NodeStore, 'ask'>): Promise<boolean> {
  const late = new Promise<boolean>((done) => setTimeout(() => done(false), patienceMs).unref())
  return Promise.race([answers(store), late])
}

async function answers(store: Pick<NodeStore, 'ask'>): Promise<boolean> {
  try {
    const found = await store.ask({ method: 'GET', path: '/environments', search: 'limit=1' })
    for await (const _ of found?.pieces ?? []);
    return true
  } catch {
    return false
  }
}
