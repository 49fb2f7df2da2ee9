import { join } from 'node:path'
import type { ExactJson } from '../../../../base/json/exact-json.ts'
import { checkJsonObject, type Json } from '../../../../base/json/json-checks.ts'
import { formatExactJson, parseJson } from '../../../../base/json/json-text.ts'
import { toPrintable } from '../../../../base/text/printable.ts'
import type { RubyLine } from '../../../../ruby/node/host.ts'
import { requireSingleTerminus } from '../custom-indirections.ts'
import { callPlugIn } from '../plug-in-call.ts'
import { checkTreeOwner, listPlugInNames, type PlugIn, type PlugInFiles } from '../plug-in-files.ts'
import { PlugInRuby } from './plug-in-ruby.ts'
import type { PlugInMachine } from './plug-in-thread.ts'

/** Writes a line of a Ruby plug-in to the server's log. */
export type LogPlugIn = (level: string, message: string) => void

/** Request passed to a plug-in terminus; node and catalog requests include the node's facts. */
interface TerminusRequest {
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
      ruby.call('plug_in_process', [path, name, report.bytes], createLogWriter(log))
    return { ...(doc && { doc }), process }
  }

  /** Loads all `puppet/indirector/INDIRECTION/NAME.rb`. Throws like `reports`. */
  async termini(indirection: string): Promise<readonly PlugIn[]> {
    return this.#loaded(join('indirector', indirection), async ({ name, path }) => {
      const { doc, operations } = await this.#load(this.#termini, path, 'plug_in_terminus', [path, indirection, name])
      const ask = (operation: string, asked: TerminusRequest, model?: object) =>
        this.#ask([path, indirection, name, operation], asked, model)
      // Catalogs stay unparsed text, since they may be large.
      const read = indirection === 'catalog' ? (text: string) => (text === 'null' ? undefined : text) : parseModel
      const known = {
        find: async (asked: TerminusRequest) => read(await ask('find', asked)),
        search: async (asked: TerminusRequest) => parseModel(await ask('search', asked)),
        save: (model: object, asked: TerminusRequest) => ask('save', asked, model),
        destroy: (asked: TerminusRequest) => ask('destroy', asked),
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
      .map(async (name) => requireSingleTerminus(await this.termini(name), name, this.#folder))
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
    const found = await listPlugInNames(join(this.#folder, 'puppet', place), this.#files, ending, nameOfFile)
    // Ruby may require any file in the folder, so all must have the same owner.
    if (found.length > 0) {
      this.#isOwn ??= checkTreeOwner(this.#folder, this.#files, ending)
      await this.#isOwn
    }
    return Promise.all(found.map(async (file) => ({ ...file, exports: await exportsOf(file) })))
  }

  async #load(ruby: PlugInRuby, path: string, operation: string, args: readonly Json[]) {
    const answer = await callPlugIn(path, 'load', () => ruby.call(operation, args, createLogWriter(this.#log)))
    const { doc, operations = [] } = checkJsonObject(answer, 'a plug-in')
    return { doc: typeof doc === 'string' ? doc : '', operations: operations as readonly string[] }
  }

  async #ask(
    place: readonly string[],
    { factsJson, body: _, ...asked }: TerminusRequest,
    model?: object,
  ): Promise<string> {
    const args = [
      ...place,
      formatExactJson({ ...asked }),
      (await factsJson?.()) ?? null,
      model ? serializeModel(model) : null,
    ]
    const answer = await this.#termini.call('plug_in_ask', args, createLogWriter(this.#log))
    return typeof answer === 'string' ? answer : 'null'
  }
}

function parseModel(text: string): unknown {
  return parseJson(text) ?? undefined
}

/** JSON of a model; reports and catalogs are passed on unchanged. */
function serializeModel(model: object): string | Uint8Array {
  return 'bytes' in model && model.bytes instanceof Uint8Array ? model.bytes : formatExactJson(model as ExactJson)
}

function createLogWriter(log: LogPlugIn): (line: RubyLine) => void {
  return ({ level, message }) => log(level, toPrintable(message))
}
