import type { ExportedResource, ExportSearch } from '../../model/exported-resource.ts'
import type { FoundExports } from './found.ts'

/** Exported resources of nodes: of each node those of its last catalog. */
export interface ExportStore {
  /** By the names of the nodes, then by titles. */
  search(search: ExportSearch): Promise<readonly ExportedResource[]>
  /** The same, for another thread to read; absent where nothing has to be read. */
  find?(search: ExportSearch): Promise<FoundExports>
  /** Takes the place of all that the node exported before. When it returns, a crash does not undo it. */
  replace(certname: string, resources: readonly ExportedResource[]): Promise<void>
  /** Forgets what a node exports; whether there was anything. */
  remove(certname: string): Promise<boolean>
  /** Looks again at what others may have changed. */
  refresh(): Promise<void>
}
