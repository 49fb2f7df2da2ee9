import { fail } from '../../base/issue.ts'
import { issues } from '../../model/indirector/issues.ts'
import type { ServerStore } from '../../store/exports/from-settings.ts'
import type { Recorder } from '../../store/recording/recorder.ts'

/** Services of termini that write into the store. */
export interface StoreServices {
  /** None without a store. */
  readonly store?: Pick<ServerStore, 'recorder'> | undefined
}

/** The writer of the store. Throws TERMINUS_WITHOUT_STORE. */
export function recorderOf(what: string, { store }: StoreServices): Recorder {
  return store?.recorder ?? fail(issues.TERMINUS_WITHOUT_STORE, { what })
}
