import type { RunLog } from '../provider.ts'
import { formatRecords, parseRecords, type RecordFormat, type TextRecord } from './record-format.ts'
import type { RecordStorage } from './record-storage.ts'

/** The records of all targets of a provider, including changes not yet written. Puppet: provider/parsedfile.rb. */
export class RecordStore {
  readonly #format: RecordFormat
  readonly #place: RecordStorage
  readonly #now: () => number
  readonly #records = new Set<TextRecord>()
  readonly #modified = new Set<string>()
  readonly #backedUp = new Set<string>()

  constructor(format: RecordFormat, place: RecordStorage, now: () => number) {
    this.#format = format
    this.#place = place
    this.#now = now
  }

  /** Entries of all targets read so far, in order. */
  get entries(): readonly TextRecord[] {
    return [...this.#records].filter(({ line }) => line === undefined)
  }

  /** Reads the records of a target. */
  async load(target: string): Promise<void> {
    const text = await this.#place.read(target)
    if (text === undefined) return
    for (const record of parseRecords(this.#format, text, target)) this.#records.add(record)
  }

  /** Marks a target as changed. */
  touch(target: unknown): void {
    if (typeof target === 'string' && target !== 'absent') this.#modified.add(target)
  }

  /** Adds an entry that is not in a file yet. */
  add(record: TextRecord): void {
    if (this.#records.has(record)) return
    this.#records.add(record)
    this.touch(record.values['target'])
  }

  /** Backs up a target, once per run. */
  async backUp(target: string): Promise<void> {
    if (this.#backedUp.has(target)) return
    this.#backedUp.add(target)
    await this.#place.backUp?.(target)
  }

  /** Writes all changed targets. A target that fails is not written again until its next change. */
  async flush(type: string, log: RunLog, place: RecordStorage = this.#place): Promise<void> {
    for (const target of [...this.#modified].sort()) {
      log('debug', `Flushing ${type} provider target ${target}`)
      this.#modified.delete(target)
      await this.backUp(target)
      const isRemaining = ({ values }: TextRecord) => values['target'] === target && values['ensure'] !== 'absent'
      const text = formatRecords(this.#format, [...this.#records].filter(isRemaining), this.#now())
      await place.write(target, text)
    }
  }
}
