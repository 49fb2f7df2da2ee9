import { join } from 'node:path'
import { budgets } from '../../../base/budgets/budgets.ts'
import { parseJson, printJson } from '../../../base/json/json-text.ts'
import type { TerminusDefinition } from '../../../model/indirector/terminus.ts'
import { type Node, nodeFromWire, nodeToWire } from '../../../model/node.ts'
import { rubyTags } from '../../../model/text-readings.ts'
import { type FileFormat, jsonFormat, msgpackFormat, yamlFormat } from '../file-format.ts'
import { modelFiles } from '../model-files.ts'
import { movedFrom } from '../moved-from.ts'
import type { NodeRequest, NodeServices } from './index.ts'

type NodeFiles = TerminusDefinition<Node, NodeServices, NodeRequest>

/**
 * Nodes in JSON, in Puppet's file layout: `<server_datadir>/node/<name>.json`; earlier versions of
 * this server used the folder `nodes`.
 */
export const json: NodeFiles = {
  doc: 'One JSON file for each node.',
  create: (services) => {
    const within = (folder: string) => filesIn(join(services.settings.server_datadir, folder), jsonFormat, services)
    return movedFrom(within('node'), within('nodes'))
  },
}

/** Nodes in MessagePack, in the same folder as those in JSON. */
export const msgpack: NodeFiles = {
  doc: 'One file of MessagePack for each node.',
  create: (services) =>
    filesIn(join(services.settings.server_datadir, 'node'), msgpackFormat(services.readText), services),
}

/** Nodes in YAML, in Puppet's file layout: `<yamldir>/node/<name>.yaml`; the tag is optional. */
export const yaml: NodeFiles = {
  doc: "One YAML file for each node in yamldir, as Puppet's.",
  create: (services) =>
    filesIn(join(services.settings.yamldir, 'node'), yamlFormat(rubyTags.node, services.readText), services),
}

function filesIn(directory: string, format: FileFormat, { system }: NodeServices) {
  return modelFiles<Node>({
    indirection: 'node',
    directory,
    format,
    files: system.files,
    largest: budgets.request.nodeFile.bound,
    parse: (text) => nodeFromWire(parseJson(Buffer.from(text).toString('utf8'))),
    print: (node) => Buffer.from(printJson(nodeToWire(node))),
  })
}
