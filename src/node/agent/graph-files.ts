import { join } from 'node:path'
import type { Files } from '../../machine/system/system.ts'
import { type AppliedCatalog, type CatalogEntry, isContainer } from './applied-catalog.ts'
import { formatContainerName } from './entry-log.ts'
import { buildPlainRelationships, buildRelationshipGraph, type Vertex } from './relationship-graph.ts'

type Edge = readonly [from: string, to: string]

/**
 * Writes three Graphviz graphs of a catalog: containment, relationships, and relationships with
 * expanded containers.
 */
export async function saveGraphs(files: Files, folder: string, catalog: AppliedCatalog): Promise<void> {
  const entries = catalog.entries()
  const contents = entries.flatMap((entry) =>
    entry.contents.map((each): Edge => [formatEntryName(entry), formatEntryName(each)]),
  )
  const plain = buildPlainRelationships(catalog)
  const relations = [...plain.edges()].map(([from, to]): Edge => [formatEntryName(from), formatEntryName(to)])
  const expanded = buildRelationshipGraph(catalog)
  const isResource = ({ role }: Vertex) => role === 'resource'
  // Puppet expands containers in its existing graph, so edges between resources come first.
  const isResourceEdge = ([from, to]: readonly [Vertex, Vertex, unknown]) => isResource(from) && isResource(to)
  const ways = [...expanded.edges()]
  const order = [...ways.filter(isResourceEdge), ...ways.filter((each) => !isResourceEdge(each))].map(
    ([from, to]): Edge => [formatVertexName(from), formatVertexName(to)],
  )
  const names = entries.map(formatEntryName)
  await files.makeDirectory(folder, 0o750)
  await files.write(join(folder, 'resources.dot'), formatDotGraph('Resources', names, contents))
  await files.write(join(folder, 'relationships.dot'), formatDotGraph('Relationships', names, relations))
  const all = [...expanded.nodes()]
  const vertices = [...all.filter(isResource), ...all.filter((each) => !isResource(each))].map(formatVertexName)
  await files.write(
    join(folder, 'expanded_relationships.dot'),
    formatDotGraph('Expanded_relationships', vertices, order),
  )
}

/** Writes dependency cycles as a Graphviz graph. Returns its path. */
export async function saveCycles(
  files: Files,
  folder: string,
  cycles: readonly (readonly string[])[],
): Promise<string> {
  const path = join(folder, 'cycles.dot')
  const lines = cycles.map((cycle) => cycle.map(quoteText).join(' -> '))
  await files.makeDirectory(folder, 0o750)
  await files.write(path, `${['digraph Resource_Cycles {', '  label = "Resource Cycles"', ...lines, '}'].join('\n')}\n`)
  return path
}

/** The line printed after a report of dependency cycles. */
export function formatCycleAdvice(path: string | undefined): string {
  return path === undefined
    ? "Try the '--graph' option and opening the resulting '.dot' file in OmniGraffle or GraphViz"
    : `Cycle graph written to ${path}.`
}

function formatEntryName(entry: CatalogEntry): string {
  return isContainer(entry) ? formatContainerName(entry) : entry.reference
}

/** Names a vertex. The ends of a container have names as in Puppet's type/whit.rb. */
function formatVertexName({ entry, role }: Vertex): string {
  const name = formatEntryName(entry)
  if (role === 'resource') return name
  return `Whit[${role === 'beginning' ? 'Admissible' : 'Completed'}_${name.charAt(0).toLowerCase()}${name.slice(1)}]`
}

/** Formats a graph in the layout of Puppet's external/dot.rb. */
function formatDotGraph(name: string, vertices: readonly string[], edges: readonly Edge[]): string {
  const nodes = vertices.map((each) => formatDotBlock(quoteText(each), ['fontsize = 8', `label = ${quoteText(each)}`]))
  const place = new Map(vertices.map((each, index) => [each, index]))
  const byTarget = edges.toSorted(([, a], [, b]) => place.get(a)! - place.get(b)!)
  const ways = byTarget.map(([from, to]) => formatDotBlock(`${quoteText(from)} -> ${quoteText(to)}`, ['fontsize = 8']))
  return `digraph ${name} {\n    label = "${name}"\n${[...nodes, ...ways].join('\n')}\n}\n`
}

function formatDotBlock(head: string, options: readonly string[]): string {
  return `    ${head} [\n${options.map((each) => `        ${each}`).join(',\n')}\n    ]\n`
}

function quoteText(text: string): string {
  return `"${text.replaceAll('"', '\\"')}"`
}
