import { defineIssues } from '../../base/issue.ts'
import { toPrintable } from '../../base/text/printable.ts'

/** Errors of the task scheduler. */
export const schedulerIssues = defineIssues({
  TASK_TOOL_FAILED: {
    text: (a: { action: string; name: string; output: string }) =>
      `Could not ${a.action} the scheduled task '${toPrintable(a.name)}': ${toPrintable(a.output)}`,
    hint: () => 'Run the command as an administrator.',
  },
  TASK_UNREADABLE: {
    text: (a: { name: string; why: string }) =>
      `Could not read the scheduled task '${toPrintable(a.name)}': ${toPrintable(a.why)}`,
  },
  TASK_NAME_INVALID: {
    text: (a: { name: string }) => `'${toPrintable(a.name)}' is no name for a scheduled task`,
    hint: () => 'Separate folders by single backslashes, and use none of the characters / : * ? " < > |',
  },
  XML_INVALID: { text: (a: { why: string; at: number }) => `invalid XML at character ${a.at}: ${a.why}` },
})
