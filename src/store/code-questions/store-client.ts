import { budgets } from '../../base/budgets/budgets.ts'
import { createPuppetError } from '../../base/issue.ts'
import { startBridgeThread } from '../../base/threads/bridge-thread.ts'
import type { StoreSettings } from '../store-settings.ts'
import { codeQueryIssues } from './issues.ts'
import { createBlockingQuery, type RunStoreQuery } from './store-bridge.ts'

/**
 * Returns a function that queries the configured store synchronously, for a compiling thread. The
 * first query starts a thread that opens the store; this thread does not keep the process alive.
 */
export function createStoreClient(settings: StoreSettings): RunStoreQuery {
  const { bound } = budgets.environment.storeQuestionTime
  const createTimeoutError = () => createPuppetError(codeQueryIssues.STORE_TOO_SLOW, { seconds: bound / 1000 })
  let ask: RunStoreQuery | undefined
  return (question) => {
    ask ??= createBlockingQuery(
      startBridgeThread(new URL('./query-thread.js', import.meta.url), settings, bound, createTimeoutError),
    )
    return ask(question)
  }
}
