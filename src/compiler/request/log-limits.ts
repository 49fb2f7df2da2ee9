import { budgets } from '../../base/budgets/budgets.ts'
import { throwIssue } from '../../base/issue.ts'
import { toLoggableText } from '../../base/text/byte-text.ts'
import type { CompileLog } from './compile-request.ts'
import { issues } from './issues.ts'

/** Returns a function that appends messages to the logs of one catalog, within the budgets for messages. */
export function createBoundedLogger(logs: CompileLog[]): (log: CompileLog) => void {
  const { messages, messagesText } = budgets.environment
  let length = 0
  return (log) => {
    length += log.message.length + log.source.length
    if (logs.length >= messages.bound) throwIssue(issues.TOO_MANY_MESSAGES, { most: messages.bound })
    if (length > messagesText.bound) throwIssue(issues.MESSAGES_TOO_LONG, { most: messagesText.bound })
    logs.push(log.message.isWellFormed() ? log : { ...log, message: toLoggableText(log.message) })
  }
}
