import type { EntityRelationship } from '../entity.ts'

/** A relationship between fields with the same names. */
export function relateSameFields(...fields: readonly string[]): EntityRelationship {
  return { local: fields, foreign: fields }
}

/** Relationships to the entities that have a field `certname`, through that field. */
export const certnameRelationships: Readonly<Record<string, EntityRelationship>> = Object.fromEntries(
  [
    'factsets',
    'reports',
    'package-inventory',
    'inventory',
    'catalogs',
    'catalog_input_contents',
    'catalog_inputs',
    'nodes',
    'facts',
    'fact_contents',
    'events',
    'edges',
    'resources',
    'catalog_history',
    'node_history',
  ].map((entity) => [entity, relateSameFields('certname')]),
)

/** Relationship from an entity with a field `environment` to the entity `environments`. */
export const environmentRelationships = { environments: { local: ['environment'], foreign: ['name'] } } as const

/** Relationship from an entity with a field `producer` to the entity `producers`. */
export const producerRelationships = { producers: { local: ['producer'], foreign: ['name'] } } as const
