import { defineIssues, throwIssue } from '../../../base/issue.ts'
import type { ProblemFields } from '../file-report.ts'

const issues = defineIssues({
  LINT_UNKNOWN_PLACEHOLDER: {
    text: (a: { name: string }) => `--log-format: unknown placeholder %{${a.name}}`,
    hint: () => 'Placeholders: path, filename, fullpath, line, column, kind, KIND, check and message.',
  },
})

/** A compiled format of problems: texts and names of fields, in turns. */
export type LogFormat = readonly { readonly text: string; readonly field?: keyof ProblemFields }[]

const fields: readonly (keyof ProblemFields)[] = [
  'path',
  'filename',
  'fullpath',
  'line',
  'column',
  'kind',
  'KIND',
  'check',
  'message',
]

/** The format of puppet-lint. */
export function getDefaultFormat(hasFilename: boolean): string {
  return `${hasFilename ? '%{path} - ' : ''}%{KIND}: %{message} on line %{line} (check: %{check})`
}

/** Compiles a format with placeholders such as `%{message}`; `%%` is a percent sign. */
export function compileLogFormat(format: string): LogFormat {
  const parts: { text: string; field?: keyof ProblemFields }[] = []
  let text = ''
  for (let at = 0; at < format.length; at++) {
    const end = format.startsWith('%{', at) ? format.indexOf('}', at) : -1
    if (end === -1) {
      if (format.startsWith('%%', at)) at++
      text += format[at]
      continue
    }
    const name = format.slice(at + 2, end)
    const field = fields.find((each) => each === name) ?? throwIssue(issues.LINT_UNKNOWN_PLACEHOLDER, { name })
    parts.push({ text, field })
    text = ''
    at = end
  }
  return [...parts, { text }]
}

/** Formats a problem. */
export function formatProblem(format: LogFormat, problem: ProblemFields): string {
  let result = ''
  for (const { text, field } of format) result += field === undefined ? text : `${text}${problem[field] ?? ''}`
  return result
}
