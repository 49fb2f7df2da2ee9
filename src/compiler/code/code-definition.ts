import type { Span } from '../../base/source.ts'
import { find, type Match } from '../../language/ruby-semantics/regexp/match.ts'
import type {
  Expression,
  HostClassDefinition,
  NodeDefinition,
  Parameter,
  Program,
  ResourceTypeDefinition,
} from '../../language/syntax/tree/nodes.ts'
import type { Regexp } from '../../language/values/regexp.ts'

/** A class, a defined type or a node, as code defines it. */
export interface CodeDefinition {
  readonly kind: 'class' | 'define' | 'node'
  /** Lower case, no leading `::`; empty for the main class. */
  readonly name: string
  /** For a node that is named by a pattern. */
  readonly pattern: Regexp | undefined
  readonly parameters: readonly Parameter[]
  readonly parent: string | undefined
  readonly body: readonly (Expression | Program)[]
  /** The module whose code it is; empty for the site's. */
  readonly moduleName: string
  readonly span: Span | undefined
}

/** A definition that stands in code. */
export function codeDefinition(node: HostClassDefinition | ResourceTypeDefinition, moduleName: string): CodeDefinition {
  const parent = node.kind === 'HostClassDefinition' ? node.parentClass : undefined
  return {
    kind: node.kind === 'HostClassDefinition' ? 'class' : 'define',
    name: plainName(node.name),
    pattern: undefined,
    parameters: node.parameters,
    parent: parent === undefined ? undefined : plainName(parent),
    body: [node.body],
    moduleName,
    span: node.span,
  }
}

/** One of the names of a node's definition. */
export function nodeDefinition(
  node: NodeDefinition,
  name: string,
  pattern: Regexp | undefined,
  moduleName: string,
): CodeDefinition {
  return {
    kind: 'node',
    name,
    pattern,
    parameters: [],
    parent: undefined,
    body: [node.body],
    moduleName,
    span: node.span,
  }
}

/** The name of `node default`, and the word that patterns are tried on when nothing has the node's own name. */
export const defaultNode = 'default'

/** The occurrence of a node's pattern in its name, or else in `default`. Puppet: resource/type_collection.rb, `node`. */
export function matchOfNode(pattern: Regexp, name: string): Match | undefined {
  return find(pattern, name.toLowerCase()) ?? find(pattern, defaultNode)
}

/** The class without a name: what stands at the top of the site's manifests. */
export function mainClass(programs: readonly Program[]): CodeDefinition {
  return {
    kind: 'class',
    name: '',
    pattern: undefined,
    parameters: [],
    parent: undefined,
    body: programs,
    moduleName: '',
    span: undefined,
  }
}

/** The class that is in every catalog, without code; its variables are the settings. */
export const settingsClass: CodeDefinition = { ...mainClass([]), name: 'settings' }

/** As names are compared: lower case, from the root. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/^::/, '')
}
