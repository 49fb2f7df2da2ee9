import type { ExportedResource, ExportSearch } from '../../model/exported-resource.ts'
import type { FoundExports } from './found-exports.ts'

/** Stores the exported resources in the last catalog of each node. */
export interface ExportStore {
  /** Finds resources, sorted by certname, then by title. */
  search(search: ExportSearch): Promise<readonly ExportedResource[]>
  /** Like `search`, but returns a result that another thread can parse; absent if the result needs no parsing. */
  find?(search: ExportSearch): Promise<FoundExports>
  /** Replaces all exports of the node. When the call returns, the change survives a crash. */
  replace(certname: string, resources: readonly ExportedResource[]): Promise<void>
  /** Removes the exports of a node; returns true if it had any. */
  remove(certname: string): Promise<boolean>
  /** Reads data again that other processes may have changed. */
  refresh(): Promise<void>
}
