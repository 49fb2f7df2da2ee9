import { join } from 'node:path'
import { defineIssues, fail } from '../../base/issue.ts'
import { parseJson } from '../../base/json-text.ts'
import type { Request } from '../../indirector/request.ts'
import type { IndirectionDefinition, TerminusDefinition } from '../../indirector/terminus.ts'
import { type FactsDocument, factsDocument, factsFromWire, factsToWire, valuesOf } from '../../model/facts.ts'
import { type Node, nodeFromWire, nodeToWire } from '../../model/node.ts'
import type { ReceivedReport } from '../../model/report.ts'
import { withoutSecrets } from '../../settings/public-settings.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Files } from '../../system/system.ts'
import { type FactsRequest, type FactsServices, facts } from '../facts/index.ts'
import { type NodeRequest, type NodeServices, node } from '../node/index.ts'
import { withFacts } from '../node/with-facts.ts'
import { type Processor, processorNamed } from '../report/processor.ts'
import { yamlOf } from '../report/store.ts'
import { askPlugIn } from './ask-plug-in.ts'
import { ownTerminus } from './own-terminus.ts'
import { exportOf, type PlugIn, plugInsIn } from './plug-in-files.ts'

/** Code of whoever owns the server: termini and report processors, beside ours. */
export interface PlugIns {
  readonly node: IndirectionDefinition<Node, NodeServices, NodeRequest>
  readonly facts: IndirectionDefinition<FactsDocument, FactsServices, FactsRequest>
  /** Report processors by their names. */
  readonly reports: ReadonlyMap<string, Processor>
}

const issues = defineIssues({
  PLUG_IN_TAKEN: {
    text: (a: { path: string; name: string }) => `The plug-in ${a.path} has a name that is taken: ${a.name}`,
  },
})

/** Indirections and report processors without any plug-in. */
export const noPlugIns: PlugIns = { node, facts, reports: new Map() }

/**
 * Indirections and report processors with the plug-ins of the folder `server_plugins`, which are read once, at the start.
 * Throws PLUG_IN_…: a server does not start with half of what it is to do.
 */
export async function readPlugIns(settings: Settings, files: Pick<Files, 'list' | 'stat'>): Promise<PlugIns> {
  const { server_plugins: folder } = settings
  if (folder === '') return noPlugIns
  const found = (...parts: readonly string[]) => plugInsIn(join(folder, ...parts), files)
  const shown = Object.freeze(withoutSecrets(settings))
  const processors = await found('reports')
  return {
    node: withTermini(node, await found('termini', 'node'), (plugIn) => nodeTerminus(plugIn, shown)),
    facts: withTermini(facts, await found('termini', 'facts'), (plugIn) => factsTerminus(plugIn, shown)),
    reports: new Map(processors.map((plugIn) => [plugIn.name, processorOf(plugIn, shown)])),
  }
}

function withTermini<Model, Services, Query extends Request>(
  definition: IndirectionDefinition<Model, Services, Query>,
  plugIns: readonly PlugIn[],
  terminusOf: (plugIn: PlugIn) => TerminusDefinition<Model, Services, Query>,
): IndirectionDefinition<Model, Services, Query> {
  for (const { name, path } of plugIns)
    if (Object.hasOwn(definition.termini, name)) fail(issues.PLUG_IN_TAKEN, { path, name })
  const own = Object.fromEntries(plugIns.map((plugIn) => [plugIn.name, terminusOf(plugIn)]))
  return { ...definition, termini: { ...definition.termini, ...own } }
}

/** Nodes as a plug-in has them: environment, classes and parameters; facts are added as to any node. */
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

function processorOf(plugIn: PlugIn, settings: object): Processor {
  const { name, path } = plugIn
  if (processorNamed(name)) fail(issues.PLUG_IN_TAKEN, { path, name })
  const process = exportOf(plugIn, 'process')
  return async (report, { log }) => {
    const say = (level: string, message: string) => log(level, String(message), report)
    await askPlugIn(path, 'process', () => process(shownReport(report), { settings, log: say }))
  }
}

/** A report as a plug-in sees it; all of it is read when that is asked for. */
function shownReport(report: ReceivedReport): object {
  const { host, time, status, logs } = report
  return {
    ...{ host, time, status, logs },
    json: () => parseJson(Buffer.from(report.text).toString('utf8')),
    yaml: () => Buffer.from(yamlOf(report)).toString('utf8'),
  }
}

function docOf({ path, exports: { doc } }: PlugIn): string {
  return typeof doc === 'string' ? doc : `The plug-in ${path}.`
}
