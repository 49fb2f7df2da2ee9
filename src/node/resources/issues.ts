import { defineIssues, throwIssue } from '../../base/issue.ts'

/** Errors of managed resources in Puppet's words. */
export const issues = defineIssues({
  INVALID_VALUE: { text: (a: { value: string; valid: string }) => `Invalid value ${a.value}. ${a.valid}` },
  NOT_ABSOLUTE: { text: (a: { path: string }) => `File paths must be fully qualified, not '${a.path}'` },
  INVALID_MODE: { text: (a: { value: string }) => `The file mode specification is invalid: ${a.value}` },
  MODE_NOT_TEXT: { text: (a: { kind: string }) => `The file mode specification must be a string, not '${a.kind}'` },
  BAD_ATTRIBUTE: {
    text: (a: { name: string; reference: string; why: string }) =>
      `Parameter ${a.name} failed on ${a.reference}: ${a.why}`,
  },
  VALIDATION_FAILED: {
    text: (a: { reference: string; why: string }) => `Validation of ${a.reference} failed: ${a.why}`,
  },
  UNKNOWN_ATTRIBUTE: { text: (a: { name: string }) => `no parameter named '${a.name}'` },
  CANNOT_AUDIT: {
    text: (a: { name: string; reference: string }) =>
      `Cannot audit ${a.name}: not a valid attribute for ${a.reference}`,
  },
  INVALID_PROVIDER: { text: (a: { type: string; provider: string }) => `Invalid ${a.type} provider '${a.provider}'` },
  NEEDS_FEATURES: {
    text: (a: { provider: string; features: string; name: string; value: string }) =>
      `Provider ${a.provider} must have features '${a.features}' to set '${a.name}' to '${a.value}'`,
  },
  COMMAND_FAILED: {
    text: (a: { command: string; status: number; output: string }) =>
      `Execution of '${a.command}' returned ${a.status}: ${a.output}`,
  },
  NO_REFERENCE: {
    text: (a: { text: string }) => `No title provided and ${JSON.stringify(a.text)} is not a valid resource reference`,
  },
  UNKNOWN_LINE: {
    text: (a: { line: string; file: string; number: number }) =>
      `Could not parse line ${a.line} (file: ${a.file}, line: ${a.number})`,
  },
  PLAIN: { text: (a: { message: string }) => a.message },
  FORM: { text: (a: { reason: string }) => a.reason },
})

/** Throws an error with this message, for messages that only one resource type uses. */
export function failWithMessage(message: string): never {
  return throwIssue(issues.PLAIN, { message })
}

/** Throws an error that contains no part of the value, so that it can be logged for a Sensitive value. */
export function failWithFormError(reason: string): never {
  return throwIssue(issues.FORM, { reason })
}
