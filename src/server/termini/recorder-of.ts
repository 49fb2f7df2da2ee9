import { fail } from '../../base/issue.ts'
import { issues } from '../../model/indirector/issues.ts'
import type { ServerStore } from '../../store/exports/from-settings.ts'
import type { Recorder } from '../../store/recording/recorder.ts'

/** Dependencies of termini that write to the store. */
export interface StoreServices {
  /** Undefined without a store. */
  readonly store?: Pick<ServerStore, 'recorder'> | undefined
}

/** The store's recorder. Throws TERMINUS_WITHOUT_STORE. */
export function recorderOf(what: string, { store }: StoreServices): Recorder {
  return store?.recorder ?? fail(issues.TERMINUS_WITHOUT_STORE, { what })
}
