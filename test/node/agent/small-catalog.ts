import { openCommandLineCode } from '../../../src/code/environments/environment-opener.ts'
import { compile } from '../../../src/compiler/compile.ts'
import type { Catalog } from '../../../src/model/catalog.ts'
import { AppliedCatalog, type CatalogEntry } from '../../../src/node/agent/applied-catalog.ts'
import type { Vertex } from '../../../src/node/agent/relationship-graph.ts'
import { capitalizeTypeName } from '../../../src/node/resources/reference.ts'
import { types } from '../../../src/node/resources/types.ts'
import { plainRequest } from '../../support/plain-request.js'

/** The catalog of a manifest. */
export function catalogOf(manifest: string): Catalog {
  const environment = openCommandLineCode({ name: 'production', modulepath: [], manifest: { text: manifest } })
  return compile(plainRequest(environment)).catalog
}

/** The catalog of a manifest whose resources are parsed and known by their names, as before a transaction. */
export function appliedCatalog(manifest: string): AppliedCatalog {
  const catalog = new AppliedCatalog(catalogOf(manifest), types)
  for (const entry of catalog.entries()) {
    entry.resource?.parse()
    catalog.registerNames(entry)
  }
  return catalog
}

/** A resource or container by its reference: `Notify[a]`. */
export function entryOf(catalog: AppliedCatalog, reference: string): CatalogEntry {
  const found = catalog.entries().find((entry) => entry.reference === reference)
  if (!found) throw new Error(`the catalog has no ${reference}`)
  return found
}

/** `Notify[a]`, `begin Class[A]`, `end Class[A]` */
export function nameOf({ role, entry }: Vertex): string {
  const { reference, typeName, title } = entry
  const name = typeName === 'Class' ? `Class[${capitalizeTypeName(title)}]` : reference
  return role === 'resource' ? name : `${role === 'beginning' ? 'begin' : 'end'} ${name}`
}
