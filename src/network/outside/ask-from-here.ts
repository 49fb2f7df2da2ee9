import { errorOf } from '../../base/issue.ts'
import { bridgeFromThread } from '../../base/threads/bridge-from-thread.ts'
import { askThrough } from '../../base/threads/thread-bridge.ts'
import { issues } from './issues.ts'
import { type OutsideSettings, outsideSettings } from './rules.ts'

/** Sends a DNS or HTTP request and returns the response as JSON. */
export type AskOutside = (question: string) => string

const startTimeMs = 30_000

/**
 * Returns a function that sends DNS and HTTP requests, as far as the settings allow, and blocks the compiling thread
 * until the response arrives. The first request starts a thread, which does not keep the process alive.
 */
export function askOutsideFromHere(settings: OutsideSettings): AskOutside {
  const late = () => errorOf(issues.OUTSIDE_TOO_SLOW, {})
  let ask: AskOutside | undefined
  return (question) => {
    const script = new URL('./asking-thread.js', import.meta.url)
    ask ??= askThrough<string, string>(bridgeFromThread(script, outsideSettings(settings), startTimeMs, late))
    return ask(question)
  }
}
