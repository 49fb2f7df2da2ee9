import { join } from 'node:path'
import type { Files } from '../../machine/system/system.ts'
import { type AppliedCatalog, type Entry, isContainer } from './applied-catalog.ts'
import { nameOfEnd } from './entry-log.ts'
import { plainRelationships, relationshipGraph, type Vertex } from './relationship-graph.ts'

type Edge = readonly [from: string, to: string]

/**
 * Writes three Graphviz graphs of a catalog: containment, relationships, and relationships with
 * expanded containers.
 */
export async function saveGraphs(files: Files, folder: string, catalog: AppliedCatalog): Promise<void> {
  const entries = catalog.entries()
  const contents = entries.flatMap((entry) =>
    entry.contents.map((each): Edge => [nameOfEntry(entry), nameOfEntry(each)]),
  )
  const plain = plainRelationships(catalog)
  const relations = [...plain.edges()].map(([from, to]): Edge => [nameOfEntry(from), nameOfEntry(to)])
  const expanded = relationshipGraph(catalog)
  const isResource = ({ role }: Vertex) => role === 'resource'
  // Puppet expands containers in its existing graph, so edges between resources come first.
  const first = ([from, to]: readonly [Vertex, Vertex, unknown]) => isResource(from) && isResource(to)
  const ways = [...expanded.edges()]
  const order = [...ways.filter(first), ...ways.filter((each) => !first(each))].map(
    ([from, to]): Edge => [nameOf(from), nameOf(to)],
  )
  const names = entries.map(nameOfEntry)
  await files.makeDirectory(folder, 0o750)
  await files.write(join(folder, 'resources.dot'), dot('Resources', names, contents))
  await files.write(join(folder, 'relationships.dot'), dot('Relationships', names, relations))
  const all = [...expanded.nodes()]
  const vertices = [...all.filter(isResource), ...all.filter((each) => !isResource(each))].map(nameOf)
  await files.write(join(folder, 'expanded_relationships.dot'), dot('Expanded_relationships', vertices, order))
}

/** Writes dependency cycles as a Graphviz graph. Returns its path. */
export async function saveCycles(
  files: Files,
  folder: string,
  cycles: readonly (readonly string[])[],
): Promise<string> {
  const path = join(folder, 'cycles.dot')
  const lines = cycles.map((cycle) => cycle.map(quoted).join(' -> '))
  await files.makeDirectory(folder, 0o750)
  await files.write(path, `${['digraph Resource_Cycles {', '  label = "Resource Cycles"', ...lines, '}'].join('\n')}\n`)
  return path
}

/** The line printed after a report of dependency cycles. */
export function adviceOnCycles(path: string | undefined): string {
  return path === undefined
    ? "Try the '--graph' option and opening the resulting '.dot' file in OmniGraffle or GraphViz"
    : `Cycle graph written to ${path}.`
}

function nameOfEntry(entry: Entry): string {
  return isContainer(entry) ? nameOfEnd(entry) : entry.reference
}

/** Names a vertex. The ends of a container have names as in Puppet's type/whit.rb. */
function nameOf({ entry, role }: Vertex): string {
  const name = nameOfEntry(entry)
  if (role === 'resource') return name
  return `Whit[${role === 'beginning' ? 'Admissible' : 'Completed'}_${name.charAt(0).toLowerCase()}${name.slice(1)}]`
}

/** Layout as in Puppet's external/dot.rb. */
function dot(name: string, vertices: readonly string[], edges: readonly Edge[]): string {
  const nodes = vertices.map((each) => block(quoted(each), ['fontsize = 8', `label = ${quoted(each)}`]))
  const place = new Map(vertices.map((each, index) => [each, index]))
  const byTarget = edges.toSorted(([, a], [, b]) => place.get(a)! - place.get(b)!)
  const ways = byTarget.map(([from, to]) => block(`${quoted(from)} -> ${quoted(to)}`, ['fontsize = 8']))
  return `digraph ${name} {\n    label = "${name}"\n${[...nodes, ...ways].join('\n')}\n}\n`
}

function block(head: string, options: readonly string[]): string {
  return `    ${head} [\n${options.map((each) => `        ${each}`).join(',\n')}\n    ]\n`
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '\\"')}"`
}
