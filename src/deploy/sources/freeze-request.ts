import { throwIssue } from '../../base/issue.ts'
import { checkJsonObject, checkJsonString, checkOptionalString, wireIssues } from '../../base/json/json-checks.ts'
import type { FreezeRecord } from '../../store/audit/record.ts'
import type { CodeSources } from './code-sources.ts'

/** A request to freeze an environment for a reason, or to unfreeze it if `message` is null. */
export interface FreezeRequest {
  readonly environment: string
  readonly message: string | null
  /** Name of the requesting person. */
  readonly by: string
}

/** Maximum length of a reason in characters. `plumb code status` prints it on one line. */
const maxMessageLength = 500

/** Maximum length of a user name in characters. The audit log contains it. */
const maxByLength = 200

/**
 * Freezes or unfreezes an environment; `note` is called after the change is stored and before the
 * environment moves. Throws WIRE_SHAPE, NO_SOURCE_OF_ENVIRONMENT, NOT_FROZEN.
 */
export async function runFreezeRequest(
  asked: unknown,
  sources: CodeSources,
  { now, note }: { readonly now: number; note(record: FreezeRecord): void },
): Promise<void> {
  const { environment: name, message: reason, by: who } = checkJsonObject(asked, 'the request')
  const environment = checkJsonString(name, 'environment')
  const by = checkJsonString(who, 'by')
  if (by.length > maxByLength)
    throwIssue(wireIssues.WIRE_SHAPE, { what: 'by', expected: `at most ${maxByLength} characters long` })
  const message = checkOptionalString(reason, 'message')
  if (message === undefined)
    return sources.unfreeze({ environment, by }, () => note({ kind: 'freeze', environment, result: 'unfrozen', by }))
  if (message.length > maxMessageLength)
    throwIssue(wireIssues.WIRE_SHAPE, { what: 'message', expected: `at most ${maxMessageLength} characters long` })
  await sources.freeze({ environment, message, by, since: new Date(now).toISOString() })
  note({ kind: 'freeze', environment, result: 'frozen', by, reason: message })
}
