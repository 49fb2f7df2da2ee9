import type { ExactJson } from '../../base/json/exact-json.ts'
import type { Catalog } from '../../model/catalog.ts'
import type { PreparedCatalog } from '../../model/catalog-diff.ts'

/** A catalog with the parameters of its resources in wire format. */
export interface ReachedCatalog {
  readonly catalog: Pick<Catalog, 'edges'>
  readonly resources: PreparedCatalog['resources']
}

/** Returns the names of the classes that are among the resources, or that contain one of them, sorted. */
export function listContainingClasses(
  references: Iterable<string>,
  catalogs: readonly Pick<Catalog, 'edges'>[],
): readonly string[] {
  const containers = new Map<string, string[]>()
  for (const { edges } of catalogs) for (const { source, target } of edges) addTo(containers, target, source)
  const found = followEdges(references, (each) => containers.get(each) ?? [])
  return [...found].flatMap((each) => parseClassName(each) ?? []).sort()
}

/**
 * Returns the references of the services that the agent restarts after it has changed the given resources, sorted:
 * those that the resources, their containers or other refreshed resources notify, or that subscribe to them.
 */
export function listRestartedServices(references: Iterable<string>, reached: ReachedCatalog): readonly string[] {
  const { catalog, resources } = reached
  const containers = new Map<string, string[]>()
  const contents = new Map<string, string[]>()
  for (const { source, target } of catalog.edges) {
    addTo(containers, target, source)
    addTo(contents, source, target)
  }
  const notified = listEventTargets(resources)
  const get = (lists: ReadonlyMap<string, readonly string[]>, each: string) => lists.get(each) ?? []
  // A resource sends events also through its containers; a container passes events to its contents.
  const reachedParts = followEdges([...references].map(formatSender), (part) => {
    const [kind, each] = [part[0], part.slice(1)]
    if (kind === '<') return [formatSender(each), ...get(contents, each).map(formatReceiver)]
    return [...get(containers, each).map(formatSender), ...get(notified, each).map(formatReceiver)]
  })
  return [...reachedParts]
    .filter((part) => part.startsWith('<Service['))
    .map((part) => part.slice(1))
    .sort()
}

/** Marks a reference as the sender or the receiver of an event. */
const formatSender = (reference: string): string => `>${reference}`
const formatReceiver = (reference: string): string => `<${reference}`

/** Returns the targets of refresh events by the reference of the sender. */
function listEventTargets(resources: ReachedCatalog['resources']): ReadonlyMap<string, readonly string[]> {
  const targets = new Map<string, string[]>()
  for (const [reference, parameters] of resources) {
    for (const target of listReferences(parameters.get('notify'))) addTo(targets, reference, target)
    for (const sender of listReferences(parameters.get('subscribe'))) addTo(targets, sender, reference)
  }
  return targets
}

function listReferences(value: ExactJson | undefined): readonly string[] {
  const values = Array.isArray(value) ? (value as readonly ExactJson[]).flat() : [value]
  return values.filter((each): each is string => typeof each === 'string')
}

/** Returns the given references and all that are reachable from them. */
function followEdges(starts: Iterable<string>, next: (each: string) => readonly string[]): ReadonlySet<string> {
  const found = new Set(starts)
  for (const each of found) for (const other of next(each)) found.add(other)
  return found
}

function parseClassName(reference: string): string | undefined {
  const [, name] = /^Class\[(.+)\]$/s.exec(reference) ?? []
  return name === undefined || /^(?:main|settings)$/i.test(name) ? undefined : name.toLowerCase()
}

function addTo(lists: Map<string, string[]>, key: string, value: string): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}
