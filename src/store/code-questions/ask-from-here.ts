import { budgets } from '../../base/budgets/budgets.ts'
import { errorOf } from '../../base/issue.ts'
import { bridgeFromThread } from '../../base/threads/bridge-from-thread.ts'
import type { StoreSettings } from '../from-settings.ts'
import { issues } from './issues.ts'
import { type AskStore, askStoreThrough } from './store-bridge.ts'

/**
 * Returns a function that queries the configured store synchronously, for a compiling thread. The
 * first query starts a thread that opens the store; this thread does not keep the process alive.
 */
export function askFromHere(settings: StoreSettings): AskStore {
  const { bound } = budgets.environment.storeQuestionTime
  const late = () => errorOf(issues.STORE_TOO_SLOW, { seconds: bound / 1000 })
  let ask: AskStore | undefined
  return (question) => {
    ask ??= askStoreThrough(bridgeFromThread(new URL('./asking-thread.js', import.meta.url), settings, bound, late))
    return ask(question)
  }
}
