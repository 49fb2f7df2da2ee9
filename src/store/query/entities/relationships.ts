import type { Relationship } from '../entity.ts'

/** A relationship by fields of the same names. */
export function same(...fields: readonly string[]): Relationship {
  return { local: fields, foreign: fields }
}

/** Relationships of what belongs to a node. */
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

/** To the environments, of what has a field `environment`. */
export const byEnvironment = { environments: { local: ['environment'], foreign: ['name'] } } as const

/** To the producers, of what has a field `producer`. */
export const byProducer = { producers: { local: ['producer'], foreign: ['name'] } } as const
