import { join } from 'node:path'
import { defineIssues, throwIssue } from '../../../base/issue.ts'
import { parseJson } from '../../../base/json/json-text.ts'
import { toPrintable } from '../../../base/text/printable.ts'
import { formatPublicSettings, omitSecretSettings } from '../../../machine/settings/public-settings.ts'
import type { Settings } from '../../../machine/settings/settings.ts'
import {
  type FactsDocument,
  factsFromWire,
  factsToWire,
  parseFactValues,
  toFactsDocument,
} from '../../../model/facts.ts'
import type { Request } from '../../../model/indirector/request.ts'
import type { IndirectionDefinition, TerminusDefinition } from '../../../model/indirector/terminus.ts'
import { nodeFromWire, nodeToWire, type PuppetNode } from '../../../model/node.ts'
import type { ReceivedReport } from '../../../model/report.ts'
import { getProcessEnvironment } from '../../../ruby/node/environment-variables.ts'
import type { CatalogServices } from '../catalog/compiler.ts'
import { type CatalogDocument, type CatalogRequest, catalog } from '../catalog/index.ts'
import { type FactsRequest, type FactsServices, facts } from '../facts/index.ts'
import { mergeFacts } from '../node/fact-merge.ts'
import { type NodeRequest, type NodeServices, node } from '../node/index.ts'
import { type ReportServices, report } from '../report/index.ts'
import { findProcessor, type Processor } from '../report/processor.ts'
import { getReportYaml } from '../report/store.ts'
import { createCatalogTerminus } from './catalog-terminus.ts'
import { type CustomIndirection, createCustomIndirections } from './custom-indirections.ts'
import { createCustomTerminus } from './custom-terminus.ts'
import { createFactsReaders } from './lazy-facts.ts'
import { formatPlugInError, runPlugIn } from './plug-in-call.ts'
import { getExport, loadPlugIns, type PlugIn, type PlugInFiles } from './plug-in-files.ts'
import { type LogPlugIn, RubyPlugIns } from './ruby/ruby-plug-ins.ts'

/** Indirections and report processors, with the plug-ins of the server's administrator. */
export interface PlugIns {
  readonly catalog: IndirectionDefinition<CatalogDocument, CatalogServices, CatalogRequest>
  readonly node: IndirectionDefinition<PuppetNode, NodeServices, NodeRequest>
  readonly facts: IndirectionDefinition<FactsDocument, FactsServices, FactsRequest>
  readonly report: IndirectionDefinition<ReceivedReport, ReportServices, Request>
  /** Report processors by name. */
  readonly reports: ReadonlyMap<string, Processor>
  /** Custom indirections. */
  readonly indirections: readonly CustomIndirection[]
  /** Ends the threads of Ruby plug-ins. */
  close(): Promise<void>
}

const issues = defineIssues({
  PLUG_IN_TAKEN: {
    text: (a: { path: string; name: string }) =>
      `The plug-in ${a.path} has the name of an existing terminus or report processor: ${a.name}`,
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
  const ruby = new RubyPlugIns(
    { folder, settings: formatPublicSettings(settings), env: getProcessEnvironment() },
    files,
    log,
  )
  const joinPlugIns = async (place: string, inRuby: readonly PlugIn[]) => [
    ...(await loadPlugIns(join(folder, place), files)),
    ...inRuby,
  ]
  const loadTermini = async (name: string) => joinPlugIns(join('termini', name), await ruby.termini(name))
  const shown = Object.freeze(omitSecretSettings(settings))
  try {
    const processors = await joinPlugIns('reports', await ruby.reports())
    const indirections = await joinPlugIns(
      'indirections',
      await ruby.indirections(['catalog', 'node', 'facts', 'report']),
    )
    return {
      catalog: addTermini(catalog, await loadTermini('catalog'), (plugIn) =>
        createCatalogTerminus(plugIn, getDoc(plugIn), shown),
      ),
      node: addTermini(node, await loadTermini('node'), (plugIn) => createNodeTerminus(plugIn, shown)),
      facts: addTermini(facts, await loadTermini('facts'), (plugIn) => createFactsTerminus(plugIn, shown)),
      report: addTermini(report, await loadTermini('report'), (plugIn) => createReportTerminus(plugIn, shown)),
      reports: createProcessors(processors, shown),
      indirections: await createCustomIndirections(indirections, shown),
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
export async function loadModuleProcessor(
  name: string,
  folders: readonly string[],
  { settings, files, log }: { readonly settings: Settings; readonly files: PlugInFiles; readonly log: LogPlugIn },
): Promise<ModuleProcessor | undefined> {
  for (const folder of folders) {
    if ((await files.stat(join(folder, 'puppet/reports', `${name}.rb`)))?.kind !== 'file') continue
    const machine = {
      folder,
      loadPath: folders,
      settings: formatPublicSettings(settings),
      env: getProcessEnvironment(),
    }
    const ruby = new RubyPlugIns(machine, files, log)
    const plugIn = await ruby.report(name)
    const process = createProcessor(plugIn, Object.freeze(omitSecretSettings(settings)))
    return { process, close: () => ruby.close() }
  }
  return undefined
}

function addTermini<Model, Services, Query extends Request>(
  definition: IndirectionDefinition<Model, Services, Query>,
  plugIns: readonly PlugIn[],
  terminusOf: (plugIn: PlugIn) => TerminusDefinition<Model, Services, Query>,
): IndirectionDefinition<Model, Services, Query> {
  checkNewNames(plugIns, (name) => Object.hasOwn(definition.termini, name))
  const own = Object.fromEntries(plugIns.map((plugIn) => [plugIn.name, terminusOf(plugIn)]))
  return { ...definition, termini: { ...definition.termini, ...own } }
}

/** Throws PLUG_IN_TAKEN if the name of a plug-in exists already or occurs twice. */
function checkNewNames(plugIns: readonly PlugIn[], isTaken: (name: string) => boolean): void {
  const seen = new Set<string>()
  for (const { name, path } of plugIns) {
    if (seen.has(name) || isTaken(name)) throwIssue(issues.PLUG_IN_TAKEN, { path, name })
    seen.add(name)
  }
}

/**
 * Nodes from a plug-in: environment, classes and parameters; facts are added as for other termini.
 */
function createNodeTerminus(
  plugIn: PlugIn,
  settings: object,
): TerminusDefinition<PuppetNode, NodeServices, NodeRequest> {
  return {
    doc: getDoc(plugIn),
    create: ({ facts: known }) =>
      createCustomTerminus<PuppetNode, NodeRequest>(
        plugIn,
        { settings },
        {
          read: (given, request) =>
            mergeFacts(
              nodeFromWire({ environment: request.environment, ...(given as object), name: request.key }),
              request,
              known,
            ),
          show: (each) => nodeToWire(each),
          more: (request) => createFactsReaders(request, known),
        },
      ),
  }
}

function createFactsTerminus(
  plugIn: PlugIn,
  settings: object,
): TerminusDefinition<FactsDocument, FactsServices, FactsRequest> {
  return {
    doc: getDoc(plugIn),
    create: () =>
      createCustomTerminus<FactsDocument, FactsRequest>(
        plugIn,
        { settings },
        {
          read: (given, { key }) => toFactsDocument(factsFromWire({ ...(given as object), name: key })),
          show: ({ values, ...about }) => factsToWire({ ...about, values: parseFactValues(values) }),
        },
      ),
  }
}

/** Terminus that a plug-in provides in place of the report processors; it only saves reports. */
function createReportTerminus(
  plugIn: PlugIn,
  settings: object,
): TerminusDefinition<ReceivedReport, ReportServices, Request> {
  const create = () => {
    const { save } = createCustomTerminus<ReceivedReport, Request>(
      plugIn,
      { settings },
      { read: rejectRead, show: toPlugInReport },
    )
    return { ...(save && { save }) }
  }
  return { doc: getDoc(plugIn), create }
}

function rejectRead(): never {
  throw new Error('Reports cannot be read from a custom terminus')
}

function createProcessors(plugIns: readonly PlugIn[], settings: object): PlugIns['reports'] {
  checkNewNames(plugIns, (name) => findProcessor(name) !== undefined)
  return new Map(plugIns.map((plugIn) => [plugIn.name, createProcessor(plugIn, settings)]))
}

/**
 * Runs a report processor. A failure is logged, and the next processor runs. Puppet:
 * indirector/report/processor.rb.
 */
function createProcessor(plugIn: PlugIn, settings: object): Processor {
  const process = getExport(plugIn, 'process')
  return async (report, { log }) => {
    const say = (level: string, message: string) => log(level, toPrintable(String(message)), report)
    try {
      await runPlugIn(() => process(toPlugInReport(report), { settings, log: say }))
    } catch (error) {
      say('err', `Report ${plugIn.name} failed: ${formatPlugInError(error)}`)
    }
  }
}

/** A report as passed to a plug-in; JSON and YAML are converted on demand. */
function toPlugInReport(report: ReceivedReport): object {
  const { host, time, status, logs } = report
  return {
    ...{ host, time, status, logs },
    bytes: report.text,
    json: () => parseJson(Buffer.from(report.text).toString('utf8')),
    yaml: () => Buffer.from(getReportYaml(report)).toString('utf8'),
  }
}

function getDoc({ path, exports: { doc } }: PlugIn): string {
  return typeof doc === 'string' ? doc : `The plug-in ${path}.`
}
