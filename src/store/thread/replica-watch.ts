import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { budgets } from '../../base/budgets/budgets.ts'
import { type Database, getFirstRow } from '../database/database.ts'
import { formatDatabaseName, openPostgres } from '../database/postgresql.ts'
import { isUsable, type ReplicaState } from '../node-store.ts'
import { formatProblem } from './error-text.ts'
import type { DatabaseLocation, PostgresLocation } from './messages.ts'

/** A position in the primary's write-ahead log, and the local time at which the primary had reached it. */
interface Sample {
  readonly at: number
  readonly position: number
  readonly cluster: string
}

interface Watched {
  readonly name: string
  readonly database: Database
}

/** Number of samples in the record: ten minutes. */
const mostSamples = 600

/** Milliseconds between two checks. */
const checkMs = 1000
/** Milliseconds between the first checks, and the maximum number of checks of `checkReplicas`. */
const search = { pauseMs: 50, most: 4 }

const positionOfPrimary = sql`select pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0') as position,
  (select system_identifier::text from pg_control_system()) as cluster`

const positionOfReplica = sql`select pg_is_in_recovery() as standby,
  pg_wal_lsn_diff(coalesce(pg_last_wal_replay_lsn(), '0/0'), '0/0') as position,
  (select system_identifier::text from pg_control_system()) as cluster`

/**
 * Measures how far read replicas are behind their primary. Each check records the primary's position in
 * its write-ahead log; a replica that has replayed a recorded position contains everything that was
 * committed before the record. Clocks of the database servers do not matter, and an idle primary causes
 * no lag. While the primary does not respond, the lag is measured to its last recorded position, so that
 * replicas without missing data continue to answer queries.
 */
export class ReplicaWatch {
  readonly #primary: Database
  readonly #replicas: readonly Watched[]
  #samples: readonly Sample[] = []

  private constructor(primary: Database, replicas: readonly Watched[]) {
    this.#primary = primary
    this.#replicas = replicas
  }

  static async open({ url, replicas }: PostgresLocation): Promise<ReplicaWatch> {
    const { bound } = budgets.store.replicaTime
    const openWatched = (each: string) => openPostgres(each, { connections: 1, connectMs: bound, queryMs: bound })
    const watched = replicas.map(async (each) => ({
      name: formatDatabaseName(each),
      database: await openWatched(each),
    }))
    return new ReplicaWatch(await openWatched(url), await Promise.all(watched))
  }

  /** Checks all replicas at the same time. */
  async check(): Promise<readonly ReplicaState[]> {
    const at = performance.now()
    const found = await getFirstRow<Omit<Sample, 'at'>>(this.#primary, positionOfPrimary).catch(() => undefined)
    if (found) this.#samples = [...this.#samples.slice(1 - mostSamples), { at, ...found }]
    return Promise.all(this.#replicas.map((each) => this.#checkReplica(each)))
  }

  async close(): Promise<void> {
    await Promise.all([this.#primary, ...this.#replicas.map(({ database }) => database)].map((each) => each.close()))
  }

  async #checkReplica({ name, database }: Watched): Promise<ReplicaState> {
    try {
      const row = await getFirstRow<Omit<Sample, 'at'> & { standby: boolean }>(database, positionOfReplica)
      if (!row!.standby) return { name, lagMs: undefined, problem: 'it is not a standby server' }
      return { name, ...this.#measureLag(row!) }
    } catch (error) {
      return { name, lagMs: undefined, problem: formatProblem(error) }
    }
  }

  #measureLag({ position, cluster }: Omit<Sample, 'at'>): Pick<ReplicaState, 'lagMs' | 'problem'> {
    const newest = this.#samples.at(-1)
    if (!newest) return { lagMs: undefined, problem: 'its lag is unknown until the primary responds' }
    if (newest.cluster !== cluster) return { lagMs: undefined, problem: 'it is not a replica of this database' }
    const replayed = this.#samples.findLast((sample) => sample.position <= position)
    const { bound } = budgets.store.replicaLag
    if (!replayed) {
      const leastMs = newest.at - this.#samples[0]!.at
      const isBehind = leastMs > bound
      return {
        lagMs: undefined,
        problem: isBehind ? `it is more than ${Math.round(leastMs / 1000)} seconds behind` : 'its lag is not known yet',
      }
    }
    const lagMs = Math.round(newest.at - replayed.at)
    return { lagMs, problem: lagMs > bound ? `it is ${Math.round(lagMs / 1000)} seconds behind` : undefined }
  }
}

/** Checks the replicas of a database every second, without an end, and passes their states to `report`. */
export async function watchReplicas(
  location: DatabaseLocation,
  report: (states: readonly ReplicaState[]) => void,
): Promise<void> {
  if (location.kind === 'sqlite' || location.replicas.length === 0) return
  const watch = await ReplicaWatch.open(location)
  // A replica of a busy primary has not replayed the position of the first check yet.
  await watch.check()
  for (let pauseMs = search.pauseMs; ; pauseMs = checkMs) {
    await delay(pauseMs, undefined, { ref: false })
    report(await watch.check())
  }
}

/** Returns the index of a usable replica for a process that queries only once. */
export async function findReplica(location: DatabaseLocation): Promise<number | undefined> {
  const states = await checkReplicas(location, (found) => found.some(isUsable))
  const index = states.findIndex(isUsable)
  return index === -1 ? undefined : index
}

/**
 * Returns the states of the replicas, by default after all of them are usable or several checks. A replica
 * of a busy primary has replayed the position of the first check by the second or third check.
 */
export async function checkReplicas(
  location: DatabaseLocation,
  isEnough = (states: readonly ReplicaState[]) => states.every(isUsable),
): Promise<readonly ReplicaState[]> {
  if (location.kind === 'sqlite' || location.replicas.length === 0) return []
  const watch = await ReplicaWatch.open(location)
  try {
    for (let checks = 1; ; checks++) {
      const states = await watch.check()
      if (isEnough(states) || checks === search.most) return states
      await delay(search.pauseMs)
    }
  } finally {
    await watch.close()
  }
}
