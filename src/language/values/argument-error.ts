import { defineIssues, fail } from '../../base/issue.ts'

const issues = defineIssues({
  RUNTIME_ERROR: { text: ({ message }: { message: string }) => message },
})

/** Throws what Puppet raises as an ArgumentError: the evaluator says what it was evaluating. */
export function refuse(message: string): never {
  fail(issues.RUNTIME_ERROR, { message })
}
