import type { Relationship } from '../entity.ts'

/** A relationship between fields with the same names. */
export function same(...fields: readonly string[]): Relationship {
  return { local: fields, foreign: fields }
}

/** Relationships to the entities that have a field `certname`, through that field. */
export const byCertname: Readonly<Record<string, Relationship>> = Object.fromEntries(
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
  ].map((entity) => [entity, same('certname')]),
)

/** Relationship from an entity with a field `environment` to the entity `environments`. */
export const byEnvironment = { environments: { local: ['environment'], foreign: ['name'] } } as const

/** Relationship from an entity with a field `producer` to the entity `producers`. */
export const byProducer = { producers: { local: ['producer'], foreign: ['name'] } } as const
