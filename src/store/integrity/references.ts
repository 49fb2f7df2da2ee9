/** A column that refers to a row of another table. NULL and 0 mean no reference. */
export interface Reference {
  readonly from: string
  readonly column: string
  readonly to: string
  /** The column that is referred to; `id` if absent. */
  readonly key?: string
}

const reference = (from: string, column: string, to: string, key?: string): Reference => ({
  ...{ from, column, to },
  ...(key !== undefined && { key }),
})

/**
 * References from rows of a node to the node itself. Such rows may remain after a node was purged;
 * that is not an error.
 */
export const ofNodes: readonly Reference[] = [
  'factsets',
  'facts',
  'fact_changes',
  'node_packages',
  'catalogs',
  'catalog_resources',
  'catalog_inputs',
  'reports',
  'resource_events',
].map((from) => reference(from, 'node_id', 'nodes'))

/** All other references between tables. */
export const references: readonly Reference[] = [
  reference('nodes', 'catalog_id', 'catalogs'),
  reference('nodes', 'latest_report_id', 'reports'),
  reference('factsets', 'environment_id', 'environments'),
  reference('factsets', 'producer_id', 'producers'),
  reference('fact_changes', 'environment_id', 'environments'),
  reference('fact_changes', 'producer_id', 'producers'),
  reference('facts', 'value_id', 'fact_values'),
  reference('fact_leaves', 'value_id', 'fact_values'),
  reference('node_packages', 'package_id', 'packages'),
  reference('catalogs', 'environment_id', 'environments'),
  reference('catalogs', 'producer_id', 'producers'),
  reference('catalogs', 'content_id', 'catalog_contents'),
  reference('catalogs', 'sourced_files_id', 'sourced_files'),
  reference('catalog_contents', 'edge_set_id', 'edge_sets'),
  reference('catalog_resources', 'content_id', 'resource_contents'),
  reference('resource_contents', 'resource_id', 'resources'),
  reference('resource_contents', 'tags_id', 'tag_sets'),
  reference('resource_contents', 'file_id', 'source_files'),
  reference('resources', 'name_id', 'resource_names'),
  reference('reports', 'environment_id', 'environments'),
  reference('reports', 'producer_id', 'producers'),
  reference('resource_events', 'report_id', 'reports'),
]
