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

/** A class, defined type or node definition. */
export interface CodeDefinition {
  readonly kind: 'class' | 'define' | 'node'
  /** Lower case, without a leading `::`; empty for the main class. */
  readonly name: string
  /** Set for a node definition with a regular expression. */
  readonly pattern: Regexp | undefined
  readonly parameters: readonly Parameter[]
  readonly parent: string | undefined
  readonly body: readonly (Expression | Program)[]
  /** Module that defines it; empty for the site manifests. */
  readonly moduleName: string
  readonly span: Span | undefined
}

/** Definition from a syntax node. */
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

/** Definition from one name of a `node` statement. */
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

/** Name of `node default`, also matched against patterns if no definition has the node's name. */
export const defaultNode = 'default'

/**
 * Matches a node pattern against the node's name, or else against `default`. Puppet:
 * resource/type_collection.rb, `node`.
 */
export function matchOfNode(pattern: Regexp, name: string): Match | undefined {
  return find(pattern, name.toLowerCase()) ?? find(pattern, defaultNode)
}

/** The main class: top-level code of the site manifests. */
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

/** The class `settings`, part of every catalog; it has no code, and its variables are the settings. */
export const settingsClass: CodeDefinition = { ...mainClass([]), name: 'settings' }

/** Normalizes a name for comparison: lower case, without a leading `::`. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/^::/, '')
}
