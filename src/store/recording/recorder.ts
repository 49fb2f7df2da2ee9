import { setTimeout as delay } from 'node:timers/promises'
import { budgets } from '../../base/budgets/budgets.ts'
import { printJson } from '../../base/json/json-text.ts'
import { errorText } from '../../language/ruby-semantics/errno.ts'
import type { ExportedResource } from '../../model/exported-resource.ts'
import type { FactsDocument } from '../../model/facts.ts'
import type { CommandName } from '../commands/command.ts'
import { deactivationPayload } from '../commands/writing/node.ts'
import type { NodeStore } from '../node-store.ts'
import { Pending } from './pending.ts'

/** A store, and how this server writes into it. */
export interface RecorderOptions {
  readonly store: Pick<NodeStore, 'submit' | 'includesUnchanged'>
  /** The name of this server. */
  readonly producer: string
  /** True of a store into which other servers write, too. */
  readonly shared?: boolean
  /** True where what is not taken fails a request: a PuppetDB says itself what is given up softly. */
  readonly failing?: boolean
  /** Milliseconds since 1970. */
  now(): number
  say(level: 'warn' | 'info', message: string): void
}

/** Data of this server that go with every command. */
export interface Sending {
  readonly producer: string
  readonly producerTimestamp: string
}

/** A catalog on its way into the store. */
export interface RecordedCatalog {
  readonly certname: string
  /** `replace catalog` 9. */
  readonly payload: Uint8Array
  /** `replace catalog inputs` 1, where there are any. */
  readonly inputs?: Uint8Array | undefined
  readonly exports: readonly ExportedResource[]
}

/**
 * The writer of what this server learns. A store that takes nothing fails nobody's request: that is said when it begins
 * and when it ends. What was taken and is not stored yet is at hand, so that whoever asks gets the newest.
 */
export class Recorder {
  /** `undefined` of a node that is no more. */
  readonly facts = new Pending<FactsDocument | undefined>(budgets.store.pendingBytes.bound)
  readonly exports = new Pending<readonly ExportedResource[]>(budgets.store.pendingBytes.bound)
  readonly #options: RecorderOptions
  #last = 0
  #isOut = false

  constructor(options: RecorderOptions) {
    this.#options = options
  }

  /** True when reports are to have the resources, too, that were as they should be. */
  get includesUnchanged(): boolean {
    return this.#options.store.includesUnchanged ?? false
  }

  /** The name of this server and the time, later than all before: the newest command wins, also when the clock goes back. */
  sending(): Sending {
    this.#last = Math.max(this.#options.now(), this.#last + 1)
    return { producer: this.#options.producer, producerTimestamp: new Date(this.#last).toISOString() }
  }

  /** Takes `replace facts` 5, and the facts as they came. */
  async recordFacts(facts: FactsDocument, payload: Promise<Uint8Array>): Promise<void> {
    const release = this.facts.hold(facts.name, facts, facts.values.length)
    await this.#submit('replace facts', 5, facts.name, payload, release)
  }

  /** Takes a catalog, which is also what the node exports from now on. */
  async recordCatalog({ certname, payload, inputs, exports }: RecordedCatalog): Promise<void> {
    const release = this.exports.hold(certname, exports, exports.length > 0 ? payload.length : certname.length)
    let told = () => {}
    const stored = new Promise<void>((done) => (told = done))
    const isTaken = await this.#submit('replace catalog', 9, certname, payload, () => {
      release()
      told()
    })
    if (inputs) await this.#submit('replace catalog inputs', 1, certname, inputs)
    if (isTaken && exports.length > 0 && this.#options.shared)
      await Promise.race([stored, delay(budgets.store.sharedTime.bound, undefined, { ref: false })])
  }

  /** Takes `store report` 8. */
  async recordReport(certname: string, payload: Uint8Array): Promise<void> {
    await this.#submit('store report', 8, certname, payload)
  }

  /** Tells that a node is no more. */
  async deactivate(certname: string): Promise<void> {
    const releases = [
      this.exports.hold(certname, [], certname.length),
      this.facts.hold(certname, undefined, certname.length),
    ]
    const payload = printJson(deactivationPayload(certname, this.sending().producerTimestamp))
    await this.#submit('deactivate node', 3, certname, Buffer.from(payload), () => {
      for (const release of releases) release()
    })
  }

  /** True when the store has taken the command; `processed` is called once it is stored, or never will be. */
  async #submit(
    name: CommandName,
    version: number,
    certname: string,
    payload: Uint8Array | Promise<Uint8Array>,
    processed?: () => void,
  ): Promise<boolean> {
    const { store, failing, say } = this.#options
    try {
      const uuid = await store.submit({ name, version, certname, payload: await payload }, processed)
      if (uuid === undefined) {
        processed?.()
        return false
      }
      if (this.#isOut) say('info', 'The store takes what nodes send again')
      this.#isOut = false
      return true
    } catch (error) {
      processed?.()
      if (failing) throw error
      if (!this.#isOut) say('warn', `The store takes nothing of what nodes send: ${errorText(error)}`)
      this.#isOut = true
      return false
    }
  }
}
