import type { Dialect } from '../database/dialect.ts'

/**
 * The first schema. Names and values that many nodes share are stored once; `*_id` columns refer to
 * them. Times are milliseconds since 1970; hashes are PuppetDB's, in hexadecimal. Most tables
 * contain the present state of nodes. The past is in `catalogs` (a list of contents for each
 * catalog, valid from `since`) and in `fact_changes` (the values before a change, and the earlier
 * factset, valid from `since`, last submitted at `given`).
 */
export function createFirstSchema({ types, ordered }: Dialect): readonly string[] {
  const { id, lastingId, json, bytes, boolean } = types
  return [
    ...createNameTables(id),
    ...createNodeTables(lastingId, boolean),
    ...createFactTables({ id, json, ordered }),
    ...createCatalogTables({ id, json, bytes, boolean, ordered }),
    ...createReportTables({ id, json, bytes, boolean }),
    ...createQueueTables(),
    ...createRetentionTables(),
  ]
}

function createNameTables(id: string): readonly string[] {
  return ['environments', 'producers', 'source_files'].map(
    (table) => `create table ${table} (id ${id}, name text not null unique)`,
  )
}

function createNodeTables(id: string, boolean: string): readonly string[] {
  return [
    `create table nodes (
      id ${id},
      certname text not null unique,
      deactivated bigint,
      expired bigint,
      expires_facts ${boolean},
      expires_facts_updated bigint,
      catalog_id bigint,
      latest_report_id bigint,
      latest_report_timestamp bigint,
      catalog_inputs_timestamp bigint,
      catalog_inputs_uuid text
    )`,
    'create index nodes_by_report on nodes (latest_report_id)',
    // The remaining rows of purged nodes are removed later, in slices.
    'create table purged_nodes (node_id bigint primary key)',
  ]
}

function createFactTables({ id, json, ordered }: { id: string; json: string; ordered: string }): readonly string[] {
  return [
    `create table factsets (
      node_id bigint primary key,
      hash text not null,
      environment_id bigint,
      producer_id bigint,
      producer_timestamp bigint not null,
      timestamp bigint not null,
      since bigint not null
    )`,
    'create index factsets_by_environment on factsets (environment_id)',
    `create table fact_values (id ${id}, digest text not null unique, name text not null, value ${json} not null)`,
    'create index fact_values_by_name on fact_values (name)',
    `create table facts (node_id bigint not null, value_id bigint not null, primary key (node_id, value_id)) ${ordered}`,
    'create index facts_by_value on facts (value_id)',
    `create table fact_leaves (
      value_id bigint not null,
      path ${json} not null,
      types text not null,
      type text not null,
      value ${json} not null
    )`,
    'create index fact_leaves_by_value on fact_leaves (value_id)',
    'create index fact_leaves_by_path on fact_leaves (path)',
    `create table fact_changes (
      node_id bigint not null,
      producer_timestamp bigint not null,
      before ${json} not null,
      hash text not null,
      environment_id bigint,
      producer_id bigint,
      given bigint not null,
      timestamp bigint not null,
      since bigint not null,
      primary key (node_id, producer_timestamp)
    ) ${ordered}`,
    'create index fact_changes_by_environment on fact_changes (environment_id)',
    `create table packages (
      id ${id}, name text not null, version text not null, provider text not null, unique (name, version, provider)
    )`,
    `create table node_packages (
      node_id bigint not null, package_id bigint not null, primary key (node_id, package_id)
    ) ${ordered}`,
    'create index node_packages_by_package on node_packages (package_id)',
  ]
}

interface CatalogTypes {
  readonly id: string
  readonly json: string
  readonly bytes: string
  readonly boolean: string
  readonly ordered: string
}

function createCatalogTables({ id, json, bytes, boolean, ordered }: CatalogTypes): readonly string[] {
  return [
    `create table resource_names (id ${id}, type text not null, title text not null, unique (type, title))`,
    'create index resource_names_by_title on resource_names (title)',
    `create table resources (id ${id}, hash text not null unique, name_id bigint not null, parameters ${json} not null)`,
    'create index resources_by_name on resources (name_id)',
    `create table tag_sets (id ${id}, digest text not null unique, tags ${json} not null)`,
    `create table resource_contents (
      id ${id},
      resource_id bigint not null,
      tags_id bigint not null,
      file_id bigint not null,
      line bigint not null,
      exported ${boolean} not null,
      unique (resource_id, tags_id, file_id, line, exported)
    )`,
    'create index resource_contents_exported on resource_contents (exported, id)',
    `create table edge_sets (id ${id}, digest text not null unique, edges ${json} not null)`,
    `create table catalog_contents (
      id ${id}, digest text not null unique, contents ${bytes} not null, edge_set_id bigint not null
    )`,
    'create index catalog_contents_by_edges on catalog_contents (edge_set_id)',
    `create table catalogs (
      id ${id},
      node_id bigint not null,
      hash text not null,
      version text not null,
      environment_id bigint,
      producer_id bigint,
      transaction_uuid text,
      catalog_uuid text,
      code_id text,
      job_id text,
      producer_timestamp bigint not null,
      timestamp bigint not null,
      since bigint not null,
      content_id bigint not null,
      payload_digest text
    )`,
    'create index catalogs_by_node on catalogs (node_id, producer_timestamp)',
    'create index catalogs_by_since on catalogs (node_id, since)',
    'create index catalogs_by_code on catalogs (code_id)',
    'create index catalogs_by_content on catalogs (content_id)',
    'create index catalogs_by_environment on catalogs (environment_id)',
    `create table catalog_resources (
      node_id bigint not null, content_id bigint not null, primary key (node_id, content_id)
    ) ${ordered}`,
    'create index catalog_resources_by_content on catalog_resources (content_id)',
    `create table catalog_inputs (
      node_id bigint not null, type text not null, name text not null, primary key (node_id, type, name)
    ) ${ordered}`,
  ]
}

interface ReportTypes {
  readonly id: string
  readonly json: string
  readonly bytes: string
  readonly boolean: string
}

function createReportTables({ id, json, bytes, boolean }: ReportTypes): readonly string[] {
  return [
    `create table reports (
      id ${id},
      hash text not null unique,
      node_id bigint not null,
      environment_id bigint,
      producer_id bigint,
      status text,
      noop ${boolean},
      noop_pending ${boolean},
      corrective_change ${boolean},
      puppet_version text not null,
      report_format bigint not null,
      configuration_version text not null,
      start_time bigint not null,
      end_time bigint not null,
      producer_timestamp bigint not null,
      receive_time bigint not null,
      transaction_uuid text,
      catalog_uuid text,
      code_id text,
      job_id text,
      cached_catalog_status text,
      report_type text not null,
      metrics ${bytes} not null,
      logs ${bytes} not null
    )`,
    'create index reports_by_node on reports (node_id, producer_timestamp)',
    // Contains all columns needed to count the runs of a day: the table's own rows contain logs and
    // are slow to scan.
    `create index reports_by_time on reports (
      producer_timestamp, node_id, environment_id, producer_id, status, noop_pending, corrective_change, report_type
    )`,
    'create index reports_by_environment on reports (environment_id)',
    `create table resource_events (
      report_id bigint not null,
      node_id bigint not null,
      status text not null,
      timestamp bigint not null,
      resource_type text not null,
      resource_title text not null,
      property text,
      name text,
      new_value text,
      old_value text,
      message text,
      file text,
      line bigint,
      containment_path ${json},
      containing_class text,
      corrective_change ${boolean}
    )`,
    'create index resource_events_by_report on resource_events (report_id)',
    'create index resource_events_by_time on resource_events (timestamp)',
    'create index resource_events_by_resource on resource_events (resource_type, resource_title)',
  ]
}

/**
 * The position up to which each server's queue is applied, written in the same transaction as the
 * commands.
 */
function createQueueTables(): readonly string[] {
  return ['create table queue_positions (server text primary key, segment bigint not null, place bigint not null)']
}

/** For each part, the last collection: its end, and the number of removed rows. */
function createRetentionTables(): readonly string[] {
  return ['create table collections (part text primary key, ended bigint not null, removed bigint not null)']
}
