import { errorOf } from '../../base/issue.ts'
import { bridgeFromThread } from '../../base/threads/bridge-from-thread.ts'
import { askThrough } from '../../base/threads/thread-bridge.ts'
import { issues } from './issues.ts'
import { type OutsideSettings, outsideSettings } from './rules.ts'

/** The answer to a question to DNS or HTTP, as JSON. */
export type AskOutside = (question: string) => string

const startTimeMs = 30_000

/**
 * Asks DNS and HTTP by the settings, from a thread that compiles and stands still meanwhile: by a thread of its own, from the
 * first question on, which does not keep the process.
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
