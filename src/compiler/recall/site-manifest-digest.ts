import type { CompileEnvironment } from '../../code/environments/compile-environment.ts'
import type { ParseResult } from '../../language/syntax/parser/parser.ts'
import type { Expression, FunctionDefinition, TypeAlias } from '../../language/syntax/tree/nodes.ts'
import { type CodeDefinition, defaultNode } from '../code/code-definition.ts'
import { type DefinitionKind, listSiteManifests } from '../code/definition-lookup.ts'
import { DefinitionTable } from '../code/definition-table.ts'
import type { CompileRequest } from '../request/compile-request.ts'
import { computeSyntaxDigest, getLoggedWarningParts } from './syntax-digest.ts'

/** The definitions in an environment's site manifests. */
interface Site {
  readonly table: DefinitionTable
  /** Digest of the parts that affect all nodes. */
  readonly common: string
  /** Cached digests of definitions. */
  readonly digests: Map<Definition, string>
}

type Definition = CodeDefinition | FunctionDefinition | TypeAlias

type SiteRequest = Pick<CompileRequest, 'environment' | 'strict'>

/** Site manifests by environment and by strictness of the parser. */
const sites = new WeakMap<CompileEnvironment, Map<SiteRequest['strict'], Site>>()

/**
 * Returns a digest of the parts of the site manifests that affect all nodes: top-level code, and the names of all
 * definitions except nodes. Throws errors of the manifests.
 */
export function computeSiteDigest(asked: SiteRequest): string {
  return getSite(asked).common
}

/**
 * Returns a digest of a definition in the site manifests. A node definition is found by the name of the node. Throws
 * errors of the manifests.
 */
export function computeDefinitionDigest(asked: SiteRequest, kind: DefinitionKind, name: string): string {
  const { table, digests } = getSite(asked)
  const found = findDefinition(table, kind, name)
  if (!found) return ''
  const digest = digests.get(found) ?? computeSyntaxDigest([found.span?.source.file, found])
  digests.set(found, digest)
  return digest
}

function findDefinition(table: DefinitionTable, kind: DefinitionKind, name: string): Definition | undefined {
  switch (kind) {
    case 'class':
      return table.classes.get(name)
    case 'define':
      return table.defines.get(name)
    case 'function':
      return table.functions.get(name)
    case 'alias':
      return table.aliases.get(name)
    case 'node':
      return table.node(name)
  }
}

function getSite({ environment, strict }: SiteRequest): Site {
  const ofEnvironment = sites.get(environment) ?? new Map<SiteRequest['strict'], Site>()
  sites.set(environment, ofEnvironment)
  const site = ofEnvironment.get(strict) ?? createSite(listSiteManifests(environment, { strict, tasks: false }))
  ofEnvironment.set(strict, site)
  return site
}

function createSite(parsed: readonly ParseResult[]): Site {
  const table = new DefinitionTable()
  for (const { program } of parsed) table.add(program, '')
  table.checkAliases()
  const { classes, defines, functions, aliases, nodeNames } = table
  const names = [classes, defines, functions, aliases].map((each) => [...each.keys()])
  // The digest contains these node names, since a compilation fails if a class in a module has the same name as a
  // node definition.
  const nodes = nodeNames.filter((name) => name !== defaultNode && /^\w+(?:::\w+)*$/.test(name))
  const tops = parsed.map(({ program, warnings }) => [
    program.span.source.file,
    listEvaluatedStatements(program.body),
    getLoggedWarningParts(warnings),
  ])
  return { table, common: computeSyntaxDigest([tops, names, nodes, table.hasNodes]), digests: new Map() }
}

/**
 * Returns the top-level statements, which are evaluated for each node. Definitions are excluded, since evaluating a
 * definition has no effect.
 */
function listEvaluatedStatements(body: Expression): readonly Expression[] {
  const statements = body.kind === 'Block' ? body.statements : [body]
  return statements.filter(({ kind }) => !definitionKinds.has(kind))
}

const definitionKinds: ReadonlySet<Expression['kind']> = new Set([
  'FunctionDefinition',
  'HostClassDefinition',
  'NodeDefinition',
  'Nop',
  'ResourceTypeDefinition',
  'TypeAlias',
])
