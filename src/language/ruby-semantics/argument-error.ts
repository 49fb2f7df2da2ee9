import { defineIssues, fail } from '../../base/issue.ts'

/** Errors that have words only, told by whoever met them. */
export const argumentIssues = defineIssues({
  RUNTIME_ERROR: { text: ({ detail }: { detail: string }) => detail },
})

/** Throws what Puppet raises as an ArgumentError: the evaluator says what it was evaluating. */
export function refuse(message: string): never {
  fail(argumentIssues.RUNTIME_ERROR, { detail: message })
}

/** Throws Ruby's error for a string whose bytes are not UTF-8, where Ruby has to read its characters. */
export function requireUtf8(text: string): void {
  if (!text.isWellFormed()) refuse('invalid byte sequence in UTF-8')
}
