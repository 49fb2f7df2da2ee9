import { sql } from 'kysely'
import type { EntityFactory, EntityField } from '../entity.ts'
import { createTextField } from './columns.ts'
import { certnameField } from './nodes.ts'
import { certnameRelationships } from './relationships.ts'

const fields: Readonly<Record<string, EntityField>> = {
  package_name: createTextField('packages.name'),
  version: createTextField('packages.version'),
  provider: createTextField('packages.provider'),
}

/** Packages installed on any node. */
export const createPackagesEntity: EntityFactory = () => ({
  alias: 'packages',
  fields,
  from: sql`packages`,
  relationships: {},
  dotted: [],
})

/** Packages of each node. */
export const createPackageInventoryEntity: EntityFactory = () => ({
  alias: 'package_inventory',
  fields: { certname: certnameField, ...fields },
  from: sql`node_packages join packages on packages.id = node_packages.package_id
    join nodes on nodes.id = node_packages.node_id`,
  relationships: certnameRelationships,
  dotted: [],
})
