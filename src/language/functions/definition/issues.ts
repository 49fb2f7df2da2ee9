import { defineIssues } from '../../../base/issue.ts'

/**
 * Error definitions of built-in functions. The evaluator adds the prefix `Error while evaluating a Function Call, `.
 */
export const functionIssues = defineIssues({
  /** Thrown if no signature accepts the arguments; `types/mismatch` creates the message. */
  ARGUMENT_MISMATCH: { text: (a: { message: string }) => a.message },
  WRONG_ARGUMENT_COUNT: {
    text: (a: { name: string; given: number; arity: number }) =>
      a.arity >= 0
        ? `${a.name}(): Wrong number of arguments given (${a.given} for ${a.arity})`
        : `${a.name}(): Wrong number of arguments given (${a.given} for minimum ${-a.arity - 1})`,
  },
  CALLED_UNKNOWN_FUNCTION: { text: (a: { name: string }) => `Unknown function '${a.name}'` },
  DEFERRED_FAILED: {
    text: (a: { name: string; why: string }) => `Deferred function '${a.name}' failed: ${a.why}`,
  },
  MISSING_FILES: { text: (a: { names: string }) => `Could not find any files from ${a.names}` },
  MISSING_BINARY_FILE: {
    text: (a: { name: string }) => `binary_file(): The given file '${a.name}' does not exist`,
  },
  MISSING_TEMPLATE: { text: (a: { name: string }) => `Could not find template '${a.name}'` },
  INVALID_EPP: { text: (a: { name: string; detail: string }) => `${a.name}(): Invalid EPP: ${a.detail}` },
  MISNAMED_RUBY_FUNCTION: {
    text: (a: { name: string; path: string }) =>
      `The code loaded from ${a.path} does not seem to be a Puppet function: it does not define '${a.name}'`,
  },
  LOOKUP_NOT_FOUND: {
    text: (a: { names: readonly string[] }) =>
      a.names.length === 1
        ? `Function lookup() did not find a value for the name '${a.names[0]}'`
        : `Function lookup() did not find a value for any of the names [${a.names.map((name) => `'${name}'`).join(', ')}]`,
    hint: (a) => `Run 'plumb lookup ${a.names[0]} --explain' to print each step of the lookup.`,
  },
  DEPRECATED_FUNCTION_USE: { text: (a: { message: string }) => a.message },
  TYPE_ASSERTION: { text: (a: { message: string }) => a.message },
  DISCONTINUED_IMPORT: {
    text: () =>
      "Use of 'import' has been discontinued in favor of a manifest directory. " +
      'See http://links.puppet.com/puppet-import-deprecation',
  },
  NO_CLOCK: {
    text: () => 'strftime(): the current time cannot be used in a catalog',
    hint: () => 'Pass a Timestamp, or use a fact.',
  },
  GENERATE_FAILED: { text: (a: { why: string }) => a.why },
  GENERATE_NOT_ALLOWED: {
    text: (a: { program: string }) => `Failed to execute generator ${a.program}: commands are not allowed here`,
    hint: () =>
      "Command output is not part of the commit. Use Hiera data or a fact, or list the program in the setting 'generators'.",
  },
})
