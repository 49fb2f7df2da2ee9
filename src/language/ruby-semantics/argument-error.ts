import { defineIssues, throwIssue } from '../../base/issue.ts'

/** Definition of errors that consist of a message only; the caller adds the context. */
export const argumentIssues = defineIssues({
  RUNTIME_ERROR: { text: ({ detail }: { detail: string }) => detail },
})

/** Throws the equivalent of Ruby's ArgumentError; the evaluator adds the location. */
export function throwArgumentError(message: string): never {
  throwIssue(argumentIssues.RUNTIME_ERROR, { detail: message })
}

/**
 * Throws Ruby's error for a string that is not UTF-8. Call this where Ruby must decode the characters of the string.
 */
export function requireUtf8(text: string): void {
  if (!text.isWellFormed()) throwArgumentError('invalid byte sequence in UTF-8')
}
