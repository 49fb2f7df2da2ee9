import type { ExportedResource, ExportSearch } from '../../model/exported-resource.ts'

/** What nodes export: of each, all that its last catalog did. */
export interface ExportStore {
  /** By the names of the nodes, then in the order of their catalogs. */
  search(search: ExportSearch): Promise<readonly ExportedResource[]>
  /** Takes the place of all that the node exported before. When it returns, a crash does not undo it. */
  replace(certname: string, resources: readonly ExportedResource[]): Promise<void>
  /** Forgets what a node exports; whether there was anything. */
  remove(certname: string): Promise<boolean>
  /** Looks again at what others may have changed. */
  refresh(): Promise<void>
}
