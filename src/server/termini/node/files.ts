import { join } from 'node:path'
import { budgets } from '../../../base/budgets/budgets.ts'
import { formatExactJson, parseJson } from '../../../base/json/json-text.ts'
import type { TerminusDefinition } from '../../../model/indirector/terminus.ts'
import { rubyTags } from '../../../model/model-readers.ts'
import { nodeFromWire, nodeToWire, type PuppetNode } from '../../../model/node.ts'
import { createMsgpackFormat, createYamlFormat, type FileFormat, jsonFormat } from '../file-format.ts'
import { createMigratingTerminus } from '../migrating-terminus.ts'
import { createFileTerminus } from '../model-files.ts'
import type { NodeRequest, NodeServices } from './index.ts'

type NodeFiles = TerminusDefinition<PuppetNode, NodeServices, NodeRequest>

/**
 * Nodes in JSON, in Puppet's file layout: `<server_datadir>/node/<name>.json`; earlier versions of
 * this server used the folder `nodes`.
 */
export const json: NodeFiles = {
  doc: 'Reads each node from a JSON file.',
  create: (services) => {
    const createFolderFiles = (folder: string) =>
      createNodeFiles(join(services.settings.server_datadir, folder), jsonFormat, services)
    return createMigratingTerminus(createFolderFiles('node'), createFolderFiles('nodes'))
  },
}

/** Nodes in MessagePack, in the same folder as those in JSON. */
export const msgpack: NodeFiles = {
  doc: 'Reads each node from a MessagePack file.',
  create: (services) =>
    createNodeFiles(join(services.settings.server_datadir, 'node'), createMsgpackFormat(services.readText), services),
}

/** Nodes in YAML, in Puppet's file layout: `<yamldir>/node/<name>.yaml`; the tag is optional. */
export const yaml: NodeFiles = {
  doc: 'Reads each node from a YAML file in yamldir, as Puppet does.',
  create: (services) =>
    createNodeFiles(
      join(services.settings.yamldir, 'node'),
      createYamlFormat(rubyTags.node, services.readText),
      services,
    ),
}

function createNodeFiles(directory: string, format: FileFormat, { system }: NodeServices) {
  return createFileTerminus<PuppetNode>({
    indirection: 'node',
    directory,
    format,
    files: system.files,
    largest: budgets.request.nodeFile.bound,
    parse: (text) => nodeFromWire(parseJson(Buffer.from(text).toString('utf8'))),
    print: (node) => Buffer.from(formatExactJson(nodeToWire(node))),
  })
}
