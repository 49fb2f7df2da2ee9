import { fail } from '../../base/issue.ts'
import { optionalText, record, text, wireIssues } from '../../base/wire.ts'
import type { CodeSources } from './code-sources.ts'

/** An environment that is to stay on its commit for a reason, or, without one, to go on. */
export interface AskedFreeze {
  readonly environment: string
  readonly message: string | null
  /** Who wants it. */
  readonly by: string
}

/** Characters of a reason: it stands in a line of `plumb code status`. */
const maxMessageLength = 500

/** Freezes or unfreezes as JSON says. Throws WIRE_SHAPE, NO_SOURCE_OF_ENVIRONMENT, NOT_FROZEN. */
export async function freezeAsked(asked: unknown, sources: CodeSources, now: number): Promise<void> {
  const { environment: name, message: reason, by } = record(asked, 'the request')
  const environment = text(name, 'environment')
  const message = optionalText(reason, 'message')
  if (message === undefined) return sources.unfreeze(environment)
  if (message.length > maxMessageLength)
    fail(wireIssues.WIRE_SHAPE, { what: 'message', expected: `of ${maxMessageLength} characters at most` })
  return sources.freeze({ environment, message, by: text(by, 'by'), since: new Date(now).toISOString() })
}
