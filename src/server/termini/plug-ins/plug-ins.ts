import { join } from 'node:path'
import { defineIssues, fail } from '../../../base/issue.ts'
import { parseJson } from '../../../base/json/json-text.ts'
import { printable } from '../../../base/text/printable.ts'
import { publicSettings, withoutSecrets } from '../../../machine/settings/public-settings.ts'
import type { Settings } from '../../../machine/settings/settings.ts'
import { type FactsDocument, factsDocument, factsFromWire, factsToWire, valuesOf } from '../../../model/facts.ts'
import type { Request } from '../../../model/indirector/request.ts'
import type { IndirectionDefinition, TerminusDefinition } from '../../../model/indirector/terminus.ts'
import { type Node, nodeFromWire, nodeToWire } from '../../../model/node.ts'
import type { ReceivedReport } from '../../../model/report.ts'
import { ownVariables } from '../../../ruby/node/variables.ts'
import type { CatalogServices } from '../catalog/compiler.ts'
import { type CatalogDocument, type CatalogRequest, catalog } from '../catalog/index.ts'
import { type FactsRequest, type FactsServices, facts } from '../facts/index.ts'
import { type NodeRequest, type NodeServices, node } from '../node/index.ts'
import { withFacts } from '../node/with-facts.ts'
import { type ReportServices, report } from '../report/index.ts'
import { type Processor, processorNamed } from '../report/processor.ts'
import { yamlOf } from '../report/store.ts'
import { answerOf, wordsOf } from './ask-plug-in.ts'
import { catalogTerminus } from './catalog-terminus.ts'
import { factsOnDemand } from './facts-on-demand.ts'
import { type OwnIndirection, ownIndirections } from './own-indirections.ts'
import { ownTerminus } from './own-terminus.ts'
import { exportOf, type PlugIn, type PlugInFiles, plugInsIn } from './plug-in-files.ts'
import { type LogPlugIn, RubyPlugIns } from './ruby/ruby-plug-ins.ts'

/** Indirections and report processors, with the plug-ins of the server's administrator. */
export interface PlugIns {
  readonly catalog: IndirectionDefinition<CatalogDocument, CatalogServices, CatalogRequest>
  readonly node: IndirectionDefinition<Node, NodeServices, NodeRequest>
  readonly facts: IndirectionDefinition<FactsDocument, FactsServices, FactsRequest>
  readonly report: IndirectionDefinition<ReceivedReport, ReportServices, Request>
  /** Report processors by name. */
  readonly reports: ReadonlyMap<string, Processor>
  /** Custom indirections. */
  readonly indirections: readonly OwnIndirection[]
  /** Ends the threads of Ruby plug-ins. */
  close(): Promise<void>
}

const issues = defineIssues({
  PLUG_IN_TAKEN: {
    text: (a: { path: string; name: string }) => `The plug-in ${a.path} has a name that is taken: ${a.name}`,
  },
})

/** Built-in indirections and report processors only. */
export const noPlugIns: PlugIns = {
  ...{ catalog, node, facts, report },
  reports: new Map(),
  indirections: [],
  close: async () => {},
}

/**
 * Loads the plug-ins in the folder `server_plugins` once, at the start; `log` receives log lines of Ruby plug-ins.
 * Throws PLUG_IN_… if a plug-in is invalid, so that the server does not start without the plug-in.
 */
export async function readPlugIns(settings: Settings, files: PlugInFiles, log: LogPlugIn = () => {}): Promise<PlugIns> {
  const { server_plugins: folder } = settings
  if (folder === '') return noPlugIns
  const ruby = new RubyPlugIns({ folder, settings: publicSettings(settings), env: ownVariables() }, files, log)
  const both = async (place: string, inRuby: readonly PlugIn[]) => [
    ...(await plugInsIn(join(folder, place), files)),
    ...inRuby,
  ]
  const termini = async (name: string) => both(join('termini', name), await ruby.termini(name))
  const shown = Object.freeze(withoutSecrets(settings))
  try {
    const processors = await both('reports', await ruby.reports())
    const indirections = await both('indirections', await ruby.indirections(['catalog', 'node', 'facts', 'report']))
    return {
      catalog: withTermini(catalog, await termini('catalog'), (plugIn) =>
        catalogTerminus(plugIn, docOf(plugIn), shown),
      ),
      node: withTermini(node, await termini('node'), (plugIn) => nodeTerminus(plugIn, shown)),
      facts: withTermini(facts, await termini('facts'), (plugIn) => factsTerminus(plugIn, shown)),
      report: withTermini(report, await termini('report'), (plugIn) => reportTerminus(plugIn, shown)),
      reports: processorsOf(processors, shown),
      indirections: await ownIndirections(indirections, shown),
      close: () => ruby.close(),
    }
  } catch (error) {
    await ruby.close()
    throw error
  }
}

/** A report processor from a module; `close` ends its thread. */
export interface ModuleProcessor {
  readonly process: Processor
  close(): Promise<void>
}

/**
 * Loads the processor `NAME` from the first folder that contains `puppet/reports/NAME.rb`, for `plumb apply`; its
 * `require` searches all folders. Throws PLUG_IN_….
 */
export async function moduleProcessor(
  name: string,
  folders: readonly string[],
  { settings, files, log }: { readonly settings: Settings; readonly files: PlugInFiles; readonly log: LogPlugIn },
): Promise<ModuleProcessor | undefined> {
  for (const folder of folders) {
    if ((await files.stat(join(folder, 'puppet/reports', `${name}.rb`)))?.kind !== 'file') continue
    const machine = { folder, loadPath: folders, settings: publicSettings(settings), env: ownVariables() }
    const ruby = new RubyPlugIns(machine, files, log)
    const plugIn = await ruby.report(name)
    const process = processorOf(plugIn, Object.freeze(withoutSecrets(settings)))
    return { process, close: () => ruby.close() }
  }
  return undefined
}

function withTermini<Model, Services, Query extends Request>(
  definition: IndirectionDefinition<Model, Services, Query>,
  plugIns: readonly PlugIn[],
  terminusOf: (plugIn: PlugIn) => TerminusDefinition<Model, Services, Query>,
): IndirectionDefinition<Model, Services, Query> {
  requireNewNames(plugIns, (name) => Object.hasOwn(definition.termini, name))
  const own = Object.fromEntries(plugIns.map((plugIn) => [plugIn.name, terminusOf(plugIn)]))
  return { ...definition, termini: { ...definition.termini, ...own } }
}

/** Throws PLUG_IN_TAKEN if the name of a plug-in exists already or occurs twice. */
function requireNewNames(plugIns: readonly PlugIn[], isTaken: (name: string) => boolean): void {
  const seen = new Set<string>()
  for (const { name, path } of plugIns) {
    if (seen.has(name) || isTaken(name)) fail(issues.PLUG_IN_TAKEN, { path, name })
    seen.add(name)
  }
}

/**
 * Nodes from a plug-in: environment, classes and parameters; facts are added as for other termini.
 */
function nodeTerminus(plugIn: PlugIn, settings: object): TerminusDefinition<Node, NodeServices, NodeRequest> {
  return {
    doc: docOf(plugIn),
    create: ({ facts: known }) =>
      ownTerminus<Node, NodeRequest>(
        plugIn,
        { settings },
        {
          read: (given, request) =>
            withFacts(
              nodeFromWire({ environment: request.environment, ...(given as object), name: request.key }),
              request,
              known,
            ),
          show: (each) => nodeToWire(each),
          more: (request) => factsOnDemand(request, known),
        },
      ),
  }
}

function factsTerminus(
  plugIn: PlugIn,
  settings: object,
): TerminusDefinition<FactsDocument, FactsServices, FactsRequest> {
  return {
    doc: docOf(plugIn),
    create: () =>
      ownTerminus<FactsDocument, FactsRequest>(
        plugIn,
        { settings },
        {
          read: (given, { key }) => factsDocument(factsFromWire({ ...(given as object), name: key })),
          show: ({ values, ...about }) => factsToWire({ ...about, values: valuesOf(values) }),
        },
      ),
  }
}

/** Terminus that a plug-in provides in place of the report processors; it only saves reports. */
function reportTerminus(plugIn: PlugIn, settings: object): TerminusDefinition<ReceivedReport, ReportServices, Request> {
  const create = () => {
    const { save } = ownTerminus<ReceivedReport, Request>(plugIn, { settings }, { read: neverRead, show: shownReport })
    return { ...(save && { save }) }
  }
  return { doc: docOf(plugIn), create }
}

function neverRead(): never {
  throw new Error('Nobody reads reports from a terminus of an owner')
}

function processorsOf(plugIns: readonly PlugIn[], settings: object): PlugIns['reports'] {
  requireNewNames(plugIns, (name) => processorNamed(name) !== undefined)
  return new Map(plugIns.map((plugIn) => [plugIn.name, processorOf(plugIn, settings)]))
}

/**
 * Runs a report processor. A failure is logged, and the next processor runs. Puppet:
 * indirector/report/processor.rb.
 */
function processorOf(plugIn: PlugIn, settings: object): Processor {
  const process = exportOf(plugIn, 'process')
  return async (report, { log }) => {
    const say = (level: string, message: string) => log(level, printable(String(message)), report)
    try {
      await answerOf(() => process(shownReport(report), { settings, log: say }))
    } catch (error) {
      say('err', `Report ${plugIn.name} failed: ${wordsOf(error)}`)
    }
  }
}

/** A report as passed to a plug-in; JSON and YAML are converted on demand. */
function shownReport(report: ReceivedReport): object {
  const { host, time, status, logs } = report
  return {
    ...{ host, time, status, logs },
    bytes: report.text,
    json: () => parseJson(Buffer.from(report.text).toString('utf8')),
    yaml: () => Buffer.from(yamlOf(report)).toString('utf8'),
  }
}

function docOf({ path, exports: { doc } }: PlugIn): string {
  return typeof doc === 'string' ? doc : `The plug-in ${path}.`
}
