import { join } from 'node:path'
import type { ExactJson } from '../../../../base/json/exact-json.ts'
import { parseJson, printJson } from '../../../../base/json/json-text.ts'
import { type Json, record } from '../../../../base/json/wire.ts'
import { printable } from '../../../../base/text/printable.ts'
import type { RubyLine } from '../../../../ruby/node/host.ts'
import { askPlugIn } from '../ask-plug-in.ts'
import { onlyTerminus } from '../own-indirections.ts'
import { type PlugIn, type PlugInFiles, plugInNames, requireOwnTree } from '../plug-in-files.ts'
import { PlugInRuby } from './plug-in-ruby.ts'
import type { PlugInMachine } from './plug-in-thread.ts'

/** Writes a line of a Ruby plug-in to the server's log. */
export type LogPlugIn = (level: string, message: string) => void

/** Request passed to a plug-in terminus; node and catalog requests include the node's facts. */
interface Asked {
  readonly key: string
  readonly node?: string
  readonly environment?: string
  factsJson?(): Promise<Uint8Array | undefined>
  readonly body?: Uint8Array
}

const ending = /\.rb$/
const nameOfFile = /^([a-z][a-z0-9_]{0,63})\.rb$/

/**
 * The Ruby plug-ins in a folder. They use up to two threads: one for termini, for which agents
 * wait, and one for report processors, which may block on other services.
 */
export class RubyPlugIns {
  readonly #folder: string
  readonly #files: PlugInFiles
  readonly #log: LogPlugIn
  readonly #termini: PlugInRuby
  readonly #reports: PlugInRuby
  #isOwn: Promise<void> | undefined

  constructor(machine: PlugInMachine, files: PlugInFiles, log: LogPlugIn) {
    this.#folder = machine.folder
    this.#files = files
    this.#log = log
    this.#termini = new PlugInRuby(machine)
    this.#reports = new PlugInRuby(machine)
  }

  /** Loads all `puppet/reports/NAME.rb`. Throws PLUG_IN_OPEN, PLUG_IN_NAME, PLUG_IN_FAILED. */
  async reports(): Promise<readonly PlugIn[]> {
    return this.#loaded('reports', (file) => this.#processor(file))
  }

  /** Loads only `puppet/reports/NAME.rb`, for `plumb apply`. Throws PLUG_IN_FAILED. */
  async report(name: string): Promise<PlugIn> {
    const file = { name, path: join(this.#folder, 'puppet/reports', `${name}.rb`) }
    return { ...file, exports: await this.#processor(file) }
  }

  async #processor({ name, path }: Pick<PlugIn, 'name' | 'path'>): Promise<PlugIn['exports']> {
    const ruby = this.#reports
    const { doc } = await this.#load(ruby, path, 'plug_in_report', [path, name])
    const process = (report: { readonly bytes: Uint8Array }, { log }: { readonly log: LogPlugIn }) =>
      ruby.call('plug_in_process', [path, name, report.bytes], said(log))
    return { ...(doc && { doc }), process }
  }

  /** Loads all `puppet/indirector/INDIRECTION/NAME.rb`. Throws like `reports`. */
  async termini(indirection: string): Promise<readonly PlugIn[]> {
    return this.#loaded(join('indirector', indirection), async ({ name, path }) => {
      const { doc, operations } = await this.#load(this.#termini, path, 'plug_in_terminus', [path, indirection, name])
      const ask = (operation: string, asked: Asked, model?: object) =>
        this.#ask([path, indirection, name, operation], asked, model)
      // Catalogs stay unparsed text, since they may be large.
      const read = indirection === 'catalog' ? (text: string) => (text === 'null' ? undefined : text) : readModel
      const known = {
        find: async (asked: Asked) => read(await ask('find', asked)),
        search: async (asked: Asked) => readModel(await ask('search', asked)),
        save: (model: object, asked: Asked) => ask('save', asked, model),
        destroy: (asked: Asked) => ask('destroy', asked),
      }
      const has = Object.entries(known).filter(([operation]) => operations.includes(operation))
      return { ...(doc && { doc }), create: () => Object.fromEntries(has) }
    })
  }

  /**
   * Loads the terminus of each folder `puppet/indirector/INDIRECTION` except the excluded ones,
   * named after the indirection. Throws like `reports`, and INDIRECTION_TERMINI.
   */
  async indirections(but: readonly string[]): Promise<readonly PlugIn[]> {
    const names = (await this.#files.list(join(this.#folder, 'puppet/indirector'))) ?? []
    const found = names
      .filter((name) => !but.includes(name))
      .map(async (name) => onlyTerminus(await this.termini(name), name, this.#folder))
    return (await Promise.all(found)).flat()
  }

  /** Ends the threads, even during a call. */
  async close(): Promise<void> {
    await Promise.all([this.#termini.close(), this.#reports.close()])
  }

  async #loaded(
    place: string,
    exportsOf: (file: { readonly name: string; readonly path: string }) => Promise<PlugIn['exports']>,
  ): Promise<readonly PlugIn[]> {
    const found = await plugInNames(join(this.#folder, 'puppet', place), this.#files, ending, nameOfFile)
    // Ruby may require any file in the folder, so all must have the same owner.
    if (found.length > 0) {
      this.#isOwn ??= requireOwnTree(this.#folder, this.#files, ending)
      await this.#isOwn
    }
    return Promise.all(found.map(async (file) => ({ ...file, exports: await exportsOf(file) })))
  }

  async #load(ruby: PlugInRuby, path: string, operation: string, args: readonly Json[]) {
    const answer = await askPlugIn(path, 'load', () => ruby.call(operation, args, said(this.#log)))
    const { doc, operations = [] } = record(answer, 'a plug-in')
    return { doc: typeof doc === 'string' ? doc : '', operations: operations as readonly string[] }
  }

  async #ask(place: readonly string[], { factsJson, body: _, ...asked }: Asked, model?: object): Promise<string> {
    const args = [...place, printJson({ ...asked }), (await factsJson?.()) ?? null, model ? textOf(model) : null]
    const answer = await this.#termini.call('plug_in_ask', args, said(this.#log))
    return typeof answer === 'string' ? answer : 'null'
  }
}

function readModel(text: string): unknown {
  return parseJson(text) ?? undefined
}

/** JSON of a model; reports and catalogs are passed on unchanged. */
function textOf(model: object): string | Uint8Array {
  return 'bytes' in model && model.bytes instanceof Uint8Array ? model.bytes : printJson(model as ExactJson)
}

function said(log: LogPlugIn): (line: RubyLine) => void {
  return ({ level, message }) => log(level, printable(message))
}
