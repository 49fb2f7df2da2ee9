/** A column that refers to a row of another table. NULL and 0 mean no reference. */
export interface Reference {
  readonly from: string
  readonly column: string
  readonly to: string
}

const createReference = (from: string, column: string, to: string): Reference => ({ from, column, to })

/**
 * References from rows of a node to the node itself. Such rows may remain after a node was purged;
 * that is not an error.
 */
export const nodeReferences: readonly Reference[] = [
  'factsets',
  'facts',
  'fact_changes',
  'node_packages',
  'catalogs',
  'catalog_resources',
  'catalog_inputs',
  'reports',
  'resource_events',
].map((from) => createReference(from, 'node_id', 'nodes'))

/** All other references between tables. */
export const references: readonly Reference[] = [
  createReference('nodes', 'catalog_id', 'catalogs'),
  createReference('nodes', 'latest_report_id', 'reports'),
  createReference('factsets', 'environment_id', 'environments'),
  createReference('factsets', 'producer_id', 'producers'),
  createReference('fact_changes', 'environment_id', 'environments'),
  createReference('fact_changes', 'producer_id', 'producers'),
  createReference('facts', 'value_id', 'fact_values'),
  createReference('fact_leaves', 'value_id', 'fact_values'),
  createReference('node_packages', 'package_id', 'packages'),
  createReference('catalogs', 'environment_id', 'environments'),
  createReference('catalogs', 'producer_id', 'producers'),
  createReference('catalogs', 'content_id', 'catalog_contents'),
  createReference('catalogs', 'sourced_files_id', 'sourced_files'),
  createReference('catalog_contents', 'edge_set_id', 'edge_sets'),
  createReference('catalog_resources', 'content_id', 'resource_contents'),
  createReference('resource_contents', 'resource_id', 'resources'),
  createReference('resource_contents', 'tags_id', 'tag_sets'),
  createReference('resource_contents', 'file_id', 'source_files'),
  createReference('resources', 'name_id', 'resource_names'),
  createReference('reports', 'environment_id', 'environments'),
  createReference('reports', 'producer_id', 'producers'),
  createReference('resource_events', 'report_id', 'reports'),
]
