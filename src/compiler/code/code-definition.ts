import type { SourceSpan } from '../../base/source.ts'
import { findMatch, type RegexpMatch } from '../../language/ruby-semantics/regexp/match.ts'
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
  /** Name in lower case, without a leading `::`; empty for the main class. */
  readonly name: string
  /** Regular expression of a node definition; `undefined` for other definitions. */
  readonly pattern: Regexp | undefined
  readonly parameters: readonly Parameter[]
  readonly parent: string | undefined
  readonly body: readonly (Expression | Program)[]
  /** Module that contains the definition; empty for the site manifests. */
  readonly moduleName: string
  readonly span: SourceSpan | undefined
}

/** Creates a definition from a syntax node. */
export function createCodeDefinition(
  node: HostClassDefinition | ResourceTypeDefinition,
  moduleName: string,
): CodeDefinition {
  const parent = node.kind === 'HostClassDefinition' ? node.parentClass : undefined
  return {
    kind: node.kind === 'HostClassDefinition' ? 'class' : 'define',
    name: normalizeName(node.name),
    pattern: undefined,
    parameters: node.parameters,
    parent: parent === undefined ? undefined : normalizeName(parent),
    body: [node.body],
    moduleName,
    span: node.span,
  }
}

/** Creates a definition for one of the names in a `node` statement. */
export function createNodeDefinition(
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

/** Name of `node default`. If no definition matches a node's name, patterns are also matched against this name. */
export const defaultNode = 'default'

/**
 * Matches a node pattern against the node's name; if it does not match, against `default`. Puppet:
 * resource/type_collection.rb, `node`.
 */
export function matchNodePattern(pattern: Regexp, name: string): RegexpMatch | undefined {
  return findMatch(pattern, name.toLowerCase()) ?? findMatch(pattern, defaultNode)
}

/** Creates the main class, whose code is the top-level code of the site manifests. */
export function createMainClass(programs: readonly Program[]): CodeDefinition {
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

/** The class `settings`, which is part of every catalog. It has no code; its variables contain the settings. */
export const settingsClass: CodeDefinition = { ...createMainClass([]), name: 'settings' }

/** Normalizes a name for comparison: lower case, without a leading `::`. */
export function normalizeName(name: string): string {
  return name.toLowerCase().replace(/^::/, '')
}
