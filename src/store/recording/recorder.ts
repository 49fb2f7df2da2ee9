import { setTimeout as delay } from 'node:timers/promises'
import { budgets } from '../../base/budgets/budgets.ts'
import { formatExactJson } from '../../base/json/json-text.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import type { ExportedResource } from '../../model/exported-resource.ts'
import type { FactsDocument } from '../../model/facts.ts'
import type { CommandName } from '../commands/command.ts'
import { buildDeactivationPayload } from '../commands/writing/node.ts'
import type { NodeStore } from '../node-store.ts'
import { PendingValues } from './pending-values.ts'

/** A store, and options for writing to it. */
export interface RecorderOptions {
  readonly store: Pick<NodeStore, 'submit' | 'includesUnchanged' | 'upkeep'>
  /** Name of this server. */
  readonly producer: string
  /** True if other servers write to the same store. */
  readonly shared?: boolean
  /**
   * True if a request fails when its command is rejected. This is used with PuppetDB, which has its
   * own setting to ignore failures (`soft_write_failure`).
   */
  readonly failing?: boolean
  /** Milliseconds since 1970. */
  now(): number
  say(level: 'warn' | 'info', message: string): void
}

/** The data about this server that every command contains. */
export interface CommandOrigin {
  readonly producer: string
  readonly producerTimestamp: string
}

/** A catalog to be stored. */
export interface RecordedCatalog {
  readonly certname: string
  /** `replace catalog` version 9. */
  readonly payload: Uint8Array
  /** `replace catalog inputs` version 1, if the catalog has inputs. */
  readonly inputs?: Uint8Array | undefined
  readonly exports: readonly ExportedResource[]
}

/**
 * Sends the facts, catalogs and reports of nodes to the store. If the store fails, requests do not
 * fail; the start and the end of the failure are logged. Accepted data that is not stored yet is
 * kept in memory, so that readers get the newest data.
 */
export class StoreRecorder {
  /** Pending facts; the value is `undefined` for a deactivated node. */
  readonly facts = new PendingValues<FactsDocument | undefined>(budgets.store.pendingBytes.bound)
  readonly exports = new PendingValues<readonly ExportedResource[]>(budgets.store.pendingBytes.bound)
  readonly #options: RecorderOptions
  #last = 0
  #isOut = false

  constructor(options: RecorderOptions) {
    this.#options = options
  }

  /** True if reports should include unchanged resources. */
  get includesUnchanged(): boolean {
    return this.#options.store.includesUnchanged ?? false
  }

  /**
   * Returns the name of this server, and a timestamp that is later than all previous ones. In the
   * store, the newest command wins, even if the clock was set back.
   */
  sending(): CommandOrigin {
    this.#last = Math.max(this.#options.now(), this.#last + 1)
    return { producer: this.#options.producer, producerTimestamp: new Date(this.#last).toISOString() }
  }

  /** Records facts; `payload` is `replace facts` version 5. */
  async recordFacts(facts: FactsDocument, payload: Promise<Uint8Array>): Promise<void> {
    const release = this.facts.hold(facts.name, facts, facts.values.length)
    await this.#submit('replace facts', 5, facts.name, payload, release)
  }

  /** Records a catalog. Its exported resources replace the node's earlier exported resources. */
  async recordCatalog({ certname, payload, inputs, exports }: RecordedCatalog): Promise<void> {
    const release = this.exports.hold(certname, exports, exports.length > 0 ? payload.length : certname.length)
    const { notifyStored, stored } = createStoredSignal()
    const isTaken = await this.#submit('replace catalog', 9, certname, payload, () => {
      release()
      notifyStored()
    })
    if (inputs) await this.#submit('replace catalog inputs', 1, certname, inputs)
    if (isTaken && exports.length > 0) await this.#untilShared(stored)
  }

  /**
   * Records a report; `payload` is `store report` version 8. If several servers share the database, the
   * report is in the database when the agent's request is acknowledged, so that it is not lost with the
   * disk of this server.
   */
  async recordReport(certname: string, payload: Uint8Array): Promise<void> {
    const { notifyStored, stored } = createStoredSignal()
    if (await this.#submit('store report', 8, certname, payload, notifyStored)) await this.#untilShared(stored)
  }

  /** Deactivates a node. */
  async deactivate(certname: string): Promise<void> {
    const releases = [
      this.exports.hold(certname, [], certname.length),
      this.facts.hold(certname, undefined, certname.length),
    ]
    const payload = formatExactJson(buildDeactivationPayload(certname, this.sending().producerTimestamp))
    await this.#submit('deactivate node', 3, certname, Buffer.from(payload), () => {
      for (const release of releases) release()
    })
  }

  /**
   * Waits until a database that other servers share contains a command. The wait is limited, and omitted
   * while the database is unavailable; the command is then only on the disk of this server.
   */
  async #untilShared(stored: Promise<void>): Promise<void> {
    const { shared, store } = this.#options
    if (!shared || store.upkeep?.figures().stuck !== undefined) return
    await Promise.race([stored, delay(budgets.store.sharedTime.bound, undefined, { ref: false })])
  }

  /**
   * Returns true if the store accepted the command. Calls `processed` when the command is stored or
   * finally abandoned.
   */
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
      if (this.#isOut) say('info', 'The store accepts data of nodes again')
      this.#isOut = false
      return true
    } catch (error) {
      processed?.()
      if (failing) throw error
      if (!this.#isOut) say('warn', `The store rejects data of nodes: ${formatError(error)}`)
      this.#isOut = true
      return false
    }
  }
}

/** A promise that resolves when `notifyStored` is called. */
function createStoredSignal(): { readonly notifyStored: () => void; readonly stored: Promise<void> } {
  let notifyStored = () => {}
  const stored = new Promise<void>((done) => (notifyStored = done))
  return { notifyStored, stored }
}
