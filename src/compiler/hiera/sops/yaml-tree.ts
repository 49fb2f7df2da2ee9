import { throwIssue } from '../../../base/issue.ts'
import type { YamlNode } from '../../../language/ruby-semantics/yaml/node.ts'
import { parseOnlyYamlDocument } from '../../../language/ruby-semantics/yaml/parse-yaml.ts'
import { YamlError } from '../../../language/ruby-semantics/yaml/yaml-error.ts'
import { parseGoScalar } from './go-scalars.ts'
import { sopsIssues } from './issues.ts'
import { createTextLeaf, type SopsMap, SopsMeter, type SopsNode } from './sops-tree.ts'

/** Reads the only document of YAML that SOPS has written. Throws SOPS_SYNTAX, SOPS_LIMIT. */
export function parseYamlTree(text: string): SopsMap {
  const node = parseDocument(text)
  const tree = node && convertNode(node, new SopsMeter())
  return tree?.kind === 'map' ? tree : failYaml('it is not a mapping')
}

function parseDocument(text: string): YamlNode | undefined {
  try {
    return parseOnlyYamlDocument(text)
  } catch (error) {
    if (!(error instanceof YamlError)) throw error
    return failYaml(error.message)
  }
}

function convertNode(node: YamlNode, meter: SopsMeter): SopsNode {
  return meter.within(() => {
    if (node.kind === 'alias') return failYaml('SOPS writes no aliases')
    if (node.kind === 'scalar') return convertScalar(node)
    if (node.kind === 'sequence') return { kind: 'list', items: node.items.map((item) => convertNode(item, meter)) }
    const keys = new Set<string>()
    const entries = node.pairs.map(([name, value]) => {
      const key = convertKey(name)
      if (keys.has(key)) return failYaml('a key occurs twice')
      keys.add(key)
      return [key, convertNode(value, meter)] as const
    })
    return { kind: 'map', entries }
  })
}

function convertKey(node: YamlNode): string {
  const key = node.kind === 'scalar' ? convertScalar(node) : undefined
  // SOPS: sops.go, `walkBranch`
  return key?.kind === 'leaf' && typeof key.value === 'string' ? key.value : failYaml('only string keys are supported')
}

function convertScalar({ value, quoted, tag }: Extract<YamlNode, { kind: 'scalar' }>): SopsNode {
  if (quoted || tag === 'tag:yaml.org,2002:str') return createTextLeaf(value)
  return tag === undefined ? parseGoScalar(value) : failYaml('it contains tags')
}

function failYaml(why: string): never {
  return throwIssue(sopsIssues.SOPS_SYNTAX, { what: 'YAML of SOPS', why })
}
