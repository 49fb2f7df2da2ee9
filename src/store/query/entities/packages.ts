import { sql } from 'kysely'
import type { EntityOf, Field } from '../entity.ts'
import { text } from './columns.ts'
import { certname } from './nodes.ts'
import { byCertname } from './relationships.ts'

const fields: Readonly<Record<string, Field>> = {
  package_name: text('packages.name'),
  version: text('packages.version'),
  provider: text('packages.provider'),
}

/** Packages installed on any node. */
export const packages: EntityOf = () => ({
  alias: 'packages',
  fields,
  from: sql`packages`,
  relationships: {},
  dotted: [],
})

/** Packages of each node. */
export const packageInventory: EntityOf = () => ({
  alias: 'package_inventory',
  fields: { certname, ...fields },
  from: sql`node_packages join packages on packages.id = node_packages.package_id
    join nodes on nodes.id = node_packages.node_id`,
  relationships: byCertname,
  dotted: [],
})
