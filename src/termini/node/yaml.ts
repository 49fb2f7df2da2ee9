import { join } from 'node:path'
import { budgets } from '../../base/budgets.ts'
import { defineIssues, fail } from '../../base/issue.ts'
import type { TerminusDefinition } from '../../indirector/terminus.ts'
import { type Node, nodeFromWire, nodeToWire } from '../../model/node.ts'
import { symbolsAsNames } from '../../ruby-semantics/yaml/permitted.ts'
import { yamlToJson } from '../../ruby-semantics/yaml/yaml-data.ts'
import { yamlText } from '../../ruby-semantics/yaml/yaml-text.ts'
import { modelFiles } from '../model-files.ts'
import type { NodeRequest, NodeServices } from './index.ts'

const issues = defineIssues({
  NODE_YAML_SIZE: {
    text: (a: { bytes: number; most: number }) => `A node in YAML has ${a.bytes} bytes, more than ${a.most}`,
  },
})

const tag = '!ruby/object:Puppet::Node'

/** Nodes in YAML, in the files of real Puppet: `<yamldir>/node/<name>.yaml`. Puppet: indirector/yaml.rb. */
export const yaml: TerminusDefinition<Node, NodeServices, NodeRequest> = {
  doc: "One YAML file for each node in yamldir, as Puppet's.",
  create: ({ system, settings }) =>
    modelFiles({
      indirection: 'node',
      directory: join(settings.yamldir, 'node'),
      extension: 'yaml',
      files: system.files,
      parse: nodeFromYaml,
      print: (node) => yamlText(nodeToWire(node), tag),
    }),
}

/** A node from YAML, with Puppet's tag or without; no other class is read. Throws NODE_YAML_SIZE, WIRE_SHAPE, YamlError. */
function nodeFromYaml(file: Buffer): Node {
  const most = budgets.request.nodeYaml.bound
  if (file.length > most) fail(issues.NODE_YAML_SIZE, { bytes: file.length, most })
  const text = file.toString()
  const bare = text.startsWith(`--- ${tag}\n`) ? text.replace(` ${tag}`, '') : text
  return nodeFromWire(yamlToJson(bare, symbolsAsNames))
}
