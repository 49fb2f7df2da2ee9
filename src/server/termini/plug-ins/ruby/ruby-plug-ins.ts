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

/** Takes a line of a plug-in's in Ruby for the server's log. */
export type LogPlugIn = (level: string, message: string) => void

/** A request as a terminus of an owner's gets it, with the facts of the node for one of nodes or catalogs. */
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
 * The plug-ins in Ruby of a folder. Two threads start when they are needed: one for termini, which agents wait for, one for report
 * processors, which may wait for others.
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

  /** `puppet/reports/NAME.rb`, each loaded. Throws PLUG_IN_OPEN, PLUG_IN_NAME, PLUG_IN_FAILED. */
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

  /** `puppet/indirector/INDIRECTION/NAME.rb`, each loaded. Throws the same. */
  async termini(indirection: string): Promise<readonly PlugIn[]> {
    return this.#loaded(join('indirector', indirection), async ({ name, path }) => {
      const { doc, operations } = await this.#load(this.#termini, path, 'plug_in_terminus', [path, indirection, name])
      const ask = (operation: string, asked: Asked, model?: object) =>
        this.#ask([path, indirection, name, operation], asked, model)
      // A catalog may be large: it stays text.
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
   * The terminus of each indirection that has a folder `puppet/indirector/INDIRECTION`, but for those that are the server's; named as
   * the indirection. Throws the same, and INDIRECTION_TERMINI.
   */
  async indirections(but: readonly string[]): Promise<readonly PlugIn[]> {
    const names = (await this.#files.list(join(this.#folder, 'puppet/indirector'))) ?? []
    const found = names
      .filter((name) => !but.includes(name))
      .map(async (name) => onlyTerminus(await this.termini(name), name, this.#folder))
    return (await Promise.all(found)).flat()
  }

  /** Ends the threads, whatever they do. */
  async close(): Promise<void> {
    await Promise.all([this.#termini.close(), this.#reports.close()])
  }

  async #loaded(
    place: string,
    exportsOf: (file: { readonly name: string; readonly path: string }) => Promise<PlugIn['exports']>,
  ): Promise<readonly PlugIn[]> {
    const found = await plugInNames(join(this.#folder, 'puppet', place), this.#files, ending, nameOfFile)
    // Whatever Ruby requires from there has to be as much the owner's.
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

/** The JSON of a model; of a report or a catalog as it came. */
function textOf(model: object): string | Uint8Array {
  return 'bytes' in model && model.bytes instanceof Uint8Array ? model.bytes : printJson(model as ExactJson)
}

function said(log: LogPlugIn): (line: RubyLine) => void {
  return ({ level, message }) => log(level, printable(message))
}
