import { throwIssue } from '../../base/issue.ts'
import type { RelationshipEnd } from '../../language/host.ts'
import type { Type } from '../../language/values/type.ts'
import type { Value } from '../../language/values/value.ts'
import type { Compilation, PendingCollector, PendingRelationship } from '../catalog/compilation.ts'
import { issues } from '../request/issues.ts'
import { formatTypeReference } from './collector-query.ts'

/** Adds the relationships that arrows declare to the parameters of the resources at the left-hand side. */
export function evaluateRelationships(compilation: Compilation): void {
  const alternatives = mapPrecedingEnds(compilation.relationships)
  for (const relationship of compilation.relationships)
    for (const source of findLeftmostReferences(relationship.from, alternatives))
      for (const target of listEndReferences(relationship.to))
        addToRelationshipParameter(compilation, source, target, relationship)
}

/** Registers an arrow between two ends. The arrow is evaluated after all resources are declared. */
export function addRelationship(
  compilation: Compilation,
  from: RelationshipEnd,
  to: RelationshipEnd,
  operator: '->' | '~>',
): void {
  const relationship = { from, to, parameter: operator === '->' ? 'before' : 'notify' } as const
  compilation.relationships.push(relationship)
  compilation.provenance?.stated(relationship)
}

function addToRelationshipParameter(
  { table, provenance }: Compilation,
  source: string,
  target: string,
  relationship: PendingRelationship,
): void {
  const { parameter } = relationship
  const first = table.findReference(source)
  if (!first) throwIssue(issues.MISSING_RELATIONSHIP_SOURCE, { source, target })
  if (!table.findReference(target)) throwIssue(issues.MISSING_RELATIONSHIP_TARGET, { source, target })
  const current = first.parameters.get(parameter)
  const value: Value[] = Array.isArray(current?.value) ? [...current.value] : []
  if (current?.value !== undefined && !Array.isArray(current.value)) value.push(current.value)
  first.set(parameter, { source: first.source, span: undefined, ...current, value: [...value, target] })
  provenance?.addedTo(first, parameter, relationship)
}

/**
 * Maps each end of a chain of arrows to the preceding end, which replaces it if it is a collector without matches.
 */
function mapPrecedingEnds(
  relationships: readonly PendingRelationship[],
): ReadonlyMap<RelationshipEnd, RelationshipEnd> {
  return new Map(relationships.map(({ from, to }) => [to, from]))
}

function findLeftmostReferences(
  end: RelationshipEnd,
  alternatives: ReadonlyMap<RelationshipEnd, RelationshipEnd>,
): string[] {
  const references = listEndReferences(end)
  const alternative = alternatives.get(end)
  if (references.length > 0 || !isCollector(end) || !alternative) return references
  return findLeftmostReferences(alternative, alternatives)
}

function listEndReferences(end: RelationshipEnd): string[] {
  if (isCollector(end)) return Array.from(end.collected, (resource) => resource.reference)
  return (end as readonly Type[]).map(formatTypeReference)
}

function isCollector(end: RelationshipEnd): end is PendingCollector {
  return !Array.isArray(end)
}
