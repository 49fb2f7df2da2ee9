import { createPuppetError } from '../../base/issue.ts'
import { startBridgeThread } from '../../base/threads/bridge-thread.ts'
import { createLazyBridgeCaller } from '../../base/threads/thread-bridge.ts'
import { outsideIssues } from './issues.ts'
import { type OutsideSettings, pickOutsideSettings } from './rules.ts'

/** Sends a DNS or HTTP request and returns the response as JSON. */
export type SendOutsideRequest = (question: string) => string

const startTimeMs = 30_000

/**
 * Returns a function that sends DNS and HTTP requests, as far as the settings allow, and blocks the compiling thread
 * until the response arrives. The first request starts a thread, which does not keep the process alive.
 */
export function createOutsideClient(settings: OutsideSettings): SendOutsideRequest {
  const createTimeoutError = () => createPuppetError(outsideIssues.OUTSIDE_TOO_SLOW, {})
  const script = new URL('./outside-thread.js', import.meta.url)
  return createLazyBridgeCaller(() =>
    startBridgeThread(script, pickOutsideSettings(settings), startTimeMs, createTimeoutError),
  )
}
