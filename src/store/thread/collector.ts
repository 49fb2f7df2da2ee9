import type { Database } from '../database/database.ts'
import {
  beginCollection,
  type Collection,
  type CollectionRequest,
  collectionParts,
  lastCollection,
} from '../retention/collection.ts'
import type { WriterData, WriterMessage } from './messages.ts'
import { problemOf } from './problem-of.ts'

/** Milliseconds between two slices, so that commands and other servers come between them. */
const pauseMs = { usually: 4, busy: 50 }
/** The first collection after a start, in milliseconds: others start too. */
const firstAfter = 60_000

interface UnderWay {
  readonly collection: Collection
  /** The number under which it was asked for. */
  readonly id: number | undefined
}

/** Collections in the thread that writes: by themselves after each interval, and when they are asked for; one at a time. */
export class Collector {
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

  /** Waits for the time of the next collection. A clock that was set back does not put it off. */
  async plan(): Promise<void> {
    const { gcInterval } = this.#data
    if (!Number.isFinite(gcInterval)) return
    const last = await lastCollection(this.#database).catch(() => undefined)
    const due = last === undefined ? 0 : Math.min(last + gcInterval - Date.now(), gcInterval)
    const wait = Math.max(due, Math.min(firstAfter, gcInterval))
    setTimeout(() => void this.#due(), Math.min(wait, 0x7fffffff)).unref()
  }

  /** Begins a collection; one that is asked for is refused while another is under way. */
  begin(request: CollectionRequest, id?: number): void {
    if (this.#underWay) {
      if (id !== undefined) this.#say({ kind: 'done', id, outcome: 'conflict' })
      return
    }
    const { times } = this.#data
    this.#underWay = { collection: beginCollection(this.#database, request, { times, now: Date.now }), id }
    void this.#run()
  }

  /** Does a slice if one is due. */
  async sliceNow(): Promise<void> {
    if (!this.#underWay || performance.now() < this.#sliceAt) return
    this.#slicing ??= this.#slice().finally(() => (this.#slicing = undefined))
    await this.#slicing
  }

  /** Another server of the same database may have collected meanwhile. */
  async #due(): Promise<void> {
    const last = await lastCollection(this.#database).catch(() => undefined)
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
      const problem = problemOf(error)
      this.#say(
        id === undefined ? { kind: 'not collected', problem } : { kind: 'done', id, outcome: { failed: problem } },
      )
    }
  }
}
