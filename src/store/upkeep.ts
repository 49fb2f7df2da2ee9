import type { StoreAnswer } from './node-store.ts'
import type { CollectionRequest } from './retention/collection.ts'

/** Figures of a store since its start. */
export interface StoreFigures {
  /** Commands that wait on disk, and their bytes. */
  readonly queueDepth: number
  readonly queueBytes: number
  readonly processed: number
  readonly discarded: number
  /** Seconds in which commands were written. */
  readonly writingSeconds: number
  /** The reason why nothing can be written now. */
  readonly stuck: string | undefined
}

/** Work on a store of our own, besides what every store does. */
export interface StoreUpkeep {
  /** Removes what is too old, or what nobody refers to; `conflict` while that is under way already. */
  clean(request: CollectionRequest): Promise<'done' | 'conflict'>
  /** Forgets a node at once, whatever is known of it. */
  remove(certname: string): Promise<void>
  /** PuppetDB's `summary-stats`. */
  summary(): Promise<StoreAnswer>
  figures(): StoreFigures
}
