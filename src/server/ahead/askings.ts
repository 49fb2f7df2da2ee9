import { join } from 'node:path'
import { budgets } from '../../base/budgets.ts'
import { growingLru } from '../../base/growing-lru.ts'
import { optionalText, record, text } from '../../base/wire.ts'
import type { FactsDocument } from '../../model/facts.ts'
import type { Files } from '../../system/system.ts'
import { LastFacts } from './last-facts.ts'

/** The words in which an agent asks for its catalog: a request without its facts. */
export interface Asking {
  /** The environment that it asks for. */
  readonly environment: string
  /** The environment that its catalog is of. */
  readonly belongsTo: string
  /** Extensions of its certificate. */
  readonly extensions: Readonly<Record<string, string>>
  readonly static: boolean
  readonly checksumTypes: string | undefined
}

/** The place of askings, and their time. */
export interface AskingsOptions {
  /** A file for each node. */
  readonly folder: string
  readonly files: Pick<Files, 'list' | 'stat' | 'readText' | 'write' | 'makeDirectory' | 'remove'>
  /** True where facts are to be held as they were sent, since no file has them so. */
  readonly holdsFacts: boolean
  /** Milliseconds after which a node that does not ask is forgotten; 0 for never. */
  readonly ttl: number
  now(): number
  /** Told of the first of writes that fail. */
  warn(error: unknown): void
}

interface Known {
  readonly asking: Asking
  /** The text of its file. */
  readonly written: string
  readonly writtenAt: number
  /** The time of its last request. */
  readonly heard: number
}

const oneDay = 24 * 3600 * 1000
/** Characters of an asking: certificates have few extensions. */
const longest = 16 * 1024

/** Words in which each node asked for its catalog last. They are written when they change, and once a day. */
export class Askings {
  readonly #options: AskingsOptions
  readonly #known = growingLru<Known>(budgets.environment.nodesAhead.bound)
  readonly #facts = new LastFacts()
  #isFailing = false

  constructor(options: AskingsOptions) {
    this.#options = options
  }

  /** Reads what was written before the start; forgets those who have not asked for long, and those beyond the budget. */
  async open(): Promise<void> {
    const { folder, files } = this.#options
    const found: { readonly name: string; readonly modified: number }[] = []
    for (const name of (await files.list(folder)) ?? []) {
      const stat = name.endsWith('.json') ? await files.stat(join(folder, name)) : undefined
      if (stat) found.push({ name, modified: stat.modified })
    }
    // Those heard of last are used last: they stay.
    found.sort((one, other) => one.modified - other.modified)
    const surplus = found.length - budgets.environment.nodesAhead.bound
    for (const [index, { name, modified }] of found.entries()) {
      const isOver = index < surplus || this.#isOld(modified)
      if (isOver) await files.remove(join(folder, name))
      else await this.#read(name, modified)
    }
  }

  /** Notes a request that was answered. */
  note(node: string, asking: Asking, facts: FactsDocument | undefined): void {
    const now = this.#options.now()
    const known = this.#known.get(node)
    const written = JSON.stringify(asking)
    if (written.length > longest) return
    if (facts && this.#options.holdsFacts) this.#facts.note(facts).catch(() => {})
    const isWritten = known?.written === written && now - known.writtenAt < oneDay
    this.#known.set(node, { asking, written, writtenAt: isWritten ? known.writtenAt : now, heard: now })
    if (!isWritten) void this.#write(node, written)
  }

  /** True where it is known of no node how it asks. */
  get isEmpty(): boolean {
    return this.#known.size === 0
  }

  /** The words of a node; `undefined` of one that has not asked for long. */
  of(node: string): Asking | undefined {
    const known = this.#known.peek(node)
    return known && !this.#isOld(known.heard) ? known.asking : undefined
  }

  /** The facts that a node sent, where they are held. */
  factsOf(node: string): Promise<FactsDocument | undefined> {
    return this.#facts.of(node)
  }

  /** The nodes of an environment, those that asked last first. */
  nodesOf(environment: string): readonly string[] {
    return [...this.#known.entries()]
      .filter(([, { asking, heard }]) => asking.belongsTo === environment && !this.#isOld(heard))
      .sort(([, one], [, other]) => other.heard - one.heard)
      .map(([node]) => node)
  }

  #isOld(heard: number): boolean {
    const { ttl, now } = this.#options
    return ttl > 0 && now() - heard > ttl
  }

  async #read(file: string, modified: number): Promise<void> {
    const { folder, files } = this.#options
    const node = file.slice(0, -'.json'.length)
    const written = await files.readText(join(folder, file))
    const asking = written === undefined ? undefined : askingOf(written)
    // One that asked meanwhile is known better.
    if (!asking || this.#known.has(node)) return
    this.#known.set(node, { asking, written: written!, writtenAt: modified, heard: modified })
  }

  async #write(node: string, text: string): Promise<void> {
    const { folder, files, warn } = this.#options
    try {
      await files.makeDirectory(folder, 0o700)
      await files.write(join(folder, `${node}.json`), text, 0o600)
      this.#isFailing = false
    } catch (error) {
      if (!this.#isFailing) warn(error)
      this.#isFailing = true
    }
  }
}

/** An asking from its file; `undefined` for what is none. */
function askingOf(written: string): Asking | undefined {
  try {
    const {
      environment,
      belongsTo,
      extensions,
      static: isStatic,
      checksumTypes,
    } = record(JSON.parse(written), 'asking')
    return {
      environment: text(environment, 'environment'),
      belongsTo: text(belongsTo, 'belongsTo'),
      extensions: Object.fromEntries(
        Object.entries(record(extensions, 'extensions')).map(([name, value]) => [name, text(value, name)]),
      ),
      static: isStatic === true,
      checksumTypes: optionalText(checksumTypes, 'checksumTypes'),
    }
  } catch {
    return undefined
  }
}
