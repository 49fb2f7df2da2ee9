import { defineIssues, throwIssue } from '../../../base/issue.ts'
import type { ExactJson } from '../../../base/json/exact-json.ts'
import { quoteJsonText } from '../../../base/json/json-text.ts'
import type { Edge } from '../../../model/catalog.ts'
import { formatResourceReference } from '../../../model/catalog.ts'
import type { ResourceSpec, StoredEdge } from '../command.ts'
import type { PlainResource } from './catalog.ts'

const issues = defineIssues({
  RELATIONSHIP_FORMAT: {
    text: (a: { relationship: string; reference: string }) =>
      `Invalid relationship: ${a.relationship}, because ${a.reference} doesn't seem to be in the correct format. ` +
      "Resource references should be formatted as: Classname['title'] or Modulename::Classname['title'] " +
      '(take careful note of the capitalization).',
  },
  RELATIONSHIP_UNKNOWN: {
    text: (a: { relationship: string; reference: string }) =>
      `Invalid relationship: ${a.relationship}, because ${a.reference} doesn't seem to be in the catalog`,
  },
  RELATIONSHIP_EXPORTED: {
    text: (a: { relationship: string; reference: string }) =>
      `Invalid relationship: ${a.relationship}, because ${a.reference} is exported but not collected`,
  },
})

/** The relationship of each metaparameter; `require` and `subscribe` are reversed. */
const metaparameterRelationships = [
  ['before', 'before', 'forward'],
  ['require', 'required-by', 'reverse'],
  ['notify', 'notifies', 'forward'],
  ['subscribe', 'subscription-of', 'reverse'],
] as const

const referenceHead = /^[A-Z][a-z0-9_]*(?:::[A-Z][a-z0-9_]*)*\[/m

/** True if any line of the text looks like `Type[title]`; the terminus checks nothing else. */
function isReference(text: string): boolean {
  const head = referenceHead.exec(text)
  return head !== null && text.lastIndexOf(']') >= head.index + head[0].length
}

/**
 * Returns the edges between listed resources as JSON, without duplicates: containment, and the
 * relationships in metaparameters.
 */
export function listEdgeTexts(containment: readonly Edge[], resources: readonly PlainResource[]): ReadonlySet<string> {
  const edges = new Set<string>()
  const specs = new Map(resources.map((each) => [formatResourceReference(each), formatSpec(each)]))
  const getSpec = (reference: string) => specs.get(reference) ?? formatSpec(parseReference(reference))
  for (const { source, target } of containment) edges.add(formatEdge(getSpec(source), getSpec(target), 'contains'))
  const find = createResourceFinder(resources)
  for (const each of resources) {
    if (each.resource.virtual) continue
    for (const [parameter, relationship, direction] of metaparameterRelationships) {
      const value = each.parameters.get(parameter)
      if (value === undefined) continue
      const own = formatSpec(each)
      for (const reference of listReferences(value)) {
        const other = formatSpec(find(reference, `${formatResourceReference(each)} { ${parameter} => ${reference} }`))
        edges.add(direction === 'forward' ? formatEdge(own, other, relationship) : formatEdge(other, own, relationship))
      }
    }
  }
  return edges
}

function formatSpec({ type, title }: ResourceSpec): string {
  return `{"type":${quoteJsonText(type)},"title":${quoteJsonText(title)}}`
}

/** Formats an edge as JSON; `source` and `target` are JSON. */
function formatEdge(source: string, target: string, relationship: StoredEdge['relationship']): string {
  return `{"source":${source},"target":${target},"relationship":"${relationship}"}`
}

function listReferences(value: ExactJson): readonly string[] {
  if (value === null || value === false) return []
  const flat: readonly unknown[] = Array.isArray(value) ? value.flat(Number.POSITIVE_INFINITY) : [value]
  return flat.map((each) => (each === null ? '' : String(each)))
}

/**
 * Returns a function that finds a resource by its title or an alias. Throws RELATIONSHIP_FORMAT,
 * RELATIONSHIP_UNKNOWN or RELATIONSHIP_EXPORTED.
 */
function createResourceFinder(resources: readonly PlainResource[]) {
  const byTitle = new Map<string, PlainResource>()
  const byAlias = new Map<string, PlainResource>()
  for (const each of resources) {
    byTitle.set(formatResourceReference(each), each)
    for (const alias of [each.parameters.get('alias') ?? []].flat()) byAlias.set(`${each.type}[${String(alias)}]`, each)
  }
  return (reference: string, relationship: string): ResourceSpec => {
    if (!isReference(reference)) throwIssue(issues.RELATIONSHIP_FORMAT, { relationship, reference })
    const { type, title } = parseReference(reference)
    const name = `${type}[${type === 'File' ? trimSlashes(title) : title}]`
    const found = byTitle.get(name) ?? byAlias.get(name)
    if (!found) throwIssue(issues.RELATIONSHIP_UNKNOWN, { relationship, reference })
    if (found.resource.virtual) throwIssue(issues.RELATIONSHIP_EXPORTED, { relationship, reference })
    return { type: found.type, title: found.title }
  }
}

/** Removes trailing slashes: the titles of stored File resources have none, while references may have any number. */
function trimSlashes(title: string): string {
  let end = title.length
  while (end > 0 && title[end - 1] === '/') end--
  return title.slice(0, end)
}

function parseReference(reference: string): ResourceSpec {
  const at = reference.indexOf('[')
  return { type: reference.slice(0, at), title: reference.slice(at + 1, reference.lastIndexOf(']')) }
}
