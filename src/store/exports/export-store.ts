import type { ExportedResource, ExportSearch } from '../../model/exported-resource.ts'
import type { FoundExports } from './found.ts'

/** The exported resources in the last catalog of each node. */
export interface ExportStore {
  /** Finds resources, sorted by certname, then by title. */
  search(search: ExportSearch): Promise<readonly ExportedResource[]>
  /** Like `search`, with a result that another thread parses; absent if parsing is not needed. */
  find?(search: ExportSearch): Promise<FoundExports>
  /** Replaces all exports of the node. Survives a crash once it returns. */
  replace(certname: string, resources: readonly ExportedResource[]): Promise<void>
  /** Removes the exports of a node; returns true if it had any. */
  remove(certname: string): Promise<boolean>
  /** Rereads data that other processes may have changed. */
  refresh(): Promise<void>
}
