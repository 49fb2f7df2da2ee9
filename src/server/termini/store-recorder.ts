import { throwIssue } from '../../base/issue.ts'
import { indirectorIssues } from '../../model/indirector/issues.ts'
import type { ServerStore } from '../../store/exports/export-settings.ts'
import type { StoreRecorder } from '../../store/recording/recorder.ts'

/** Dependencies of termini that write to the store. */
export interface StoreServices {
  /** The recorder of the store; undefined without a store. */
  readonly store?: Pick<ServerStore, 'recorder'> | undefined
}

/** The store's recorder. Throws TERMINUS_WITHOUT_STORE. */
export function getRecorder(what: string, { store }: StoreServices): StoreRecorder {
  return store?.recorder ?? throwIssue(indirectorIssues.TERMINUS_WITHOUT_STORE, { what })
}
