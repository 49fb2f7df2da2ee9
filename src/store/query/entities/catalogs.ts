import { sql } from 'kysely'
import { edgeRelationships } from '../../commands/command.ts'
import type { Database } from '../../database/database.ts'
import type { Dialect } from '../../database/dialect.ts'
import type { EntityFactory, Join } from '../entity.ts'
import { joinTables } from '../joins.ts'
import { createTextField, createTimeField } from './columns.ts'
import { groupByOwner } from './facts.ts'
import { certnameField, createEnvironmentField } from './nodes.ts'
import {
  certnameRelationships,
  environmentRelationships,
  producerRelationships,
  relateSameFields,
} from './relationships.ts'

/** The last catalog of each node. */
export const createCatalogsEntity: EntityFactory = () => ({
  alias: 'catalogs',
  fields: {
    code_id: createTextField('catalogs.code_id'),
    certname: certnameField,
    hash: createTextField('catalogs.hash'),
    transaction_uuid: createTextField('catalogs.transaction_uuid'),
    job_id: createTextField('catalogs.job_id'),
    producer: createTextField('producers.name'),
    catalog_uuid: createTextField('catalogs.catalog_uuid'),
    environment: createEnvironmentField('catalogs.environment_id'),
    edges: { type: 'json', queryable: false, loaded: { id: sql.ref('nodes.id'), load: loadEdges } },
    version: createTextField('catalogs.version'),
    producer_timestamp: createTimeField('catalogs.producer_timestamp'),
    resources: { type: 'json', queryable: false, loaded: { id: sql.ref('nodes.id'), load: loadResources } },
  },
  from: sql`nodes join catalogs on catalogs.id = nodes.catalog_id
    left join environments on environments.id = catalogs.environment_id
    left join producers on producers.id = catalogs.producer_id`,
  relationships: { ...certnameRelationships, ...environmentRelationships, ...producerRelationships },
  dotted: [],
})

/** Joins from the resources of nodes to the shared contents of the resources. */
const resourceJoins: readonly Join[] = [
  { table: 'catalog_resources', sql: sql`catalog_resources` },
  { table: 'nodes', by: 'catalog_resources', sql: sql`join nodes on nodes.id = catalog_resources.node_id` },
  {
    table: 'resource_contents',
    by: 'catalog_resources',
    sql: sql`join resource_contents on resource_contents.id = catalog_resources.content_id`,
  },
  {
    table: 'resources',
    by: 'resource_contents',
    sql: sql`join resources on resources.id = resource_contents.resource_id`,
  },
  { table: 'resource_names', by: 'resources', sql: sql`join resource_names on resource_names.id = resources.name_id` },
  { table: 'tag_sets', by: 'resource_contents', sql: sql`join tag_sets on tag_sets.id = resource_contents.tags_id` },
  {
    table: 'source_files',
    by: 'resource_contents',
    sql: sql`left join source_files on source_files.id = resource_contents.file_id`,
  },
]
const resourceRows = joinTables(resourceJoins)

/** The joins of `resourceJoins`, and joins to the catalog and its environment. */
const ofCatalogs: readonly Join[] = [
  ...resourceJoins,
  { table: 'catalogs', by: 'nodes', sql: sql`join catalogs on catalogs.id = nodes.catalog_id` },
  {
    table: 'environments',
    by: 'catalogs',
    sql: sql`left join environments on environments.id = catalogs.environment_id`,
  },
]

/** Resources in the last catalog of each node. */
export const createResourcesEntity: EntityFactory = () => ({
  alias: 'resources',
  fields: {
    resource: createTextField('resources.hash'),
    certname: certnameField,
    tags: {
      type: 'array',
      sql: sql.ref('tag_sets.tags'),
      reading: 'json',
      shared: { column: sql.ref('resource_contents.tags_id'), table: 'tag_sets', sql: sql.ref('tags') },
    },
    tag: { type: 'string', sql: sql`null`, projectable: false },
    exported: { type: 'string', sql: sql.ref('resource_contents.exported'), reading: 'boolean' },
    line: { type: 'numeric', sql: sql`nullif(resource_contents.line, 0)` },
    title: createTextField('resource_names.title'),
    type: createTextField('resource_names.type'),
    environment: createEnvironmentField('catalogs.environment_id'),
    file: createTextField('source_files.name'),
    parameters: {
      type: 'queryable-json',
      sql: sql.ref('resources.parameters'),
      reading: 'json',
      paths: true,
      shared: { column: sql.ref('resource_contents.resource_id'), table: 'resources', sql: sql.ref('parameters') },
    },
  },
  from: joinTables(ofCatalogs),
  joins: ofCatalogs,
  relationships: {
    catalogs: relateSameFields('certname'),
    nodes: relateSameFields('certname'),
    ...environmentRelationships,
  },
  dotted: ['parameters'],
})

/** Resource parameters, one row each, with the value as JSON text. Older queries use this entity. */
export const createResourceParametersEntity: EntityFactory = (dialect) => ({
  alias: 'resource_params',
  fields: {
    res_param_resource: createTextField('resources.hash'),
    res_param_name: createTextField('parameter.key'),
    res_param_value: { type: 'string', sql: dialect.memberText('parameter') },
  },
  from: sql`resources join ${dialect.members(sql.ref('resources.parameters'))} as parameter on true`,
  relationships: {},
  dotted: [],
})

/**
 * Checksums of the files that the last catalog of each node copies: one row for each catalog that
 * has checksums. Not in PuppetDB.
 */
export const createSourcedFilesEntity: EntityFactory = () => ({
  alias: 'sourced_files',
  fields: {
    certname: certnameField,
    files: { type: 'json', queryable: false, sql: sql.ref('sourced_files.files'), reading: 'json' },
  },
  from: sql`nodes join catalogs on catalogs.id = nodes.catalog_id
    join sourced_files on sourced_files.id = catalogs.sourced_files_id`,
  relationships: certnameRelationships,
  dotted: [],
})

/** Edges in the last catalog of each node. */
export const createEdgesEntity: EntityFactory = (dialect) => ({
  alias: 'edges',
  fields: {
    certname: certnameField,
    relationship: { type: 'string', sql: selectRelationshipName(dialect) },
    source_title: createTextField('sources.title'),
    source_type: createTextField('sources.type'),
    target_title: createTextField('targets.title'),
    target_type: createTextField('targets.type'),
  },
  from: selectEdgeRows(dialect),
  relationships: certnameRelationships,
  dotted: [],
})

function selectEdgeRows({ elements, integerAt }: Dialect) {
  return sql`nodes join catalogs on catalogs.id = nodes.catalog_id
    join catalog_contents on catalog_contents.id = catalogs.content_id
    join edge_sets on edge_sets.id = catalog_contents.edge_set_id
    join ${elements(sql.ref('edge_sets.edges'))} as edge on true
    join resource_names as sources on sources.id = ${integerAt(sql.ref('edge.value'), 0)}
    join resource_names as targets on targets.id = ${integerAt(sql.ref('edge.value'), 1)}`
}

function selectRelationshipName({ integerAt }: Dialect) {
  const cases = edgeRelationships.map((name, at) => sql`when ${sql.lit(at)} then ${sql.lit(name)}`)
  return sql`case ${integerAt(sql.ref('edge.value'), 2)} ${sql.join(cases, sql` `)} end`
}

async function loadResources(database: Database, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const { integers, jsonText } = database.dialect
  const rows = await (database.past?.of(ids) ?? database).all<ResourceRow>(
    sql`select nodes.id as id, nodes.certname as certname, resources.hash as hash, resource_names.type as type,
        resource_names.title as title, ${jsonText(sql.ref('tag_sets.tags'))} as tags,
        resource_contents.exported as exported, source_files.name as file, resource_contents.line as line,
        ${jsonText(sql.ref('resources.parameters'))} as parameters
      from ${resourceRows} where nodes.id in (select value from ${integers(ids)})
      order by nodes.id, resource_contents.id`,
  )
  return groupByOwner(rows, {
    text: formatResource,
    href: ({ certname }) => `/pdb/query/v4/catalogs/${certname}/resources`,
  })
}

interface ResourceRow {
  readonly id: number
  readonly certname: string
  readonly hash: string
  readonly type: string
  readonly title: string
  readonly tags: string
  readonly exported: number | boolean
  readonly file: string | null
  readonly line: number
  readonly parameters: string
}

function formatResource({ hash, type, title, tags, exported, file, line, parameters }: ResourceRow): string {
  const plain = JSON.stringify({ resource: hash, type, title, exported: Boolean(exported), file, line: line || null })
  return `${plain.slice(0, -1)},"tags":${tags},"parameters":${parameters}}`
}

async function loadEdges(database: Database, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const { dialect } = database
  const read = database.past?.of(ids) ?? database
  const rows = await read.all<{ id: number; certname: string; edge: string } & Record<string, string>>(
    sql`select nodes.id as id, nodes.certname as certname, sources.type as source_type, sources.title as source_title,
        targets.type as target_type, targets.title as target_title, ${selectRelationshipName(dialect)} as relationship
      from ${selectEdgeRows(dialect)} where nodes.id in (select value from ${dialect.integers(ids)})
      order by nodes.id, sources.id, targets.id, relationship`,
  )
  return groupByOwner(rows, {
    text: ({ id: _, certname: __, ...edge }) => JSON.stringify(edge),
    href: ({ certname }) => `/pdb/query/v4/catalogs/${certname}/edges`,
  })
}

/** Inputs of catalogs, one row each. */
export const createInputContentsEntity: EntityFactory = () => ({
  alias: 'catalog_input_contents',
  fields: {
    certname: certnameField,
    producer_timestamp: createTimeField('nodes.catalog_inputs_timestamp'),
    catalog_uuid: createTextField('nodes.catalog_inputs_uuid'),
    name: createTextField('catalog_inputs.name'),
    type: createTextField('catalog_inputs.type'),
  },
  from: sql`catalog_inputs join nodes on nodes.id = catalog_inputs.node_id`,
  relationships: certnameRelationships,
  dotted: [],
})

/** Inputs of catalogs, one row for each catalog. */
export const createCatalogInputsEntity: EntityFactory = ({ jsonPairs }) => ({
  alias: 'catalog_inputs',
  fields: {
    certname: certnameField,
    producer_timestamp: createTimeField('nodes.catalog_inputs_timestamp'),
    catalog_uuid: createTextField('nodes.catalog_inputs_uuid'),
    inputs: {
      type: 'array',
      sql: sql`(select ${jsonPairs(sql.ref('catalog_inputs.type'), sql.ref('catalog_inputs.name'))}
        from catalog_inputs where catalog_inputs.node_id = nodes.id)`,
      reading: 'json',
      texts: {
        of: sql`(select type as value from catalog_inputs where catalog_inputs.node_id = nodes.id
          union all select name from catalog_inputs where catalog_inputs.node_id = nodes.id)`,
        all: sql`(select type as value from catalog_inputs union select name from catalog_inputs)`,
      },
    },
  },
  from: sql`nodes`,
  where: sql`nodes.catalog_inputs_timestamp is not null`,
  relationships: certnameRelationships,
  dotted: [],
})
