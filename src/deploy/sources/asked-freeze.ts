import { fail } from '../../base/issue.ts'
import { optionalText, record, text, wireIssues } from '../../base/json/wire.ts'
import type { FreezeRecord } from '../../store/audit/record.ts'
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

/** Characters of a name: it stands in the audit log. */
const maxByLength = 200

/**
 * Freezes or unfreezes as JSON says; `note` hears of it when it is kept, before an environment moves by it. Throws WIRE_SHAPE,
 * NO_SOURCE_OF_ENVIRONMENT, NOT_FROZEN.
 */
export async function freezeAsked(
  asked: unknown,
  sources: CodeSources,
  { now, note }: { readonly now: number; note(record: FreezeRecord): void },
): Promise<void> {
  const { environment: name, message: reason, by: who } = record(asked, 'the request')
  const environment = text(name, 'environment')
  const by = text(who, 'by')
  if (by.length > maxByLength)
    fail(wireIssues.WIRE_SHAPE, { what: 'by', expected: `of ${maxByLength} characters at most` })
  const message = optionalText(reason, 'message')
  if (message === undefined)
    return sources.unfreeze({ environment, by }, () => note({ kind: 'freeze', environment, result: 'unfrozen', by }))
  if (message.length > maxMessageLength)
    fail(wireIssues.WIRE_SHAPE, { what: 'message', expected: `of ${maxMessageLength} characters at most` })
  await sources.freeze({ environment, message, by, since: new Date(now).toISOString() })
  note({ kind: 'freeze', environment, result: 'frozen', by, reason: message })
}
