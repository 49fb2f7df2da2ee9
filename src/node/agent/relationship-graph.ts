import { Graph } from '../../base/graph.ts'
import { Heap } from '../../base/heap.ts'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { type RelationshipMetaparameter, relationshipMetaparameters } from '../resources/metaparameters.ts'
import { splitReference } from '../resources/reference.ts'
import { anyType } from '../resources/type.ts'
import { type AppliedCatalog, type CatalogEntry, isContainer } from './applied-catalog.ts'

/** A vertex of the graph: a resource, or the beginning or end of a container. */
export interface Vertex {
  readonly entry: CatalogEntry
  readonly role: 'resource' | 'beginning' | 'end'
  /** Evaluation order among vertices that are ready; compared element by element. */
  readonly priority: readonly number[]
}

const issues = defineIssues({
  RELATIONSHIP_MISSING: {
    text: (a: { direction: 'in' | 'out'; target: string; source: string }) =>
      `Could not find ${a.direction === 'in' ? 'dependency' : 'dependent'} ${a.target} for ${a.source}`,
  },
})

/** Edges from a vertex to a later one; `refreshes` if a change of the first refreshes the second. */
export type Relationships = Graph<Vertex, { readonly refreshes: boolean }>

/**
 * The relationship graph of a catalog: explicit relationships, autorelations of types, and each
 * container as a beginning and an end around its contents.
 */
export function buildRelationshipGraph(catalog: AppliedCatalog): Relationships {
  return expandContainers(buildPlainRelationships(catalog), catalog)
}

/** Relationships between resources, with each container as one vertex. */
export function buildPlainRelationships(catalog: AppliedCatalog): PlainGraph {
  const plain: PlainGraph = new Graph()
  for (const entry of catalog.entries()) plain.add(entry)
  for (const entry of catalog.entries()) addExplicitRelationships(plain, catalog, entry)
  for (const entry of catalog.entries()) addAutorelations(plain, catalog, entry)
  return plain
}

type PlainGraph = Graph<CatalogEntry, { readonly refreshes: boolean }>

function addExplicitRelationships(graph: PlainGraph, catalog: AppliedCatalog, entry: CatalogEntry): void {
  for (const [name, targets] of entry.relations) {
    const relation = relationshipMetaparameters[name]!
    for (const target of targets) addRelationship(graph, catalog, entry, target, relation)
  }
}

function addRelationship(
  graph: PlainGraph,
  catalog: AppliedCatalog,
  entry: CatalogEntry,
  target: string,
  { direction, refreshes }: RelationshipMetaparameter,
): void {
  const reference = splitReference(target)
  const other = reference && catalog.lookup(reference.type, reference.title)
  if (!other) throwIssue(issues.RELATIONSHIP_MISSING, { direction, target, source: entry.reference })
  const [from, to] = direction === 'in' ? [other, entry] : [entry, other]
  graph.addEdge(from, to, { refreshes: refreshes || (graph.label(from, to)?.refreshes ?? false) })
}

const automatic = {
  autorequire: relationshipMetaparameters['require']!,
  autosubscribe: relationshipMetaparameters['subscribe']!,
  autobefore: relationshipMetaparameters['before']!,
  autonotify: relationshipMetaparameters['notify']!,
} as const

function addAutorelations(graph: PlainGraph, catalog: AppliedCatalog, entry: CatalogEntry): void {
  const { resource } = entry
  if (!resource) return
  for (const [slot, { direction, refreshes }] of Object.entries(automatic)) {
    const finders = resource.type[slot as keyof typeof automatic] ?? {}
    for (const [type, find] of Object.entries(finders)) {
      for (const found of find(resource, catalog)) {
        const other = found === undefined ? undefined : catalog.lookup(...toRelatedReference(type, found))
        if (!other || other === entry) continue
        const [from, to] = direction === 'in' ? [other, entry] : [entry, other]
        if (!graph.hasEdge(from, to) && !graph.hasEdge(to, from)) graph.addEdge(from, to, { refreshes })
      }
    }
  }
}

/**
 * Type and title of a related resource. If `type` is `anyType`, `found` is a complete reference.
 */
function toRelatedReference(type: string, found: string): [type: string, title: string] {
  const reference = type === anyType ? splitReference(found) : undefined
  return reference ? [reference.type, reference.title] : [type, found]
}

function expandContainers(plain: PlainGraph, catalog: AppliedCatalog): Relationships {
  const graph: Relationships = new Graph()
  const beginnings = new Map<CatalogEntry, Vertex>()
  const ends = new Map<CatalogEntry, Vertex>()
  for (const [index, entry] of catalog.entries().entries()) {
    const priority = [index]
    const container = isContainer(entry)
    const beginning: Vertex = { entry, role: container ? 'beginning' : 'resource', priority }
    const end: Vertex = container ? { entry, role: 'end', priority } : beginning
    beginnings.set(entry, beginning)
    ends.set(entry, end)
    graph.add(beginning)
    graph.add(end)
  }
  for (const entry of catalog.entries()) {
    if (!isContainer(entry)) continue
    const [beginning, end] = [beginnings.get(entry)!, ends.get(entry)!]
    if (entry.contents.length === 0) graph.addEdge(beginning, end, { refreshes: false })
    for (const content of entry.contents) {
      graph.addEdge(beginning, beginnings.get(content)!, { refreshes: true })
      graph.addEdge(ends.get(content)!, end, { refreshes: true })
    }
  }
  for (const [from, to, label] of plain.edges()) {
    const [start, finish] = [ends.get(from)!, beginnings.get(to)!]
    graph.addEdge(start, finish, { refreshes: label.refreshes || (graph.label(start, finish)?.refreshes ?? false) })
  }
  return graph
}

/** Iterates over the vertices, each after all its predecessors. */
export class Traversal {
  readonly #graph: Relationships
  readonly #ready = new Heap<Vertex>((a, b) => comparePriority(a.priority, b.priority))
  readonly #queued = new Set<Vertex>()
  readonly #done = new Set<Vertex>()
  #waiting = new Map<Vertex, number>()

  constructor(graph: Relationships) {
    this.#graph = graph
    for (const vertex of graph.nodes()) if (graph.predecessors(vertex).length === 0) this.enqueue(vertex)
  }

  get isEmpty(): boolean {
    return this.#ready.size === 0
  }

  next(): Vertex | undefined {
    return this.#ready.pop()
  }

  /** Queues a vertex that is ready or was postponed. */
  enqueue(vertex: Vertex): void {
    this.#queued.add(vertex)
    this.#ready.push(vertex)
  }

  /** Marks a vertex as done, which makes successors without other open predecessors ready. */
  finish(vertex: Vertex): void {
    this.#done.add(vertex)
    for (const next of this.#graph.successors(vertex)) {
      const left = (this.#waiting.get(next) ?? this.#blockers(next) + 1) - 1
      this.#waiting.set(next, left)
      if (left <= 0 && !this.#queued.has(next)) this.enqueue(next)
    }
  }

  /** Must be called after each change to the graph. */
  graphChanged(): void {
    this.#waiting = new Map()
  }

  #blockers(vertex: Vertex): number {
    return this.#graph.predecessors(vertex).filter((each) => !this.#done.has(each)).length
  }
}

function comparePriority(a: readonly number[], b: readonly number[]): number {
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const difference = (a[index] ?? -1) - (b[index] ?? -1)
    if (difference !== 0) return difference
  }
  return 0
}
