import type { Dialect } from '../database/dialect.ts'
import { createCatalogHistoryEntity } from './entities/catalog-history.ts'
import {
  createCatalogInputsEntity,
  createCatalogsEntity,
  createEdgesEntity,
  createInputContentsEntity,
  createResourceParametersEntity,
  createResourcesEntity,
  createSourcedFilesEntity,
} from './entities/catalogs.ts'
import {
  createFactContentsEntity,
  createFactNamesEntity,
  createFactPathsEntity,
  createFactsEntity,
  createFactsetsEntity,
  createPackageFactsetsEntity,
} from './entities/facts.ts'
import { createInventoryEntity } from './entities/inventory.ts'
import { createNodeHistoryEntity } from './entities/node-history.ts'
import {
  createEnvironmentsEntity,
  createExpiringNodesEntity,
  createInactiveNodesEntity,
  createNodesEntity,
  createNonActiveNodesEntity,
  createProducersEntity,
} from './entities/nodes.ts'
import { createPackageInventoryEntity, createPackagesEntity } from './entities/packages.ts'
import { createEventsEntity, createLatestReportEntity, createReportsEntity } from './entities/reports.ts'
import type { Entities, Entity, EntityFactory } from './entity.ts'

const table: Readonly<Record<string, EntityFactory>> = {
  catalogs: createCatalogsEntity,
  catalog_history: createCatalogHistoryEntity,
  catalog_input_contents: createInputContentsEntity,
  catalog_inputs: createCatalogInputsEntity,
  edges: createEdgesEntity,
  environments: createEnvironmentsEntity,
  events: createEventsEntity,
  fact_contents: createFactContentsEntity,
  fact_names: createFactNamesEntity,
  fact_paths: createFactPathsEntity,
  facts: createFactsEntity,
  factsets: createFactsetsEntity,
  inventory: createInventoryEntity,
  node_history: createNodeHistoryEntity,
  nodes: createNodesEntity,
  nodes_with_fact_expiration: createExpiringNodesEntity,
  package_inventory: createPackageInventoryEntity,
  packages: createPackagesEntity,
  producers: createProducersEntity,
  reports: createReportsEntity,
  resources: createResourcesEntity,
  sourced_files: createSourcedFilesEntity,
  factsets_with_packages: createPackageFactsetsEntity,
  params: createResourceParametersEntity,
  inactive_nodes: createInactiveNodesEntity,
  not_active_nodes: createNonActiveNodesEntity,
  latest_report: createLatestReportEntity,
}

/** The entities that a query may select. */
export const selectable: readonly string[] = [
  'catalogs',
  'catalog_input_contents',
  'catalog_inputs',
  'edges',
  'environments',
  'producers',
  'packages',
  'package_inventory',
  'events',
  'facts',
  'factsets',
  'fact_contents',
  'fact_paths',
  'nodes',
  'reports',
  'inventory',
  'resources',
  // Entities that PuppetDB does not have.
  'catalog_history',
  'node_history',
]

/** The entities allowed in `select_ENTITY`, including entities that only older queries use. */
export const subqueries: readonly string[] = [
  ...selectable,
  'params',
  'inactive_nodes',
  'not_active_nodes',
  'latest_report',
]

const made = new Map<Dialect, Entities>()

/** The entities for a database dialect. */
export function getEntities(dialect: Dialect): Entities {
  const known = made.get(dialect)
  if (known) return known
  const entities = Object.entries(table).map(([name, entityOf]): [string, Entity] => {
    const entity = entityOf(dialect)
    return [name, { ...entity, fields: copyTable(entity.fields), relationships: copyTable(entity.relationships) }]
  })
  const all = copyTable(Object.fromEntries(entities))
  made.set(dialect, all)
  return all
}

/**
 * Copies a table without a prototype, so that names in queries do not match inherited properties.
 */
function copyTable<Value>(table: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> {
  return Object.assign(Object.create(null), table)
}
