import type { Database } from '../database/database.ts'
import {
  type CollectionRequest,
  collectionParts,
  type RunningCollection,
  readLastCollection,
  startCollection,
} from '../retention/collection.ts'
import { formatProblem } from './error-text.ts'
import type { WriterData, WriterMessage } from './messages.ts'

/** Pause between two slices in milliseconds, so that commands and other servers can write. */
const pauseMs = { usually: 4, busy: 50 }
/**
 * Delay in milliseconds of the first collection after a start, so that several servers do not start
 * collections at the same time.
 */
const firstAfter = 60_000

interface UnderWay {
  readonly collection: RunningCollection
  /** Id of the request; `undefined` for a scheduled collection. */
  readonly id: number | undefined
}

/** Runs collections in the writer thread, one at a time: after each interval, and on request. */
export class CollectionScheduler {
  readonly #database: Database
  readonly #data: Pick<WriterData, 'times' | 'gcInterval'>
  readonly #say: (message: WriterMessage) => void
  #underWay: UnderWay | undefined
  #sliceAt = 0
  #slicing: Promise<void> | undefined

  constructor(
    database: Database,
    data: Pick<WriterData, 'times' | 'gcInterval'>,
    say: (message: WriterMessage) => void,
  ) {
    this.#database = database
    this.#data = data
    this.#say = say
  }

  /** Schedules the next collection. If the clock was set back, the collection is not delayed. */
  async plan(): Promise<void> {
    const { gcInterval } = this.#data
    if (!Number.isFinite(gcInterval)) return
    const last = await readLastCollection(this.#database).catch(() => undefined)
    const due = last === undefined ? 0 : Math.min(last + gcInterval - Date.now(), gcInterval)
    const wait = Math.max(due, Math.min(firstAfter, gcInterval))
    setTimeout(() => void this.#due(), Math.min(wait, 0x7fffffff)).unref()
  }

  /** Starts a collection. Rejects a request while another collection is running. */
  begin(request: CollectionRequest, id?: number): void {
    if (this.#underWay) {
      if (id !== undefined) this.#say({ kind: 'done', id, outcome: 'conflict' })
      return
    }
    const { times } = this.#data
    this.#underWay = { collection: startCollection(this.#database, request, { times, now: Date.now }), id }
    void this.#run()
  }

  /** Runs a slice if one is due. */
  async sliceNow(): Promise<void> {
    if (!this.#underWay || performance.now() < this.#sliceAt) return
    this.#slicing ??= this.#slice().finally(() => (this.#slicing = undefined))
    await this.#slicing
  }

  /** Starts a collection, unless another server has completed one in the same database since it was scheduled. */
  async #due(): Promise<void> {
    const last = await readLastCollection(this.#database).catch(() => undefined)
    const since = last === undefined ? Number.POSITIVE_INFINITY : Math.abs(Date.now() - last)
    if (since >= this.#data.gcInterval / 2) this.begin({ parts: collectionParts })
    await this.plan()
  }

  async #run(): Promise<void> {
    while (this.#underWay) {
      const wait = this.#sliceAt - performance.now()
      if (wait > 0) await new Promise((done) => setTimeout(done, wait))
      await this.sliceNow()
    }
  }

  async #slice(): Promise<void> {
    const { collection, id } = this.#underWay!
    try {
      const progress = await collection.slice()
      this.#sliceAt = performance.now() + (progress === 'busy' ? pauseMs.busy : pauseMs.usually)
      if (progress !== 'done') return
      this.#underWay = undefined
      if (id !== undefined) this.#say({ kind: 'done', id, outcome: 'done' })
    } catch (error) {
      this.#underWay = undefined
      const problem = formatProblem(error)
      this.#say(
        id === undefined ? { kind: 'not collected', problem } : { kind: 'done', id, outcome: { failed: problem } },
      )
    }
  }
}
